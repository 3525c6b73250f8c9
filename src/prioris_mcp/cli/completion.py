"""``prioris-mcp completion SHELL``: scripts that complete what can be typed, written from the argument parsers.

All three follow the words typed so far to a *place*, the command that they lead to, such as "notes list".
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from prioris_mcp.cli.arguments import CLIENTS, parser
from prioris_mcp.cli.terminal import say

_WORDS: dict[str, Sequence[str]] = {"clients": CLIENTS}
"""Words for arguments that check them by themselves."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word that can be typed; *next*: an option's values, *files*: names of files, *bare*: nothing belongs to it."""

    text: str
    help: str = ""
    next: Sequence[str] = ()
    files: bool = False
    bare: bool = True


@dataclass(frozen=True, slots=True)
class _Place:
    """What can be typed after a command: further commands, options, other words, and perhaps names of files."""

    path: str
    commands: Sequence[_Word]
    options: Sequence[_Word]
    words: Sequence[_Word]
    files: bool


def completion(options: argparse.Namespace) -> int:
    """Print the script for one shell."""
    say(SCRIPTS[options.shell](list(_places(parser(), ""))))
    return 0


# -- the tree


def _places(found: argparse.ArgumentParser, path: str) -> Iterator[_Place]:
    commands, options, words, files = [], [], [], False
    children: dict[str, argparse.ArgumentParser] = {}
    for action in found._actions:
        if isinstance(action, argparse._SubParsersAction):
            children = action.choices
            commands = [_Word(choice.dest, choice.help or "") for choice in action._choices_actions]
        elif action.option_strings:
            options += [_option(action, text) for text in action.option_strings]
        else:
            words += [_Word(text) for text in _choices(action)]
            files |= action.type is Path
    yield _Place(path, commands, options, words, files)
    for name, child in children.items():
        yield from _places(child, f"{path} {name}".strip())


def _option(action: argparse.Action, text: str) -> _Word:
    return _Word(text, action.help or "", _choices(action), action.type is Path, action.nargs == 0)


def _choices(action: argparse.Action) -> Sequence[str]:
    return [str(choice) for choice in action.choices or _WORDS.get(action.dest, ())]


def _steps(places: Sequence[_Place]) -> Iterator[tuple[str, str, str]]:
    """From which place which word leads to which."""
    for place in places:
        for command in place.commands:
            yield place.path, command.text, f"{place.path} {command.text}".strip()


def _valued(places: Sequence[_Place]) -> Iterator[tuple[_Place, _Word]]:
    """The options that something belongs to."""
    for place in places:
        for option in place.options:
            if not option.bare:
                yield place, option


def _texts(*words: _Word) -> list[str]:
    return [word.text for word in words]


def _joined(words: Sequence[str]) -> str:
    return shlex.quote(" ".join(words))


# -- the shells


def _bash(places: Sequence[_Place]) -> str:
    quote = shlex.quote
    steps = "".join(f"            {quote(f'{a}/{word}')}) place={quote(b)} ;;\n" for a, word, b in _steps(places))
    values = "".join(
        f"        {quote(f'{place.path}/{option.text}')}) words={_joined(option.next)} files={option.files:d} ;;\n"
        for place, option in _valued(places)
    )
    after = "".join(
        f"            {quote(place.path)}) words={_joined(_texts(*place.commands, *place.words))}"
        f" options={_joined(_texts(*place.options))} files={place.files:d} ;;\n"
        for place in places
    )
    return f"""\
# bash completion for prioris-mcp; written by `prioris-mcp completion bash`
_prioris_mcp() {{
    local IFS=$' \\t\\n' current="${{COMP_WORDS[COMP_CWORD]}}" place="" words="" options="" files=0 word
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$place/$word" in
{steps}        esac
    done
    case "$place/${{COMP_WORDS[COMP_CWORD-1]}}" in
{values}        *) case "$place" in
{after}        esac ;;
    esac
    case "$current" in -*) words="$options" files=0 ;; esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [ "$files" = 1 ]; then
        IFS=$'\\n'
        COMPREPLY+=($(compgen -f -- "$current"))
        compopt -o filenames 2>/dev/null
    fi
}}
complete -F _prioris_mcp prioris-mcp"""


def _zsh(places: Sequence[_Place]) -> str:
    quote = shlex.quote
    steps = "".join(f"            {quote(f'{a}/{word}')}) place={quote(b)} ;;\n" for a, word, b in _steps(places))
    values = "".join(
        f"        {quote(f'{place.path}/{option.text}')}) {_zsh_value(option)}return ;;\n"
        for place, option in _valued(places)
    )
    after = "".join(
        f"        {quote(place.path)})\n            found=({_zsh_list(*place.commands, *place.words)})\n"
        f"            options=({_zsh_list(*place.options)})\n            files={place.files:d} ;;\n"
        for place in places
    )
    return f"""\
#compdef prioris-mcp
# zsh completion for prioris-mcp; written by `prioris-mcp completion zsh`
_prioris_mcp() {{
    local place="" word files=0
    local -a found options
    for word in "${{(@)words[2,CURRENT-1]}}"; do
        case "$place/$word" in
{steps}        esac
    done
    case "$place/${{words[CURRENT-1]}}" in
{values}    esac
    case "$place" in
{after}    esac
    if [[ "${{words[CURRENT]}}" = -* ]]; then
        _describe 'option' options
        return
    fi
    _describe 'command' found
    if [[ $files = 1 ]]; then _files; fi
}}
if [ "$funcstack[1]" = "_prioris_mcp" ]; then
    _prioris_mcp "$@"
else
    compdef _prioris_mcp prioris-mcp
fi"""


def _zsh_value(option: _Word) -> str:
    if option.files:
        return "_files; "
    return f"compadd -- {' '.join(map(shlex.quote, option.next))}; " if option.next else ""


def _zsh_list(*words: _Word) -> str:
    return " ".join(shlex.quote(_described(word)) for word in words)


def _described(word: _Word) -> str:
    text = word.text.replace(":", "\\:")
    return f"{text}:{word.help}" if word.help else text


def _fish(places: Sequence[_Place]) -> str:
    steps = "".join(
        f"            case {_fish_quote(f'{a}/{word}')}\n                set place {_fish_quote(b)}\n"
        for a, word, b in _steps(places)
    )
    lines = "\n".join(line for place in places for line in _fish_lines(place))
    return f"""\
# fish completion for prioris-mcp; written by `prioris-mcp completion fish`
function __prioris_mcp_at
    set -l place ''
    for word in (commandline -opc)[2..-1]
        switch "$place/$word"
{steps}        end
    end
    test "$place" = "$argv[1]"
end
complete -c prioris-mcp -f
{lines}"""


def _fish_lines(place: _Place) -> Iterator[str]:
    start = f"complete -c prioris-mcp -n {_fish_quote(f'__prioris_mcp_at {_fish_quote(place.path)}')}"
    if place.files:
        yield f"{start} -F"
    for word in (*place.commands, *place.words):
        yield f"{start} -a {_fish_quote(word.text)} -d {_fish_quote(word.help)}"
    for option in place.options:
        kind = "-l" if option.text.startswith("--") else "-s"
        value = "" if option.bare else " -r -F" if option.files else f" -x -a {_fish_quote(' '.join(option.next))}"
        yield f"{start} {kind} {_fish_quote(option.text.lstrip('-'))}{value} -d {_fish_quote(option.help)}"


def _fish_quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SCRIPTS: dict[str, Callable[[Sequence[_Place]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
