"""The nearest known name, and the gist of an error, for messages."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean", "first_line", "nearest", "nearest_file", "quoted"]

#: So many characters of a cell are shown in a message.
_SHOWN = 80
#: How alike two names of files are that differ by a letter or two.
_TYPING_ERROR = 0.8
#: And so many of the message of a stranger.
_LONGEST_LINE = 160


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word closest to `word`, or nothing if none is close."""
    spelled = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(word.casefold(), spelled, n=1, cutoff=0.6)
    return spelled[close[0]] if close else None


def nearest_file(name: str, beside: Iterable[str]) -> str | None:
    """Return the file whose name differs by a typing error or its ending, or nothing.

    Examples
    --------
    >>> nearest_file("hotel_test.csv", ["hpc_test.csv"])
    >>> nearest_file("hotl_test.csv", ["hotel_test.csv"])
    'hotel_test.csv'
    """
    stems = {_stem(each): each for each in beside}
    close = get_close_matches(_stem(name), stems, n=1, cutoff=_TYPING_ERROR)
    return stems[close[0]] if close else None


def _stem(name: str) -> str:
    return name.casefold().partition(".")[0] or name


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that proposes the nearest word, or a full stop."""
    guess = nearest(word, known)
    return f"; did you mean {quoted(guess)}?" if guess else "."


def quoted(cell: object) -> str:
    """Return a cell as it stands between quotes, of a long one the beginning."""
    if isinstance(cell, str | bytes):
        cell = cell[: _SHOWN + 1]
    said = repr(cell)
    return said if len(said) <= _SHOWN else f"{said[: _SHOWN - 2]}…{said[-1]}"


def first_line(error: BaseException) -> str:
    """Return the first line of a foreign error's message, without a full stop."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:_LONGEST_LINE].rstrip(".")
