"""What can be done about a failure: every user interface has words for all of it, and these are its own."""

from __future__ import annotations

import shlex

import pytest

from prioris_mcp.cli import remedies as cli
from prioris_mcp.cli.arguments import parser
from prioris_mcp.errors import InvalidRequestError, NotFoundError
from prioris_mcp.remedies import Action, Remedy
from prioris_mcp.server import remedies as server
from prioris_mcp.server.catalogue import TOOLS
from scripts.generate import pages

NAMES = {spec.name for spec in TOOLS}
OF_A_SOURCE = {
    Action.FETCH: ("arxiv", "europepmc"),
    Action.LIST_SOURCE: ("localfile",),
    Action.LOOK_UP: ("europepmc",),
    Action.PARSE: ("arxiv", "europepmc", "localfile"),
    Action.SEARCH: ("arxiv", "europepmc"),
    Action.USE_SOURCE: ("arxiv", "europepmc", "localfile"),
}
"""The sources of which errors name each action; the others are about no source."""
ALL = [
    Remedy(action, provider, "10.1000/a(b) c", "pdf")
    for action in Action
    for provider in OF_A_SOURCE.get(action, ("",))
]


@pytest.mark.parametrize("table", [server.TOOLS, cli.COMMANDS], ids=["server", "command line"])
def test_each_user_interface_has_words_for_every_action(table):
    """And for none that is not there."""
    assert set(table) == set(Action)


@pytest.mark.parametrize("remedy", ALL, ids=str)
def test_the_server_names_tools_that_there_are(remedy):
    """A tool that is renamed takes its remedies with it."""
    said = server.words(remedy).removeprefix("the ").removesuffix("* tools").partition("(")[0]
    assert said in NAMES or (said.endswith("_") and any(name.startswith(said) for name in NAMES))


@pytest.mark.parametrize("remedy", ALL, ids=str)
def test_the_command_line_names_commands_that_there_are(remedy):
    """With options that they take, quoted for a shell; and no tools."""
    said = cli.words(remedy)
    assert "research_" not in said
    words = shlex.split(said.replace("prioris-mcp search or discover", "prioris-mcp search words"))
    if words[0] == "prioris-mcp":
        more = ["words"] if words[1] == "discover" else []
        options = parser().parse_args([*words[1:], *more])
        assert getattr(options, "identifier", remedy.identifier) == remedy.identifier
    else:
        assert said == f"commands with --provider {remedy.provider}"


def test_an_error_within_another_keeps_its_remedies():
    """Each user interface has its words for both."""
    inner = InvalidRequestError("no file; ", Remedy(Action.ADD_FILE), " adds it")
    outer = NotFoundError("nothing: ", *inner.args, "; see ", Remedy(Action.LIST))
    tools = [server.words(Remedy(action)) for action in (Action.ADD_FILE, Action.LIST)]
    assert server.said(outer) == "nothing: no file; {} adds it; see {}".format(*tools)
    assert cli.said(outer) == "nothing: no file; prioris-mcp add FILE adds it; see prioris-mcp list"


def test_what_a_caller_wrote_is_no_remedy():
    """Braces and the names of actions in it stay as they are."""
    for text in ("{list}", "{0.provider}", "{fetch arxiv}", "{}", "%s"):
        error = InvalidRequestError(f"no such thing: {text}; see ", Remedy(Action.LIST))
        assert server.said(error) == f"no such thing: {text}; see research_list_fetched"
        assert cli.said(error) == f"no such thing: {text}; see prioris-mcp list"
        assert text in server.words(Remedy(Action.FETCH, text))
        assert shlex.split(cli.words(Remedy(Action.FETCH, "arxiv", text)))[2:] == [text]


def test_a_log_shows_the_action():
    """Which belongs to no user interface."""
    assert str(NotFoundError("not there: call ", Remedy(Action.FETCH, "arxiv", "1"), " first")) == (
        "not there: call {fetch arxiv} first"
    )
    assert str(NotFoundError("see ", Remedy(Action.LIST))) == "see {list}"


@pytest.mark.parametrize("remedy", ALL, ids=str)
def test_descriptions_name_remedies_as_errors_do(remedy):
    """Between the figures that settings fill in, which are left alone."""
    said = server.words(remedy)
    assert server.named(f"a {remedy} b {{window}} {remedy}") == f"a {said} b {{window}} {said}"


def test_no_schema_is_left_unfilled():
    """Of a parameter or an answer: clients would read a word for nobody."""
    (listing,) = (text for path, text in pages().items() if path.name == "tools.json")
    assert "the research_arxiv_* tools" in listing
    assert [str(remedy) for remedy in ALL if str(remedy) in listing] == []
