"""Exact Shapley values of a committee: they are as linear as its answer."""

from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.explanation._encoding import last_step
from infimum.explanation.attribution import Attribution
from infimum.typing import Vector

__all__ = ["vote_attribution"]

#: Scales on which the answers of members are averaged.
_AVERAGED = {True: "probability", False: "prediction"}


def vote_attribution(
    model: Any,
    X: Any,
    background: Any,
    *,
    target: Any = None,
    explain: Callable[..., Attribution | None],
) -> Attribution | None:
    """Average the attributions of members that each have an encoder of their own.

    None unless there is a background for all of them and each is explained exactly, on
    the scale on which the committee averages: a mean of probabilities is not the
    probability of a mean of scores. Members whose verdicts are counted, weighed by
    another model or boosted are not averaged at all.
    """
    last = last_step(model)
    members = list(getattr(last, "estimators_", ()))
    if background is None or not (_averages(last) and _pipelines(members)):
        return None
    shares = _shares(last, len(members))
    if shares is None:
        return None
    parts = []
    for member in members:
        own = _own_label(last, member, target)
        part = explain(member, X, background, target=own)
        if part is None or part.response != _AVERAGED[hasattr(last, "classes_")]:
            return None
        parts.append(part)
    names = tuple(dict.fromkeys(name for part in parts for name in part.names))
    values = np.zeros((len(parts[0].answers), len(names)))
    for share, part in zip(shares, parts, strict=True):
        values[:, [names.index(name) for name in part.names]] += share * part.values
    return Attribution(
        names=names,
        base=float(sum(s * p.base for s, p in zip(shares, parts, strict=True))),
        values=values,
        errors=np.zeros_like(values),
        answers=sum(s * p.answers for s, p in zip(shares, parts, strict=True)),
        response=parts[0].response,
        method="members",
    )


def _averages(model: Any) -> bool:
    """Whether answers are averages, which only votes have weights for."""
    return hasattr(model, "weights") and getattr(model, "voting", "soft") == "soft"


def _own_label(model: Any, member: Any, target: Any) -> Any:
    """Return how a member calls a class: votes may have numbered them."""
    if target is None or not hasattr(model, "classes_"):
        return None
    places = np.flatnonzero(np.asarray(model.classes_) == target)
    if len(places) != 1:
        known = ", ".join(repr(label) for label in model.classes_.tolist())
        raise DataError(f"The model's classes are {known}, not {target!r}.")
    return np.asarray(member.classes_)[places[0]]


def _pipelines(members: list[Any]) -> bool:
    return bool(members) and all(hasattr(each, "steps") for each in members)


def _shares(model: Any, count: int) -> Vector | None:
    weights = getattr(model, "weights", None)
    shares = np.ones(count) if weights is None else np.asarray(weights, dtype=float)
    if shares.shape != (count,) or not shares.sum() > 0:
        return None
    return np.asarray(shares / shares.sum())
