"""The final fit in time: who cannot make it leaves its place to somebody faster."""

import math
import time
from collections.abc import Sequence
from typing import NamedTuple

from infimum.learn.alarm import TimeUpError
from infimum.learn.choosing import Standing, choose
from infimum.learn.problem import Problem
from infimum.learn.refit import Refit, refit
from infimum.learn.result import Choice
from infimum.learn.scoring import Criterion

__all__ = ["FinalFit", "choose_and_fit", "pace"]

#: A fit on all rows may take so many times what one on a fold took, and some seconds,
#: even if the time is up: a job owes a model.
_OWED, _GRACE = 3.0, 5.0
#: Who takes the place of somebody too slow must have been so many times as fast.
_FASTER = 2.0


class FinalFit(NamedTuple):
    """What was chosen, how it had done in the race, and its fit on all rows."""

    choice: Choice
    standing: Standing
    refit: Refit


def choose_and_fit(
    problem: Problem,
    standing: Sequence[Standing],
    criterion: Criterion,
    *,
    deadline: float,
    latest: float = math.inf,
) -> FinalFit:
    """Choose a contender and fit it on all training rows by the `latest` moment.

    A fit that takes longer is stopped, and the choice is made again among those that
    were at least twice as fast on the folds; if there are none, it is waited for.
    """
    left, slow = tuple(standing), ""
    while True:
        choice, place = choose(left, criterion)
        each = left[place]
        faster = tuple(other for other in left if _FASTER * pace(other) < pace(each))
        owed = time.perf_counter() + _OWED * pace(each) + _GRACE
        end = max(latest, owed) if faster else math.inf
        try:
            final = refit(problem, each, choice, deadline=deadline, latest=end)
        except TimeUpError:
            left, slow = faster, slow or choice.label
            continue
        return FinalFit(choice, each, _noting(final, slow))


def pace(standing: Standing) -> float:
    """Return the seconds that a contender took for a fit on a fold."""
    return standing.heat.seconds / max(standing.heat.fits, 1)


def _noting(final: Refit, slow: str) -> Refit:
    if not slow:
        return final
    sentence = (
        f"{slow} was chosen, but could not be fitted to all rows in the time given; "
        "the best of those that are faster was taken instead."
    )
    return final._replace(warnings=(sentence, *final.warnings))
