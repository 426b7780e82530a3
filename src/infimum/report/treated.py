"""What was done to the columns before a model saw them, in words by kind."""

from typing import Any

__all__ = ["treated"]

_LINEAR = {
    "numeric": "median where missing, then mean 0 and variance 1",
    "boolean": "0 or 1, the usual value where missing",
    "categorical": "a column a level; rare levels share one",
    "date": "year, season and hour on a circle, weekdays, trend",
    "text": "tf-idf of words and pairs",
}
_TREES = {
    "numeric": "as it is",
    "boolean": "0 or 1",
    "categorical": "codes by frequency; rare levels by their mean target",
    "date": "year, month, weekday, day, hour, trend",
    "text": "counts of frequent words, lengths",
}
_GROWN = ("boosting", "tree", "forest", "extra-trees", "quantile-forest")


def treated(result: dict[str, Any]) -> dict[str, str]:
    """Return what the chosen model was given of a column of each kind.

    Examples
    --------
    >>> treated({"choice": {"name": "ridge"}, "blend": None})["boolean"]
    '0 or 1, the usual value where missing'
    """
    name = result["choice"]["name"]
    if name != "blend":
        return _TREES if name in _GROWN else _LINEAR
    members = {each["name"] in _GROWN for each in result["blend"]["members"]}
    if len(members) == 1:
        return _TREES if members == {True} else _LINEAR
    return {
        kind: f"{words}; for trees {_TREES[kind]}" for kind, words in _LINEAR.items()
    }
