"""Exact Shapley values of a committee: they are as linear as its answer."""

from collections.abc import Callable
from typing import Any

import numpy as np

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
    probability of a mean of scores.
    """
    last = last_step(model)
    members = list(getattr(last, "estimators_", ()))
    if background is None or not _pipelines(members):
        return None
    shares = _shares(last, len(members))
    if shares is None:
        return None
    parts = []
    for member in members:
        part = explain(member, X, background, target=target)
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


def _pipelines(members: list[Any]) -> bool:
    return bool(members) and all(hasattr(each, "steps") for each in members)


def _shares(model: Any, count: int) -> Vector | None:
    weights = getattr(model, "weights", None)
    shares = np.ones(count) if weights is None else np.asarray(weights, dtype=float)
    if shares.shape != (count,) or not shares.sum() > 0:
        return None
    return np.asarray(shares / shares.sum())
