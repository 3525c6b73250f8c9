"""Arguments that nobody would send on purpose, for every tool, resource and prompt of the server, from a seed.

Most calls are good ones with one place spoilt, for those come furthest; some are good, and some are all chance.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scripts.examples import EXAMPLES
from tests.replay.papers import DATA

PDF = base64.b64encode((DATA / "pdf" / "sample-paper.pdf").read_bytes()).decode()
MEGABYTE = 2**20
DEEP = "@nested here@"
"""Stands where many brackets go, which json.dumps would not write."""
_LONGEST = 40
_TEXTS = (
    *("", " ", "\x00", "a\x00b", "\ud800", "\udfff mid", "ok \ud83d\ude00", "\x1b[2J\r\n", "[/red]", "\u2028\u0085"),
    *("../../../../etc/passwd", "%2e%2e%2f", "file:///etc/passwd", "C:\\Windows\\win.ini", "~/.ssh/id", "/dev/zero"),
    *("'; DROP TABLE notes;--", '" OR 1=1 --', "NEAR(", "a AND (b OR", "*", "^", "{", '"', "(((((", "a NEAR/0 b", "-a"),
    *("${jndi:ldap://x}", "{{7*7}}", "%s%n%x", "$(reboot)", "`id`", "<script>alert(1)</script>", "<!ENTITY x 'y'>"),
    *("null", "true", "NaN", "1e999", "-0", "0x10", "١٢٣", "9" * 400, "1" * 5000, "ﷺ" * 100, "a\u0300" * 500, "\u202e"),
    *("[]", "{}", '["2106.09685"]', '{"a":', "[" * 3000, "é注✓", "İı", "ſ", "\ufeffx", "\U0010ffff", "x" * 70_000),
    *(
        "2106.09685",
        "2106.09685v2",
        "hep-th/9901001",
        "10.1038/nature12373",
        "MED:26551875",
        "PMC4767193",
        "9999.99999",
    ),
    *("html", "pdf", "xml", "arxiv", "europepmc", "localfile", "fts", "vector", "hybrid", "2026-07-28", "9999-99-99"),
    *(
        "-1e5-01-01",
        "2026-02-30T25:61:61+99:99",
        "0000-00-00",
        "cs.CL",
        "cs.XX",
        "relevance",
        "JVBERi0=",
        "JVBERi0xLjQK",
    ),
)
_NUMBERS = (0, -1, 1, 2, 7, 199, 200, 201, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**30, 10**400, 0.5, -0.0, 1e308)
_ODD: tuple[Any, ...] = (
    *(None, True, False, [], {}, [[]], {"": None}, float("nan"), float("inf"), [None], [[[[{}]]]]),
    *(DEEP, f"5{DEEP}"),
)
_ADDRESSES = (
    *("research://arxiv/{}/html/markdown", "research://arxiv/{}/pdf/fulltext", "research://localfile/{}/pdf/markdown"),
    *("notes://{}/export", "research://{}/x/pdf/fulltext", "research://arxiv/2106.09685/html/markdown?offset={}"),
    *("research://arxiv/2106.09685/html/markdown?limit={}", "research://vector-index/{}", "{}", "file://{}"),
)
_PROMPTS = {
    "literature_review": ("topic", "category", "papers"),
    "read_paper": ("identifier", "question"),
    "compare_papers": ("first", "second", "aspect"),
    "find_prior_art": ("idea", "before"),
}
TOOLS = "tools/call"
READING, PROMPTING, COMPLETING = "resources/read", "prompts/get", "completion/complete"
OTHERS = (READING, PROMPTING, COMPLETING)


@dataclass(frozen=True, slots=True)
class Shot:
    """One request."""

    target: str
    """The tool, or the method if it is none of a tool."""
    method: str
    name: str
    params: dict[str, Any]


class Hostile:
    """Shots at *schemas*, the input schema of each tool; *known* are values that earlier answers gave."""

    def __init__(self, seed: int, schemas: Mapping[str, Mapping[str, Any]]) -> None:
        self._random, self._schemas = random.Random(seed), schemas
        self._good = {example.tool: example.arguments for example in EXAMPLES}
        self.known: dict[str, str] = {"$pdf": PDF}

    def shots(self, number: int) -> Iterator[Shot]:
        """So many requests, at every tool and at everything else in turn."""
        targets = [*self._schemas, *OTHERS]
        for turn in range(number):
            target = targets[turn % len(targets)]
            yield self._tool(target) if target in self._schemas else self._other(target)

    def _tool(self, name: str) -> Shot:
        arguments = self._filled(self._good[name])
        chance = self._random.random()
        if chance < 0.6:
            self._spoil(arguments, self._schemas[name]["properties"])
        elif chance < 0.9:
            arguments = {key: self._any() for key in self._names(self._schemas[name]["properties"])}
        given: Any = arguments if self._random.random() < 0.99 else self._any()
        return Shot(name, TOOLS, name, {"name": name, "arguments": given})

    def _other(self, method: str) -> Shot:
        if method == READING:
            uri = self._pick(_ADDRESSES).format(self._text())
            return Shot(method, method, uri, {"uri": uri})
        prompt = self._pick(tuple(_PROMPTS))
        if method == PROMPTING:
            given = {name: self._text() for name in _PROMPTS[prompt] if self._random.random() < 0.8}
            return Shot(method, method, prompt, {"name": prompt, "arguments": given})
        argument = {"name": self._pick(("identifier", "category", "first", "x")), "value": self._text()}
        return Shot(method, method, "", {"ref": {"type": "ref/prompt", "name": prompt}, "argument": argument})

    def _spoil(self, arguments: dict[str, Any], properties: Mapping[str, Any]) -> None:
        name = self._pick((*properties, "odd"))
        value = self._any()
        if properties.get(name, {}).get("type") == "array" and self._random.random() < 0.7:
            value = [*arguments.get(name, []), *(self._any() for _ in range(self._random.choice((1, 1, 2, 300))))]
        elif self._random.random() < 0.1 and name in arguments:
            del arguments[name]
            return
        arguments[name] = value

    def _names(self, properties: Mapping[str, Any]) -> list[str]:
        return [name for name in properties if self._random.random() < 0.7] + [self._text()[:_LONGEST]]

    def _any(self) -> Any:
        chance = self._random.random()
        if chance < 0.005:
            return self._pick(("9", "a ", "\x00", "é", "[", "\ud800")) * MEGABYTE
        makers: tuple[Callable[[], Any], ...] = (self._text, self._text, self._number, self._odd, self._tree)
        return self._pick(makers)()

    def _text(self) -> str:
        text: str = self._pick(_TEXTS)
        chance = self._random.random()
        if chance < 0.2:
            text += self._pick(_TEXTS)
        elif chance < 0.3:
            text = "".join(chr(self._random.randrange(0x11000)) for _ in range(self._random.randrange(_LONGEST)))
        return text

    def _number(self) -> Any:
        return self._pick(_NUMBERS)

    def _odd(self) -> Any:
        return self._pick(_ODD)

    def _tree(self) -> Any:
        leaves = [self._text(), self._number(), self._odd()]
        if self._random.random() < 0.5:
            return leaves
        keys = ("location", "selectors", "exact_text_quote", "page_number", "provider", "identifier", "format", "x")
        return {self._pick(keys): leaf for leaf in leaves}

    def _pick(self, values: Any) -> Any:
        return values[self._random.randrange(len(values))]

    def _filled(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._filled(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._filled(item) for item in value]
        return self.known.get(value, value) if isinstance(value, str) else value


def encoded(params: Mapping[str, Any], depth: int) -> str:
    """*params* as JSON, in it what is nested deep."""
    text = json.dumps(params)
    return text.replace(json.dumps(DEEP), "[" * depth + "]" * depth).replace(
        f'"5{DEEP}"', '{"a":' * 200 + "5" + "}" * 200
    )
