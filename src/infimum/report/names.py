"""Names of columns, classes and targets, formatted for titles and sentences."""

import re

__all__ = ["cut", "isolated", "quoted", "stage_words"]

_LONGEST = 60
#: Letters written from right to left, and what may stand between two of them.
_LETTER = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_RUN = re.compile(f"[{_LETTER}](?:[{_LETTER}\\s\\d._-]*[{_LETTER}])?")


#: What the stages of a job are called by those who wait for them.
_STAGES = {
    "read": "reading",
    "warm": "getting ready",
    "race": "race",
    "refit": "final fit",
    "prove": "proofs",
    "test": "test",
    "explain": "evidence",
}


def stage_words(name: str) -> str:
    """Return what a stage of a job is called; others keep their name.

    Examples
    --------
    >>> stage_words("warm"), stage_words("loading")
    ('getting ready', 'loading')
    """
    return _STAGES.get(name, name)


def cut(name: str, longest: int = _LONGEST) -> str:
    """Return a name of at most so many letters: the middle of a long one is left out.

    Both ends stay, since names of one family often differ there only.

    Examples
    --------
    >>> cut("size"), cut("consumption, part 1", 11)
    ('size', 'consu…art 1')
    """
    if len(name) <= longest:
        return name
    half = (longest - 1) // 2
    return f"{name[: longest - 1 - half]}…{name[len(name) - half :]}"


def quoted(name: str) -> str:
    """Return a name in quotes for a title, its middle left out if it is very long.

    Examples
    --------
    >>> quoted("size")
    '“size”'
    """
    return f"“{cut(name.strip())}”"


def isolated(text: str) -> str:
    """Mark off words that go from right to left, so that numbers keep their places.

    Without the marks a number after such a word would be shown before it.

    Examples
    --------
    >>> isolated("plain: 3") == "plain: 3"
    True
    >>> [hex(ord(each)) for each in isolated("\u05d0: 3")][:3]
    ['0x2068', '0x5d0', '0x2069']
    """
    return _RUN.sub(lambda found: f"\u2068{found[0]}\u2069", text)
