"""The parts of a date that a model can learn from: season, week, hour and trend."""

import numpy as np

from infimum.typing import Vector

__all__ = ["calendar_parts", "linear_parts"]

_WEEK = (
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
)
_YEAR_DAYS, _DAY_HOURS = 365.25, 24.0


def calendar_parts(days: Vector, first: float) -> dict[str, Vector]:
    """Return the parts by name from days since 1970; NaN gives NaN.

    The last part is the trend: days since `first`, fractions of a day included.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.features.date_parts import calendar_parts
    >>> parts = calendar_parts(np.array([0.75]), 0.0)
    >>> {name: float(value[0]) for name, value in parts.items()}
    ... # doctest: +NORMALIZE_WHITESPACE
    {'year': 1970.0, 'month': 1.0, 'weekday': 4.0, 'day of year': 1.0, 'hour': 18.0,
     'days since first': 0.75}
    """
    known = np.isfinite(days)
    whole = np.floor(np.where(known, days, 0))
    dates = whole.astype("datetime64[D]")
    years = dates.astype("datetime64[Y]")
    parts = {
        "year": years.astype(float) + 1970,
        "month": dates.astype("datetime64[M]").astype(int) % 12 + 1.0,
        # 1 January 1970 was a Thursday, the fourth day of the week.
        "weekday": (whole + 3) % 7 + 1.0,
        "day of year": (dates - years.astype("datetime64[D]")).astype(float) + 1.0,
        "hour": (np.where(known, days, 0) - whole) * _DAY_HOURS,
        "days since first": np.where(known, days, 0) - first,
    }
    return {name: np.where(known, part, np.nan) for name, part in parts.items()}


def linear_parts(days: Vector, first: float) -> dict[str, Vector]:
    """Return the parts as a linear model can use them.

    Season and hour are points on a circle, so that December is near January; every day
    of the week has a column of its own.
    """
    parts = calendar_parts(days, first)
    season = 2 * np.pi * (parts["day of year"] - 1) / _YEAR_DAYS
    hour = 2 * np.pi * parts["hour"] / _DAY_HOURS
    week = {
        f"is {name}": np.where(
            np.isnan(days), np.nan, (parts["weekday"] == place + 1).astype(float)
        )
        for place, name in enumerate(_WEEK)
    }
    return {
        "year": parts["year"],
        "month": parts["month"],
        "season (sine)": np.sin(season),
        "season (cosine)": np.cos(season),
        **week,
        "hour (sine)": np.sin(hour),
        "hour (cosine)": np.cos(hour),
        "days since first": parts["days since first"],
    }
