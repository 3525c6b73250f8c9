"""Parser functions that misbehave, each named by its target string and run in a worker process."""

from __future__ import annotations

import colorsys
import gc
import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError

HERE = "tests.unit.adapters.parsers.workers.hostile"
Progress = Callable[[int, int], None]


def echo(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Well behaved: the content as text."""
    return Markdown.whole(content.decode())


def identify(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Well behaved: the process id of the worker."""
    return Markdown.whole(str(os.getpid()))


def linger(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Answer with the process id, and leave a thread behind that never ends."""
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    return Markdown.whole(str(os.getpid()))


def pages(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Well behaved: the pages given as an option, reported one by one."""
    texts = [str(text) for text in options["pages"]]  # type: ignore[attr-defined]
    for number in range(1, len(texts) + 1):
        progress(number, len(texts))
    return Markdown.of_pages(texts)


def modules(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Well behaved: where a standard module was found."""
    return Markdown.whole(str(colorsys.__file__))


def nap(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Sleep for the seconds of the options, then give start and end."""
    start = time.monotonic()
    time.sleep(float(str(options["seconds"])))
    return Markdown.whole(f"{start} {time.monotonic()}")


def hang(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Never return; leave the process id in the file that the content names."""
    if content:
        Path(content.decode()).write_text(str(os.getpid()))
    while True:
        time.sleep(60)


def spin(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Never return, and hold the interpreter lock all the while, as stuck native code does."""
    Path(content.decode()).write_text(str(os.getpid()))
    sys.setswitchinterval(10_000)
    while True:
        pass


def leave(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """End the process at once, with the exit code of the options."""
    os._exit(int(str(options["code"])))


def segfault(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Crash as native code does."""
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def swallow(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Ask for eight GiB."""
    return Markdown.whole("x" * len(bytearray(8 << 30)))


def chatter(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Print to standard output by every road."""
    print("printed", flush=True)  # noqa: T201
    os.write(1, b"\x00\x00\x00\x02{}written")
    sys.__stdout__.write("dunder")  # type: ignore[union-attr]
    sys.__stdout__.flush()  # type: ignore[union-attr]
    assert not sys.stdin.read()
    subprocess.run([sys.executable, "-c", "import sys; print('from a child', sys.stdin.read())"], check=True)
    return Markdown.whole("quiet")


def breed(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Start a process that sleeps, leave its id in the file that the content names, and hang."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(content.decode()).write_text(str(child.pid))
    while True:
        time.sleep(60)


def refuse(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Fail as a parser should."""
    raise ParseError("the document is empty \ud800")


def blunder(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Fail as a parser should not, with a path in the message."""
    raise FileNotFoundError("/home/someone/secret.txt")


def recurse(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Run out of frames."""
    return recurse(content, options, progress)


def dirty(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Text with everything in it that must not pass, over two pages."""
    return Markdown.of_pages(["a\ud800b\x00c\x1b[0m\r\n", "d\u202ee\u2069f\rg\n"])


def forge(content: bytes, options: dict[str, object], progress: Progress) -> Markdown:
    """Write the bytes of the content into the pipe to the server, as a subverted parser could."""
    writers = [obj for obj in gc.get_objects() if isinstance(obj, io.BufferedWriter) and obj.fileno() > 2]
    for writer in writers:
        writer.write(content)
        writer.flush()
    time.sleep(60)
    raise AssertionError
