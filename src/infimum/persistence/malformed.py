"""The error that the readers of this room raise before the path of a file is known."""

__all__ = ["Malformed", "quote"]

LONGEST_QUOTE = 80


class Malformed(Exception):  # noqa: N818
    """The reason why a file cannot be trusted, as a clause without a full stop."""


def quote(value: object) -> str:
    """Return `value` as it may be shown: escaped, and short however long it is."""
    text = value if isinstance(value, str) else repr(value)
    return repr(text[:LONGEST_QUOTE] + ("…" if len(text) > LONGEST_QUOTE else ""))
