"""Numbers with units, currency signs and thousands separators."""

import polars as pl

__all__ = ["parse_formatted"]

_UNIT = r"[%$€£¥]"
_BARE = r"[+-]?\d[\d.,'’\u00a0\u202f ]*"
#: One unit, before or after the number; a sign may stand before either.
_SHAPE = rf"^[+-]?{_UNIT}\s?{_BARE}$|^{_BARE}\s?{_UNIT}$|^{_BARE}$"
_GAPS = r"['’\u00a0\u202f ]"
#: A code, such as 007, is no number.
_WHOLE = r"[+-]?(?:0|[1-9]\d*)"
_ENGLISH = rf"^(?:{_WHOLE}|[+-]?[1-9]\d{{0,2}}(?:,\d{{3}})+)(?:\.\d+)?$"
_EUROPEAN = rf"^(?:{_WHOLE}|[+-]?[1-9]\d{{0,2}}(?:\.\d{{3}})+)(?:,\d+)?$"
_SPACED = rf"^[+-]?[1-9]\d{{0,2}}(?:{_GAPS}\d{{3}})+(?:[.,]\d+)?$"


def parse_formatted(words: pl.Series) -> pl.Series | None:
    """Return the numbers that all words mean, or nothing if that is not clear.

    All must have the same unit, or none; the signs between thousands and before
    decimals must allow one reading only.

    Examples
    --------
    >>> import polars as pl
    >>> from infimum.data.formatted_numbers import parse_formatted
    >>> parse_formatted(pl.Series(["$1,200", "$15", "$3.50"])).to_list()
    [1200.0, 15.0, 3.5]
    >>> parse_formatted(pl.Series(["1.200 €", "3,50 €"])).to_list()
    [1200.0, 3.5]
    >>> parse_formatted(pl.Series(["1,200", "2,750"])) is None
    True
    """
    known = words.drop_nulls()
    if not len(known) or not known.head(1).str.contains(_SHAPE).all():
        return None
    # Plain digits are numbers or codes, which is for others to say.
    plain = not known.cast(pl.Float64, strict=False).null_count()
    if plain or not known.str.contains(_SHAPE).all():
        return None
    units = known.str.extract(rf"({_UNIT})")
    if units.n_unique() > 1:
        return None
    bare = words.str.replace_all(rf"{_UNIT}|^\s+|\s+$", "").str.strip_chars()
    return _read(bare, sure=not units.is_null().all())


def _read(bare: pl.Series, *, sure: bool) -> pl.Series | None:
    """Read numbers without their units; if those are `sure` that they are numbers."""
    if bare.str.contains(_GAPS).any():
        parted = bare.filter(bare.str.contains(_GAPS))
        sure = sure or bool(parted.str.contains(r"['’.,]").any())
        if not sure or not parted.str.contains(_SPACED).all():
            return None
        bare = bare.str.replace_all(_GAPS, "")
    thousands = bare.str.replace_all(",", "", literal=True)
    decimals = bare.str.replace_all(".", "", literal=True)
    decimals = decimals.str.replace(",", ".", literal=True)
    if not bare.str.contains(_EUROPEAN).all():
        english = bool(bare.str.contains(_ENGLISH).all())
        return thousands.cast(pl.Float64) if english else None
    if bare.str.contains(_ENGLISH).all():
        return decimals.cast(pl.Float64) if thousands.equals(decimals) else None
    # Without unit and thousands, 1,5 may as well be a list of 1 and 5.
    sure = sure or bool(bare.str.contains(".", literal=True).any())
    return decimals.cast(pl.Float64) if sure else None
