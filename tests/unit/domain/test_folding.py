"""Words as people type them, wherever and however they stand in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.domain.folding import fold, normalise, traced

SPELLINGS = {
    "CO2": (
        "CO~2~",
        "CO₂",
        "CO<sub>2</sub>",
        "$\\mathrm{CO}_2$",
        "CO$_2$",
        "$CO_{2}$",
        "$\\mathrm{CO_{2}}$",
        "**CO**~2~",
    ),
    "H2O2": ("H~2~O~2~", "H₂O₂", "$H_2O_2$", "H$_2$O$_2$", "H<sub>2</sub>O<sub>2</sub>"),
    "Ca2": ("Ca^2+^", "Ca²⁺", "Ca$^{2+}$", "Ca<sup>2+</sup>"),
    "IC50": ("IC~50~", "*IC*~50~", "IC₅₀", "$IC_{50}$", "IC<sub>50</sub>"),
    "Vmax": ("V~max~", "*V*~max~", "$V_{max}$", "$V_{\\mathrm{max}}$", "V<sub>max</sub>"),
    "Km": ("K~m~", "*K*~m~", "$K_m$", "𝐾ₘ"),
    "13C": ("^13^C", "¹³C", "$^{13}$C", "$^{13}\\mathrm{C}$", "<sup>13</sup>C"),
    "p53": ("*p*53", "**p**53", "_p_53", "p<sub>53</sub>", "<i>p</i>53"),
    "BRCA1": ("*BRCA*1", "BRCA<b>1</b>", "*BRCA1*"),
    "Treg": ("T~reg~", "T<sub>reg</sub>", "$T_{reg}$"),
    "FEV1": ("FEV~1~", "FEV₁"),
    "NOx": ("**NO**~x~", "NO~x~", "NOₓ", "*NO*~*x*~"),
    "HbA1c": ("HbA~1c~", "HbA<sub>1c</sub>", "HbA~1~c"),
    "PM2": ("PM~2.5~", "PM₂.₅"),
    "beta2": ("β~2~-microglobulin", "β₂", "$\\beta_2$", "𝛽₂", "TGF-*β*2", "beta2"),
    "TGF-beta1": ("TGF-β1", "TGF-β~1~"),
    "kappaB": ("NF-κB", "NF-κ*B*"),
    "mum": ("5 µm", "5 μm"),
    "alpha": ("α", "ά", "𝛼", "α\u0301"),
    "Lodz": ("Lodz", "Łodz"),
    "oresund": ("øresund",),
    "strasse": ("straße",),
    "aether": ("æther",),
    "find": ("ﬁnd", "ｆｉｎｄ", "𝐟𝐢𝐧𝐝", "fi\u00adnd", "fi\u00ad\nnd", "fi\u2060nd"),
    "international": ("inter-\nnational", "inter\u00adnational", "inter\u00ad\nnational"),
    "disease": (
        "disease^1^",
        "disease^1,2^",
        "disease^3–5^",
        "disease<sup>4</sup>",
        "disease¹",
        "disease²,³",
        "disease^a^",
    ),
    "m2": ("m^2^", "m²", "m<sup>2</sup>"),
    "snakecase": ("snake_case",),
    "λογοσ": ("λόγος",),
}


def words(text: str) -> set[str]:
    """What stands between spaces and signs."""
    return set("".join(sign if sign.isalnum() or sign == "-" else " " for sign in text).casefold().split())


@pytest.mark.parametrize(("typed", "written"), [(typed, each) for typed, all_ in SPELLINGS.items() for each in all_])
def test_a_word_is_known_by_its_plain_spelling(typed, written):
    """In a text, and where a person pastes what stands there."""
    for text in (written, f"Of {written} it is said.", f"({written})"):
        found = words(fold(text))
        assert typed.casefold() in found | {part for word in found for part in word.split("-")}
    assert typed.casefold() in normalise(written).casefold() or "\n" in written or typed == "international"


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("CO~2~", {"co", "2"}),
        ("*p*53", {"p", "53"}),
        ("snake_case", {"snake", "case"}),
        ("inter-\nnational", {"inter-"}),
    ],
)
def test_the_parted_spelling_is_known_as_well(written, parts):
    """Who reads a word as two finds it by either."""
    assert parts <= words(fold(written))


@pytest.mark.parametrize(
    ("written", "apart"),
    [
        ("10^9^", "109"),
        ("10⁹", "109"),
        ("Foo™", "footm"),
        ("effect^1^", "effect1"),
        ("well-known", "wellknown"),
        ("end. ~Begin", "endbegin"),
        ("a * b", "ab"),
        ("*one* *two*", "onetwo"),
        ("text[^1]", "text1"),
    ],
)
def test_what_is_no_word_does_not_become_one(written, apart):
    """Powers, signs of trade, numbers of references, and emphasis beside a space."""
    assert apart not in words(fold(written))


def test_weights_are_no_part_of_a_word():
    """Other engines read them so; a power behind a symbol is one."""
    assert [normalise(text) for text in ("positions^2", "roam~2", "roam~0.8 x", "x^2", "p53*")] == [
        "positions",
        "roam",
        "roam x",
        "x2",
        "p53*",
    ]


@pytest.mark.parametrize(
    ("typed", "words"),
    {
        "title:attention": "attention",
        "title: attention": "attention",
        'author:vaswani title:"multi-head"': 'vaswani "multi-head"',
        "attention[ti] AND vaswani[au]": "attention AND vaswani",
        "asthma [MeSH Terms]": "asthma",
        '"heart attack"[Title/Abstract]': '"heart attack"',
        "year:2023 (tiab:mice OR ti:rats)": "2023 (mice OR rats)",
        "Learning from text: a survey": "Learning from text: a survey",
        "see https://doi.org/10.1000/title:x": "see https://doi.org/10.1000/title:x",
        "heading:results": "heading:results",
        "text[^1] and a[1]": "text[^1] and a[1]",
    }.items(),
)
def test_fields_of_other_engines_are_left_out(typed, words):
    """Their words stay; a colon of a title and the columns of our own index are something else."""
    assert normalise(typed) == words


_TEXT = st.text(st.sampled_from("aB1éβłßﬁ₂²𝑥\u00ad\u0301*~^_${}\\<sub>/ \n-.,·注"), max_size=60)


@given(_TEXT)
def test_every_letter_knows_where_it_came_from(text):
    """Origins are within the text, in its order up to what stands behind it, and plain letters are their own."""
    folded = traced(text)
    assert folded.text == fold(text) and len(folded.origins) == len(folded.text)
    assert all(0 <= place < len(text) for place in folded.origins)
    for sign, place in zip(folded.text, folded.origins, strict=True):
        assert not (sign.isascii() and sign.isalnum() and text[place].isascii() and text[place].isalnum()) or (
            sign == text[place] or "-\n" in text
        )


@given(_TEXT)
def test_no_plain_letter_is_lost(text):
    """But for numbers of references, and commands of TeX."""
    kept = [sign for sign in fold(text) if sign.isalpha()]
    assert len(kept) >= sum(sign.isalpha() for sign in text if sign not in "subp1\\") - text.count("^") - text.count(
        "<"
    )


@given(_TEXT)
def test_a_query_is_folded_once_for_all(text):
    """What was folded stays as it is."""
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize("part", ["a*", "αβγ ", "a-\n", "abcd^", "abcd<sup>", "1,", "\u0301", "\u00ad \n", "\\mathrm "])
def test_long_texts_take_as_long_as_they_are(part):
    """A megabyte of anything, which would not end if a pattern began anew at every character."""
    text = part * (2**20 // len(part))
    assert len(fold(text)) <= 6 * len(text)
