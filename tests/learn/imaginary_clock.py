"""A clock that only fits move on, so that what hangs on the time can be repeated."""

import math
import sys

from infimum.learn.clock import TimeUpError
from infimum.limits import end_of_time
from infimum.models.linear import LogisticRegression, Ridge
from infimum.models.trees import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = ["CLOCK", "MODELS", "TimedTree", "imagine"]


class ImaginaryClock:
    """Seconds that pass when somebody says so; a fit that is late shows nothing."""

    def __init__(self):
        self.now = 0.0

    def read(self):
        return self.now

    def advance(self, seconds):
        end = end_of_time()
        if self.now + seconds > end:
            self.now = max(self.now, end)
            raise TimeUpError
        self.now += seconds


CLOCK = ImaginaryClock()


class _Timed:
    """A model whose fit takes `seconds` of the clock, more on many rows."""

    seconds, rows, more = 0.0, math.inf, 0.0

    def fit(self, X, y, sample_weight=None):
        CLOCK.advance(self.seconds + (self.more if len(y) > self.rows else 0.0))
        return super().fit(X, y, sample_weight)


class TimedLogistic(_Timed, LogisticRegression):
    """A logistic regression that takes its time."""


class TimedTree(_Timed, DecisionTreeClassifier):
    """A tree that takes its time."""


class TimedRidge(_Timed, Ridge):
    """A ridge regression that takes its time."""


class TimedRegressionTree(_Timed, DecisionTreeRegressor):
    """A tree for numbers that takes its time."""


MODELS = {
    "classifiers": (TimedLogistic, TimedTree),
    "regressors": (TimedRidge, TimedRegressionTree),
}


def imagine(patch):
    """Put the imaginary clock into all rooms of the job."""
    patch.setattr("time.perf_counter", CLOCK.read)
    for name, module in list(sys.modules.items()):
        if not name.startswith("infimum.learn"):
            continue
        if hasattr(module, "perf_counter"):
            patch.setattr(module, "perf_counter", CLOCK.read)
