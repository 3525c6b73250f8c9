"""arXiv's subject classes, for spelling only: the list that callers read comes from arXiv itself."""

from __future__ import annotations

from collections.abc import Iterator

_CLASSES = """
astro-ph: CO EP GA HE IM SR
cond-mat: dis-nn mes-hall mtrl-sci other quant-gas soft stat-mech str-el supr-con
cs: AI AR CC CE CG CL CR CV CY DB DC DL DM DS ET FL GL GR GT HC IR IT LG LO MA MM MS NA NE NI OH OS PF PL RO
    SC SD SE SI SY
econ: EM GN TH
eess: AS IV SP SY
gr-qc
hep-ex
hep-lat
hep-ph
hep-th
math-ph
math: AC AG AP AT CA CO CT CV DG DS FA GM GN GR GT HO IT KT LO MG MP NA NT OA OC PR QA RA RT SG SP ST
nlin: AO CD CG PS SI
nucl-ex
nucl-th
physics: acc-ph ao-ph app-ph atm-clus atom-ph bio-ph chem-ph class-ph comp-ph data-an ed-ph flu-dyn gen-ph
    geo-ph hist-ph ins-det med-ph optics plasm-ph pop-ph soc-ph space-ph
q-bio: BM CB GN MN NC OT PE QM SC TO
q-fin: CP EC GN MF PM PR RM ST TR
quant-ph
stat: AP CO ME ML OT TH
"""
_ALIASES = ("astro-ph", "cond-mat")
"""Archives that were classes of their own once, and still stand on old papers."""


def _codes() -> Iterator[str]:
    archive = ""
    for word in _CLASSES.split():
        if word.endswith(":"):
            archive = word[:-1]
        elif word in _WHOLE:
            yield word
        else:
            yield f"{archive}.{word}"


_WHOLE = frozenset(line for line in _CLASSES.splitlines() if line and ":" not in line and not line.startswith(" "))
CODES = frozenset((*_codes(), *_ALIASES))
_BY_LOWER = {code.lower(): code for code in CODES}


def spelled(code: str) -> str:
    """Return *code* with the capitals that arXiv's index has (``CS.LG`` is ``cs.LG``); unknown codes unchanged."""
    return _BY_LOWER.get(code.lower(), code)
