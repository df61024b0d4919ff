"""British spellings and the American ones that the bank uses. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1`*\s*$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`[^`\n]+`")
_WORD = re.compile(r"[A-Za-z]+")

# "-ise" is British behind these stems only: "exercise" and "precise" have no other spelling.
_ISE_STEMS = """
    alphabet amort anonym apolog author binar canonical capital categor central character
    critic crystall custom decentral dequant desynchron diagonal digit discret econom emphas equal
    factor familiar featur final formal general global harmon hypothes ideal idol initial item jeopard
    latin legal linear local marginal material maxim memor mesmer minim mobil modern monet neutral normal
    optim organ orthogonal orthonormal parallel parametr patron penal personal popular prior private public
    quant random rational real recogn regular reinitial rematerial renormal reorgan sanit scrutin
    sensit serial social special stabil standard steril subsid summar symbol symmetr sympath
    synchron theor token trivial uninitial unnormal unquant unsynchron unauthor util vector verbal visual
"""
_ISE = re.compile(rf"({'|'.join(_ISE_STEMS.split())})is(e|es|ed|ing|er|ers|able|ation|ations|ational)", re.IGNORECASE)
_YSE = re.compile(r"(anal|catal|paral)ys(e|ed|er|ers|ing)", re.IGNORECASE)
_OUR_STEMS = (
    "arm behavi col demean endeav fav flav harb hon hum lab misbehavi neighb od parl rig rum sav spl tum val vap vig"
)
_OUR = re.compile(
    rf"({'|'.join(_OUR_STEMS.split())})our(s|ed|ing|able|ite|ites|al|hood|hoods|ful|less|er|ers|)", re.IGNORECASE
)
_DOUBLED = re.compile(
    r"((?:re|un|mis)?label|model|remodel|cancel|travel|channel|level|total|fuel|signal|marshal|dial|tunnel"
    r"|initial|equal|unravel|shovel|counsel|quarrel)l(ed|ing|er|ers)",
    re.IGNORECASE,
)
_RE_STEMS = "calib cent centimet fib kilomet lit lust mani meag met millimet nanomet sab spect theat"
_RE = re.compile(rf"({'|'.join(_RE_STEMS.split())})re(s|d|)", re.IGNORECASE)
_OTHERS = {
    "acknowledgement": "acknowledgment",
    "ageing": "aging",
    "aluminium": "aluminum",
    "amongst": "among",
    "artefact": "artifact",
    "artefacts": "artifacts",
    "burnt": "burned",
    "catalogue": "catalog",
    "catalogues": "catalogs",
    "centring": "centering",
    "cheque": "check",
    "cheques": "checks",
    "cosy": "cozy",
    "defence": "defense",
    "dreamt": "dreamed",
    "enrol": "enroll",
    "focussed": "focused",
    "focussing": "focusing",
    "fulfil": "fulfill",
    "fulfils": "fulfills",
    "grey": "gray",
    "greys": "grays",
    "instalment": "installment",
    "judgement": "judgment",
    "judgements": "judgments",
    "kerb": "curb",
    "leant": "leaned",
    "learnt": "learned",
    "licence": "license",
    "licences": "licenses",
    "manoeuvre": "maneuver",
    "maths": "math",
    "misjudgement": "misjudgment",
    "mould": "mold",
    "moulds": "molds",
    "offence": "offense",
    "orientated": "oriented",
    "plough": "plow",
    "practise": "practice",
    "practised": "practiced",
    "practises": "practices",
    "practising": "practicing",
    "pretence": "pretense",
    "programme": "program",
    "programmes": "programs",
    "sceptic": "skeptic",
    "sceptical": "skeptical",
    "scepticism": "skepticism",
    "skilful": "skillful",
    "spelt": "spelled",
    "spilt": "spilled",
    "spoilt": "spoiled",
    "storey": "story",
    "storeys": "stories",
    "towards": "toward",
    "tyre": "tire",
    "tyres": "tires",
    "unlearnt": "unlearned",
    "whilst": "while",
}


def american(word: str) -> str:
    """A word of letters as an American spells it, in the case it came in; most words stay as they are."""
    lower = word.lower()
    if lower in _OTHERS:
        return _OTHERS[lower].capitalize() if word[0].isupper() else _OTHERS[lower]
    for pattern, spelled in ((_ISE, r"\1iz\2"), (_YSE, r"\1yz\2"), (_OUR, r"\1or\2"), (_DOUBLED, r"\1\2")):
        if match := pattern.fullmatch(word):
            return match.expand(spelled)
    if match := _RE.fullmatch(word):
        return f"{match[1]}er{'ed' if match[2].lower() == 'd' else match[2]}"
    return word


def american_text(text: str) -> str:
    """A text with every word spelled as an American spells it: equal for two texts that differ in spelling alone."""
    return _WORD.sub(lambda word: american(word[0]), text)


def british(text: str) -> Iterator[str]:
    """The words of a text, code in fences and backticks left out, that an American spells otherwise, each once."""
    prose = _INLINE.sub(" ", _FENCE.sub(" ", text))
    for word in dict.fromkeys(_WORD.findall(prose)):
        if american(word) != word:
            yield word
