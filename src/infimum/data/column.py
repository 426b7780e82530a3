"""A column: its name, what kind of values it holds, and how complete it is."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Column", "ColumnKind"]


class ColumnKind(StrEnum):
    """What a column's values mean to a learner.

    ============= ==============================================================
    kind          rule, the first that applies
    ============= ==============================================================
    constant      nothing but missing values, or one value in every row
    boolean       truth values; 0 and 1; the words true/false, yes/no, y/n, t/f
    date          dates, with or without a time of day
    identifier    whole numbers, all distinct, under a name such as ``id``,
                  ``customer_id`` or ``index``; or 20 and more short strings of up to
                  three words, no two alike; or short strings, nearly all distinct,
                  under a name such as ``name``
    numeric       all other numbers, also codes with few distinct values
    text          strings of four words or 30 characters on average, mostly distinct
    categorical   all other strings, and whatever pandas or polars declares as such
    ============= ==============================================================
    """

    NUMERIC = "numeric"
    CATEGORICAL = "categorical"
    BOOLEAN = "boolean"
    DATE = "date"
    TEXT = "text"
    IDENTIFIER = "identifier"
    CONSTANT = "constant"


@dataclass(frozen=True)
class Column:
    """One column as the reader understood it.

    Attributes
    ----------
    name : str
        The name in the header.
    kind : ColumnKind
        What the values mean to a learner.
    missing : int
        How many rows have no value.
    distinct : int
        How many different values there are, missing ones not counted.
    note : str
        What a careful reader should know about it, or nothing.
    """

    name: str
    kind: ColumnKind
    missing: int
    distinct: int
    note: str = ""
