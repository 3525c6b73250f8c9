"""Write one note as a Markdown file: YAML between two lines of hyphens, then the text as it is.

Values are written as JSON, which any YAML reader understands; they are read as YAML, since editors rewrite them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import yaml

from prioris_mcp.domain.documents import SourceFormat
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.note import Anchor, Content, Location, Note, Selectors, Subject, canonical, unified
from prioris_mcp.domain.sources.table import SOURCES, provider_named
from prioris_mcp.errors import InvalidRequestError, PriorisError
from prioris_mcp.models.notes import NoteFrontmatter

T = TypeVar("T")

ID = re.compile(r"[0-9a-f]{16}")
_HEAD = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)(?<=\n)---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_EDGE = re.compile(r"^\ufeff?---[ \t]*\r?$", re.MULTILINE)
_ID_LINE = re.compile(r"""^id:[ \t]*["']?([0-9a-f]{16})["']?[ \t]*\r?$""", re.MULTILINE)
_UNWRITABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Match what YAML does not take as it is, or takes for a line break, and JSON does not escape."""
_LONGEST_HEAD = 1_000_000
"""Most characters of front matter that are read: five times what the fields of a note hold."""
_LAST_YEAR = Instant.parse("9999-01-01", "the last year")
_LONGEST_KEY = 1000
"""Most characters of a key in flow style; YAML wants a longer one announced."""
_HASHTAG = re.compile(r"#[^\s#].*", re.DOTALL)
_ORDER = (
    *("id", "provider", "canonical_identifier", "format"),
    *("author_name", "tags", "anchors", "metadata", "created_at", "updated_at"),
)
_SELECTORS = ("exact_text_quote", "prefix_context", "suffix_context")


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Load safely, everything but null as a string: an identifier is no number, a time is no date."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - as its base has it
        first: [(tag, pattern) for tag, pattern in resolvers if tag == "tag:yaml.org,2002:null"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def written(note: Note) -> str:
    """Return the whole file."""
    facts = NoteFrontmatter.of(note).model_dump(mode="json")
    head = "".join(f"{name}: {_flow(facts[name])}\n" for name in _ORDER)
    return f"---\n{head}---\n{note.content.text}"


def read(text: str) -> Note:
    """Return the note in a file. Raise InvalidRequestError, with the reason, where there is no valid one."""
    match = _HEAD.match(text)
    if match is None:
        raise InvalidRequestError("it does not begin with front matter between two lines ---")
    if len(match[1]) > _LONGEST_HEAD:
        raise InvalidRequestError(f"its front matter has more than {_LONGEST_HEAD} characters")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(match[1], _Loader)):
            raise InvalidRequestError("it uses aliases (*name): write out what they stand for")
        facts = yaml.load(match[1], _Loader)  # noqa: S506 - a safe one
        if not isinstance(facts, dict):
            raise InvalidRequestError("it is no list of fields")
        body = text[match.end() :]
        return _note(facts, unified(body) if match[0].endswith("\r\n") else body)
    except (yaml.YAMLError, RecursionError) as exc:
        raise InvalidRequestError(f"its front matter is no YAML: {' '.join(str(exc).split())[:200]}") from exc
    except PriorisError as exc:
        raise InvalidRequestError("its front matter cannot be understood: ", *exc.args) from exc


def id_in(beginning: str) -> str | None:
    """Return the note's id in the beginning of a file, as far as can be seen at a glance."""
    before, *parts = _EDGE.split(beginning, maxsplit=2)
    found = _ID_LINE.search(parts[0]) if parts and not before else None
    return found[1] if found else None


def _flow(value: Any) -> str:
    match value:
        case dict():
            return f"{{{', '.join(f'{_key(key)}: {_flow(item)}' for key, item in value.items())}}}"
        case list():
            return f"[{', '.join(map(_flow, value))}]"
        case _:
            return _UNWRITABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


def _key(text: str) -> str:
    flow = _flow(text)
    return f"? {flow} " if len(flow) > _LONGEST_KEY else flow


def _note(facts: Mapping[str, Any], text: str) -> Note:
    note_id = _string(facts, "id") or ""
    if not ID.fullmatch(note_id):
        raise InvalidRequestError("id must be 16 of the characters 0-9 and a-f")
    provider = _choice(provider_named, SOURCES, "provider", _string(facts, "provider"))
    format_ = _string(facts, "format")
    subject = Subject(
        provider,
        canonical(provider, _string(facts, "canonical_identifier") or ""),
        None if format_ is None else _choice(SourceFormat, SourceFormat, "format", format_),
    )
    created, updated = (_time(facts, name) for name in ("created_at", "updated_at"))
    return Note(note_id, subject, _content(facts, text), created, updated)


def _time(facts: Mapping[str, Any], name: str) -> Instant:
    """Return a time after which there is room for later ones: each change of a note is later than the one before."""
    found = Instant.parse(_string(facts, name) or "", name)
    if found >= _LAST_YEAR:
        raise InvalidRequestError(f"{name} must lie before the year 9999")
    return found


def _content(facts: Mapping[str, Any], text: str) -> Content:
    return Content(
        text,
        tuple(map(_anchor, _list(facts, "anchors"))),
        _string(facts, "author_name"),
        tuple(_tags(facts.get("tags"))),
        _metadata(facts.get("metadata")),
    )


def _tags(value: Any) -> Iterator[str]:
    """Return the tags in whatever an editor made of the list: nested, with an empty item, or one text with commas."""
    if isinstance(value, list):
        for item in value:
            yield from _tags(item) if isinstance(item, list) else [] if item is None else [_tag(item)]
    elif value is not None:
        yield from (tag for item in _text(value, "tags").split(",") if (tag := _tag(item.strip())))


def _tag(value: Any) -> str:
    """Return a tag without the sign that some programs write before it."""
    text = _text(value, "a tag")
    return text[1:] if _HASHTAG.fullmatch(text) else text


def _metadata(value: Any) -> Mapping[str, str] | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise InvalidRequestError("metadata must be fields with one string each")
    return {_text(key, "a field of metadata"): _text(item, "a value of metadata") for key, item in value.items()}


def _anchor(value: Any) -> Anchor:
    facts = _fields(value, "an anchor")
    place, words = facts.get("location"), facts.get("selectors")
    return Anchor(None if place is None else _location(place), None if words is None else _selectors(words))


def _location(value: Any) -> Location:
    facts = _fields(value, "location")
    return Location(_number(facts, "page_number"), _string(facts, "section_heading"), _number(facts, "paragraph_index"))


def _selectors(value: Any) -> Selectors:
    facts = _fields(value, "selectors")
    return Selectors(*(_string(facts, name) for name in _SELECTORS))


def _fields(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InvalidRequestError(f"{name} must be a list of fields")
    return value


def _list(facts: Mapping[str, Any], name: str) -> list[Any]:
    value = facts.get(name)
    if value is None or isinstance(value, list):
        return value or []
    raise InvalidRequestError(f"{name} must be a list")


def _string(facts: Mapping[str, Any], name: str) -> str | None:
    value = facts.get(name)
    return None if value is None else _text(value, name)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise InvalidRequestError(f"{name} must be a string")
    return value


def _number(facts: Mapping[str, Any], name: str) -> int | None:
    value = _string(facts, name)
    try:
        return None if value is None else int(value)
    except ValueError:
        raise InvalidRequestError(f"{name} must be a whole number") from None


def _choice(made: Callable[[str], T], known: Iterable[str], name: str, text: str | None) -> T:
    try:
        return made(text or "")
    except ValueError:
        raise InvalidRequestError(f"{name} must be one of {', '.join(known)}") from None
