"""Whether and how text is read from the images of a PDF."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_HOW_TO = "to read such pages, switch on OCR and give it the folder of Tesseract's language data"


@dataclass(frozen=True, slots=True)
class Ocr:
    """The settings of the library for OCR, and what a page that stays without text tells its reader."""

    settings: Mapping[str, object]
    hint: str

    @property
    def enabled(self) -> bool:
        """Whether images are read."""
        return bool(self.settings)

    @classmethod
    def of(cls, options: Mapping[str, object]) -> Ocr:
        """OCR as the options ask for it: by the server that they name, or else offline.

        It is off where the language data is missing: the library would look for it on the network.
        """
        if options.get("ocr") is not True:
            return cls({}, _HOW_TO)
        language = str(options.get("language") or "eng")
        wanted = {"ocr_enabled": True, "ocr_language": language, "num_workers": 1, "ocr_failure_fatal": True}
        if server := options.get("ocr_server"):
            headers = options.get("ocr_headers") or {}
            return cls({**wanted, "ocr_server_url": server, "ocr_server_headers": headers}, "OCR found no text in it")
        folder = str(options.get("tessdata") or "")
        missing = [name for name in language.split("+") if not _is_there(folder, name)]
        if missing:
            return cls({}, f"OCR needs {missing[0]}.traineddata, which the folder given lacks" if folder else _HOW_TO)
        return cls({**wanted, "tessdata_path": folder}, "OCR found no text in it")


def _is_there(folder: str, language: str) -> bool:
    return bool(folder and re.fullmatch(r"\w+", language)) and (Path(folder) / f"{language}.traineddata").is_file()
