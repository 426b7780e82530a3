"""Which features may be met on one path through a tree."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from infimum.errors import InvalidParameterError
from infimum.parameters import Choice, check_domain

__all__ = ["interaction_sets"]


def interaction_sets(model: Any, d: int) -> list[set[int]] | None:
    """Return the sets of features that `interaction_cst` names; None for no limit.

    Features are named by position, or by name where the table had names. Those in none
    of the sets form one of their own.
    """
    given, owner = model.interaction_cst, f"{type(model).__name__}.interaction_cst"
    if given is None:
        return None
    if isinstance(given, str):
        known = {
            "no_interactions": [{j} for j in range(d)],
            "pairwise": [{i, j} for i in range(d) for j in range(i + 1, d)],
        }
        check_domain(owner, given, Choice(tuple(known)))
        given = known[given] or [{0}]
    names = {str(n): j for j, n in enumerate(getattr(model, "feature_names_in_", ()))}
    try:
        groups = [list(group) for group in given if not isinstance(group, str)]
        whole = len(groups) == len(given)
    except TypeError:
        whole = False
    if not whole:
        raise InvalidParameterError(
            f"{owner} must be 'pairwise', 'no_interactions' or a list of sets of "
            f"features, got {given!r}."
        )
    sets = [{_position(owner, each, names, d) for each in group} for group in groups]
    rest = set(range(d)).difference(*sets)
    return [*sets, rest] if rest else sets


def _position(owner: str, feature: Any, names: dict[str, int], d: int) -> int:
    """Return where a feature stands that is given by position or by name."""
    if isinstance(feature, str):
        if feature in names:
            return names[feature]
        told = f"the columns are {_some(names)}" if names else "the columns have none"
        raise InvalidParameterError(
            f"{owner} names the feature {feature!r}, but {told}; positions from 0 to "
            f"{d - 1} are understood always."
        )
    if not isinstance(feature, Integral) or not 0 <= int(feature) < d:
        raise InvalidParameterError(
            f"{owner} names feature {feature!r}, but there are 0 to {d - 1}."
        )
    return int(feature)


def _some(names: dict[str, int]) -> str:
    first = ", ".join(map(repr, list(names)[:5]))
    return f"{first}, ..." if len(names) > 5 else first  # noqa: PLR2004
