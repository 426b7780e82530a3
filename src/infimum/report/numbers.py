"""Numbers formatted for readers: few digits, true minus signs, units."""

import math

__all__ = ["count", "duration", "figure", "give", "percent", "power"]

_MINUTE = 60
#: A space that does not break, between a number and its unit.
_SPACE = "\u00a0"


def figure(value: float | None, digits: int = 3) -> str:
    """Write a number with so many significant digits; a dash for none."""
    if value is None or not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if not -4 <= size < 6:  # noqa: PLR2004
        return power(value, digits)
    places = max(digits - 1 - size, 0)
    return f"{value:,.{places}f}".replace("-", "−")


def power(value: float | None, digits: int = 2) -> str:
    """Write a number as a mantissa times a power of ten, in plain Unicode."""
    if value is None or not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{mantissa}{_SPACE}·{_SPACE}10{raised}".replace("-", "−")


def give(value: float | None, error: float | None) -> str:
    """Write a number no finer than its error allows: two digits of that.

    Examples
    --------
    >>> give(0.00093, 0.11), give(12.3456, 0.0213), give(-1234.5, 210.0)
    ('0.00', '12.346', '−1,234')
    """
    if not (value is not None and error and math.isfinite(value) and error < math.inf):
        return figure(value)
    size = math.floor(math.log10(abs(error)))
    if not -4 <= size < 6 or abs(value) >= 1e6:  # noqa: PLR2004
        return figure(value)
    text = f"{value:,.{max(1 - size, 0)}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.strip("-")


def percent(value: float | None, places: int = 1) -> str:
    """Write a share as a percentage."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{100 * value:.{places}f}{_SPACE}%"


def count(value: int) -> str:
    """Write a whole number with its thousands apart."""
    return f"{value:,}"


def duration(seconds: float) -> str:
    """Write a time in the unit that suits it."""
    if seconds < 1:
        return f"{1000 * seconds:.0f}{_SPACE}ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f}{_SPACE}s"
    return f"{seconds // _MINUTE:.0f}{_SPACE}min {seconds % _MINUTE:.0f}{_SPACE}s"
