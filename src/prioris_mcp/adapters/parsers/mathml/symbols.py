"""What single signs of MathML are in TeX: letters, operators, accents and the styles of mathematical alphabets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_NAMED = """
α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa ϰ varkappa
λ lambda μ mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi
ψ psi ω omega ϝ digamma Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega Ω Omega
∆ Delta ∇ nabla ∂ partial ∞ infty ℓ ell ℏ hbar ħ hbar ı imath ȷ jmath ℵ aleph ℘ wp ∅ emptyset ∠ angle
∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⨁ bigoplus ⨂ bigotimes ⨆ bigsqcup
⋁ bigvee ⋀ bigwedge
± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∙ bullet • bullet ∘ circ ∗ ast ⋆ star ★ bigstar ⊕ oplus ⊖ ominus ⊗ otimes
⊘ oslash ⊙ odot † dagger ‡ ddagger ∧ wedge ∨ vee ∩ cap ∪ cup ⊔ sqcup ⊓ sqcap ⨿ amalg ∖ setminus ≀ wr ⋄ diamond
≤ leq ≥ geq ⩽ leqslant ⩾ geqslant ≦ leqq ≧ geqq ≠ neq ≡ equiv ≈ approx ≊ approxeq ≃ simeq ≅ cong ∼ sim ∝ propto
≪ ll ≫ gg ≲ lesssim ≳ gtrsim ≺ prec ≻ succ ⪯ preceq ⪰ succeq ≐ doteq ≜ triangleq ≍ asymp ∥ parallel ⟂ perp ⊥ bot
⊤ top ∣ mid ∤ nmid ⊢ vdash ⊣ dashv ⊨ models ∈ in ∋ ni ∉ notin ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊊ subsetneq
⊄ nsubset ⊏ sqsubset ⊑ sqsubseteq ∀ forall ∃ exists ∄ nexists ¬ neg ∴ therefore ∵ because
→ rightarrow ← leftarrow ↔ leftrightarrow ↑ uparrow ↓ downarrow ↕ updownarrow ⇒ Rightarrow ⇐ Leftarrow
⇔ Leftrightarrow ⇑ Uparrow ⇓ Downarrow ⟶ longrightarrow ⟵ longleftarrow ⟷ longleftrightarrow ⟹ Longrightarrow
⟸ Longleftarrow ⟺ Longleftrightarrow ↦ mapsto ⟼ longmapsto ↪ hookrightarrow ↩ hookleftarrow ↠ twoheadrightarrow
⇢ dashrightarrow ⇀ rightharpoonup ⇌ rightleftharpoons ↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow ⇄ rightleftarrows
⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ‖ |
… ldots ⋯ cdots ⋮ vdots ⋱ ddots ′ prime ″ prime\\prime ‴ prime\\prime\\prime
□ square ■ blacksquare ∎ blacksquare △ triangle ♯ sharp ♭ flat ♮ natural § S ¶ P © copyright £ pounds
\\ backslash { { } } # # $ $ % % & & _ _
"""
SIGNS = dict(zip(_NAMED.split()[::2], ("\\" + name for name in _NAMED.split()[1::2]), strict=True)) | {
    "−": "-",
    "‐": "-",
    "–": "-",
    "^": "\\hat{}",
    "~": "\\sim",
    "\u00a0": "\\;",
    "\u2002": "\\;",
    "\u2003": "\\quad",
    "\u2009": "\\,",
    "\u2006": "\\,",
}
_INVISIBLE = frozenset("\u00ad\u200b\u2060\u2061\u2062\u2063\u2064\ufeff\ufe00")

FUNCTIONS = frozenset(
    [
        "arccos",
        "arcsin",
        "arctan",
        "arg",
        "cos",
        "cosh",
        "cot",
        "coth",
        "csc",
        "deg",
        "det",
        "dim",
        "exp",
        "gcd",
        "hom",
        "inf",
        "ker",
        "lg",
        "lim",
        "liminf",
        "limsup",
        "ln",
        "log",
        "max",
        "min",
        "Pr",
        "sec",
        "sin",
        "sinh",
        "sup",
        "tan",
        "tanh",
    ]
)
LIMITED = frozenset("∑∏∐⋃⋂⨁⨂⨆⋁⋀∫∬∭∮") | frozenset(
    ["lim", "liminf", "limsup", "max", "min", "sup", "inf", "argmax", "argmin", "det", "gcd", "Pr"]
)
"""Operators that carry their limits as scripts."""

OVER = {
    "¯": ("bar", "overline"),
    "‾": ("bar", "overline"),
    "ˉ": ("bar", "overline"),
    "\u0304": ("bar", "overline"),
    "\u0305": ("bar", "overline"),
    "―": ("bar", "overline"),
    "_": ("bar", "overline"),
    "^": ("hat", "widehat"),
    "ˆ": ("hat", "widehat"),
    "\u0302": ("hat", "widehat"),
    "~": ("tilde", "widetilde"),
    "˜": ("tilde", "widetilde"),
    "\u0303": ("tilde", "widetilde"),
    "∼": ("tilde", "widetilde"),
    "→": ("vec", "overrightarrow"),
    "⃗": ("vec", "overrightarrow"),
    "⇀": ("vec", "overrightarrow"),
    "←": ("overleftarrow", "overleftarrow"),
    "˙": ("dot", "dot"),
    ".": ("dot", "dot"),
    "\u0307": ("dot", "dot"),
    "¨": ("ddot", "ddot"),
    "\u0308": ("ddot", "ddot"),
    "..": ("ddot", "ddot"),
    "⃛": ("dddot", "dddot"),
    "˘": ("breve", "breve"),
    "ˇ": ("check", "check"),
    "´": ("acute", "acute"),
    "`": ("grave", "grave"),
    "⏞": ("overbrace", "overbrace"),
    "︷": ("overbrace", "overbrace"),
}
"""Accent above a letter, and the same one above more."""
UNDER = {
    "¯": "underline",
    "_": "underline",
    "\u0332": "underline",
    "―": "underline",
    "⏟": "underbrace",
    "︸": "underbrace",
    "→": "underrightarrow",
}

VARIANTS = {
    "bold": "mathbf",
    "bold-italic": "boldsymbol",
    "double-struck": "mathbb",
    "script": "mathcal",
    "bold-script": "mathcal",
    "fraktur": "mathfrak",
    "bold-fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
    "normal": "mathrm",
}
_ALPHABETS = {
    "BOLD": "mathbf",
    "BOLD ITALIC": "boldsymbol",
    "DOUBLE-STRUCK": "mathbb",
    "DOUBLE-STRUCK ITALIC": "mathbb",
    "SCRIPT": "mathcal",
    "BOLD SCRIPT": "mathcal",
    "FRAKTUR": "mathfrak",
    "BOLD FRAKTUR": "mathfrak",
    "BLACK-LETTER": "mathfrak",
    "SANS-SERIF": "mathsf",
    "SANS-SERIF BOLD": "mathsf",
    "MONOSPACE": "mathtt",
    "ITALIC": "",
}
_STYLED = re.compile(r"(?:MATHEMATICAL )?(.+?) (?:CAPITAL|SMALL|DIGIT|EPSILON|PARTIAL|NABLA|PI|THETA|PHI|KAPPA|RHO)\b")
_COMMAND = re.compile(r"\\[A-Za-z]+\Z")


def together(pieces: Iterable[str]) -> str:
    """Join TeX pieces, a command kept apart from a letter or digit that follows it."""
    parts: list[str] = []
    for piece in filter(None, pieces):
        if parts and piece[0].isascii() and piece[0].isalnum() and _COMMAND.search(parts[-1]):
            parts.append(" ")
        parts.append(piece)
    return "".join(parts)


def signs(text: str) -> str:
    """Return the signs of a text as TeX, one by one."""
    return together(map(_sign, text))


def _sign(sign: str) -> str:
    if sign in _INVISIBLE:
        return ""
    if sign.isascii() and sign.isalnum():
        return sign
    return SIGNS.get(sign) or _styled(sign)


def _styled(sign: str) -> str:
    """Write a letter of a mathematical alphabet as a command and the letter; any other sign as it is."""
    match = _STYLED.match(unicodedata.name(sign, ""))
    command = _ALPHABETS.get(match[1]) if match else None
    if command is None:
        return sign
    letter = unicodedata.normalize("NFKC", sign)
    letter = SIGNS.get(letter, letter)
    return f"\\{command}{{{letter}}}" if command else letter
