"""Dates written in the usual ways, recognised only if every value is one."""

from typing import NamedTuple

import polars as pl

__all__ = ["Dates", "as_dates"]

#: The shape of a date, and how to read it; the first reading that fits is taken.
_DAYS = (
    (r"\d{4}-\d{1,2}-\d{1,2}", ("%Y-%m-%d",)),
    (r"\d{4}/\d{1,2}/\d{1,2}", ("%Y/%m/%d",)),
    (r"\d{1,2}\.\d{1,2}\.\d{4}", ("%d.%m.%Y",)),
    (r"\d{1,2}/\d{1,2}/\d{4}", ("%d/%m/%Y", "%m/%d/%Y")),
    (r"\d{1,2}-\d{1,2}-\d{4}", ("%d-%m-%Y", "%m-%d-%Y")),
    (r"\d{1,2} [A-Za-z]{3,9} \d{4}", ("%d %b %Y", "%d %B %Y")),
    (r"\d{1,2}-[A-Za-z]{3,9}-\d{4}", ("%d-%b-%Y", "%d-%B-%Y")),
    (r"[A-Za-z]{3,9} \d{1,2}, \d{4}", ("%b %d, %Y", "%B %d, %Y")),
)
#: Months and weeks of ISO 8601 stand for their first day, which is added to read them.
_SPANS = (
    (r"^\d{4}-(?:0[1-9]|1[0-2])$", "-01", "%Y-%m-%d"),
    (r"^\d{4}-W\d{2}$", "-1", "%G-W%V-%u"),
)
#: The shape of a time of day after it; a T between the two is read as a space.
_TIMES = (
    ("", ""),
    (r" \d{1,2}:\d{2}", " %H:%M"),
    (r" \d{1,2}:\d{2} [AaPp][Mm]", " %I:%M %p"),
    (r" \d{1,2}:\d{2}:\d{2} [AaPp][Mm]", " %I:%M:%S %p"),
    (r" \d{1,2}:\d{2}(?:Z|[+-]\d{2}:?\d{2})", " %H:%M%#z"),
    (r" \d{1,2}:\d{2}:\d{2}", " %H:%M:%S"),
    (r" \d{1,2}:\d{2}:\d{2}(?:\.\d+)?", " %H:%M:%S%.f"),
    (r" \d{1,2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})", " %H:%M:%S%.f%#z"),
)
#: So many values are looked at before the whole column is read.
_GLANCE = 64


class Dates(NamedTuple):
    """A column of dates, and a doubt about the order of day and month if any."""

    values: pl.Series
    note: str = ""


def as_dates(words: pl.Series) -> Dates | None:
    """Return the words as dates if all of them are dates of one shape, else nothing."""
    glance = words.drop_nulls().head(_GLANCE)
    if not len(glance) or not glance.str.contains(r"\d{4}").all():
        return None
    for shape, first_day, written in _SPANS:
        if _matches(words, shape):
            return _read(words + first_day, [written])
    if words.str.contains(r"\d[T ]\d").any():
        words = words.str.replace(r"(\d)T(\d)", "${1} ${2}")
    for day, day_formats in _DAYS:
        for time, time_format in _TIMES:
            if _matches(words, f"^{day}{time}$"):
                return _read(words, [day + time_format for day in day_formats])
    return None


def _matches(words: pl.Series, shape: str) -> bool:
    # A glance rules out almost every column before the costly look at all of it.
    return bool(
        words.drop_nulls().head(_GLANCE).str.contains(shape).all()
        and words.str.contains(shape).all()
    )


def _read(words: pl.Series, formats: list[str]) -> Dates | None:
    """Read by the first format that leaves no value out; say if a second would too."""
    readings = [_by_format(words, each) for each in formats]
    complete = [each for each in readings if each.null_count() == words.null_count()]
    if not complete:
        return None
    torn = len(complete) > 1 and not complete[0].equals(complete[1])
    return Dates(complete[0], "is read as day before month" if torn else "")


def _by_format(words: pl.Series, written: str) -> pl.Series:
    if "%M" not in written:
        return words.str.to_date(written, strict=False)
    zone = "UTC" if "%#z" in written else None
    moments = words.str.to_datetime(
        written, time_unit="us", time_zone=zone, strict=False
    )
    return moments.dt.replace_time_zone(None)
