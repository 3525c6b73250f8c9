"""JSON with comments, edited in place: every byte that is not the member in question stays what it was.

Also understood, because editors write them: trailing commas and a byte order mark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null')
_INDENT = re.compile(r"^([ \t]+)[\"\[{]", re.MULTILINE)
_REST_OF_LINE = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/[ \t]*)?(?=\r?\n|$)")
_LINE_END = re.compile(r"[ \t]*\r?\n")
_DEEPEST = 100


@dataclass(slots=True)
class _Node:
    """A value and where it stands; for an object its members, in order."""

    start: int
    end: int = 0
    value: Any = None
    members: list[_Member] | None = None


@dataclass(slots=True)
class _Member:
    """One member of an object; *comma* is where the comma after it stands, if there is one."""

    start: int
    key: str
    node: _Node
    comma: int | None = None


def get(text: str, path: Sequence[str]) -> Any:
    """What stands at *path*; None if nothing does. ValueError where *text* cannot be understood."""
    root = _parse(text)
    if root is None:
        return None
    node, rest = _descend(root, path)
    return None if rest else node.value


def put(text: str, path: Sequence[str], new: Any) -> str:
    """*text* with *new* at *path*; objects on the way are made. ValueError where *text* cannot be understood."""
    root = _parse(text)
    if root is None:
        newline = "\n" if text and not text.endswith("\n") else ""
        return f"{text}{newline}{_rendered(_nested(path, new), _Style(text), '')}\n"
    node, rest = _descend(root, path)
    if rest:
        return _insert(text, node, rest[0], _nested(rest[1:], new))
    if node.value == new:
        return text
    return text[: node.start] + _rendered(new, _Style(text), _margin(text, node.start)) + text[node.end :]


def drop(text: str, path: Sequence[str]) -> str:
    """*text* without the member at *path*, and with the comma that it needed; as it was if there is none."""
    root = _parse(text)
    if root is None:
        return text
    _, rest = _descend(root, path)
    if rest:
        return text
    members = _descend(root, path[:-1])[0].members or []
    return _without(text, members, [member.key for member in members].index(path[-1]))


# -- reading


def _parse(text: str) -> _Node | None:
    scanner = _Scanner(text)
    start = scanner.skip(0)
    if start == len(text):
        return None
    root = scanner.node(start, _DEEPEST)
    if scanner.skip(root.end) != len(text):
        raise scanner.wrong(scanner.skip(root.end))
    return root


@dataclass(slots=True)
class _Scanner:
    text: str

    def skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def wrong(self, at: int) -> ValueError:
        return ValueError(f"line {self.text.count(chr(10), 0, at) + 1} is not JSON")

    def node(self, at: int, depth: int) -> _Node:
        if not depth:
            raise ValueError("it is nested too deeply")
        opening = self.text[at : at + 1]
        if opening == "{":
            return self._object(at, depth)
        if opening == "[":
            return self._list(at, depth)
        end, found = self._scalar(at)
        return _Node(at, end, found)

    def _scalar(self, at: int) -> tuple[int, Any]:
        found = _SCALAR.match(self.text, at)
        if not found:
            raise self.wrong(at)
        try:
            return found.end(), json.loads(found[0])
        except ValueError:
            raise self.wrong(at) from None

    def _object(self, at: int, depth: int) -> _Node:
        members: list[_Member] = []
        cursor = self.skip(at + 1)
        while self.text[cursor : cursor + 1] != "}":
            start = cursor
            after, key = self._scalar(cursor)
            colon = self.skip(after)
            if not isinstance(key, str) or self.text[colon : colon + 1] != ":":
                raise self.wrong(colon)
            member = _Member(start, key, self.node(self.skip(colon + 1), depth - 1))
            members.append(member)
            cursor, member.comma = self._next(member.node.end, "}")
        known = {member.key: member.node.value for member in members}
        return _Node(at, cursor + 1, known, members)

    def _list(self, at: int, depth: int) -> _Node:
        items: list[Any] = []
        cursor = self.skip(at + 1)
        while self.text[cursor : cursor + 1] != "]":
            item = self.node(cursor, depth - 1)
            items.append(item.value)
            cursor, _ = self._next(item.end, "]")
        return _Node(at, cursor + 1, items)

    def _next(self, end: int, closing: str) -> tuple[int, int | None]:
        """Where the next item or *closing* stands, and the comma before it."""
        at = self.skip(end)
        if self.text[at : at + 1] == ",":
            return self.skip(at + 1), at
        if self.text[at : at + 1] != closing:
            raise self.wrong(at)
        return at, None


def _descend(node: _Node, path: Sequence[str]) -> tuple[_Node, Sequence[str]]:
    """The deepest node on *path* that is there, and what of the path is not."""
    for depth, key in enumerate(path):
        if node.members is None:
            raise ValueError(f"{'.'.join(path[:depth]) or 'what it holds'} is not an object")
        found = [member for member in node.members if member.key == key]
        if len(found) > 1:
            raise ValueError(f"it holds {key!r} twice")
        if not found:
            return node, path[depth:]
        node = found[0].node
    return node, ()


# -- writing


@dataclass(slots=True)
class _Style:
    """How *text* indents and ends its lines."""

    text: str
    indent: str = field(init=False)
    newline: str = field(init=False)

    def __post_init__(self) -> None:
        steps = [found[1] for found in _INDENT.finditer(self.text)]
        self.indent = min(steps, key=len) if steps else "  "
        self.newline = "\r\n" if "\r\n" in self.text else "\n"


def _nested(path: Iterable[str], new: Any) -> Any:
    for key in reversed(list(path)):
        new = {key: new}
    return new


def _rendered(new: Any, style: _Style, margin: str) -> str:
    lines = json.dumps(new, indent=style.indent, ensure_ascii=False).split("\n")
    return f"{style.newline}{margin}".join(lines)


def _margin(text: str, at: int) -> str:
    """The white space that the line of *at* begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _insert(text: str, parent: _Node, key: str, new: Any) -> str:
    """*key* as the last member of *parent*."""
    style = _Style(text)
    outer = _margin(text, parent.start)
    if not parent.members:
        return _fill(text, parent, f"{json.dumps(key)}: {_rendered(new, style, outer + style.indent)}", style)
    last = parent.members[-1]
    if "\n" not in text[parent.start : parent.members[0].start]:
        member = f", {json.dumps(key)}: {json.dumps(new, ensure_ascii=False)}"
        return text[: last.node.end] + member + text[last.node.end :]
    margin = _margin(text, last.start)
    after = last.node.end if last.comma is None else last.comma + 1
    rest = _REST_OF_LINE.match(text, after)
    line_end = rest.end() if rest else after
    comma = "," if last.comma is None else ""
    member = f"{style.newline}{margin}{json.dumps(key)}: {_rendered(new, style, margin)}"
    return text[:after] + comma + text[after:line_end] + member + ("," if not comma else "") + text[line_end:]


def _fill(text: str, parent: _Node, member: str, style: _Style) -> str:
    """*member* as the only one of *parent*, after the comments that are in there."""
    outer = _margin(text, parent.start)
    inside = text[parent.start + 1 : parent.end - 1].rstrip()
    line = f"{style.newline}{outer}{style.indent}{member}{style.newline}{outer}"
    return text[: parent.start + 1] + inside + line + text[parent.end - 1 :]


def _without(text: str, members: Sequence[_Member], number: int) -> str:
    member = members[number]
    end = member.node.end if member.comma is None else member.comma + 1
    before = members[number - 1].comma if number and member.comma is None else None
    if before is not None:
        return text[:before] + text[before + 1 : member.start].rstrip(" \t\r\n") + text[end:]
    line = text.rfind("\n", 0, member.start) + 1
    rest = _LINE_END.match(text, end)
    if rest and not text[line : member.start].strip(" \t"):
        return text[:line] + text[rest.end() :]
    return text[: member.start] + text[end:]
