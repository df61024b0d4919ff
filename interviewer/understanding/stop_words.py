"""Words that say nothing about a subject."""

from __future__ import annotations

import re
from collections.abc import Collection

EMPTY = frozenset(
    re.findall(
        r"\S+",
        """
    a about above actually after again all also always am an and any anything are around as at bad be because
    been before being best better between big bit both but by can case cases certain come comes could depend
    depends did different do does doing don't done down each easier easy else enough etc even every everything
    fine first for from general generally get gets give go goes going good got great had hard has have having he
    help helps her here him his how i i'd i'll i'm i've if important in improve improves in into is isn't it
    it's its itself just kind know known less like little look looks lot lots make makes many matter matters may
    maybe me mean means might more most much must my need needs never nice no normal normally not nothing now of
    off often okay on one only or other others our out over own part perhaps place possible pretty probably
    problem problems put quite rather real really right said same say see seem seems should simple so some
    somehow something sometimes sort standard still stuff such sure take takes than that that's the their them
    then there there's these they thing things think this those through time to too try typically under up us
    use used useful usually various very want wants was way ways we well were what when where whether which
    while who why will with without work works would yes you you'd your
    """,
    )
)

STEM = 5
"""Letters by which words count as the same, whatever their endings."""


_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")
_NOT = re.compile(r"n['’]t$")


def stems(text: str, without: Collection[str] = EMPTY) -> frozenset[str]:
    """The words that a text is about, by their first letters, so that endings don't count.

    No text is about the pieces of a contraction: "doesn't" and "that's" are no words of a subject.
    """
    words = (word.replace("’", "'") for word in _WORD.findall(text.lower()) if not _NOT.search(word))
    bare = (word.split("'")[0] for word in words if word not in without)
    return frozenset(word[:STEM] for word in bare if word not in without)
