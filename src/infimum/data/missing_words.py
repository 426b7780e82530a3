"""Words that stand for a missing value."""

from collections.abc import Iterable

__all__ = ["MISSING_WORDS", "read_as_missing"]

#: What people and spreadsheets write for "no value", in lower case.
MISSING_WORDS = frozenset(
    {"", "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "nat", "null", "none", "?", "."}
    | {"-", "--", "---", "–", "—"}
    | {"#value!", "#div/0!", "#ref!", "#name?", "#num!", "#null!"}
)


def read_as_missing(gaps: Iterable[str]) -> str:
    """Say which word with letters counts as missing, or nothing if none does."""
    named = sorted(gap.strip() for gap in gaps if any(map(str.isalpha, gap)))
    return f"has {named[0]!r}, which is read as missing" if named else ""
