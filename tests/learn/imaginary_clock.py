"""A clock that only fits move on, so that what hangs on the time can be repeated."""

import math
import sys
from contextlib import contextmanager

from infimum.learn.stopping import TimeUpError
from infimum.models.linear import LogisticRegression, Ridge
from infimum.models.trees import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = ["CLOCK", "MODELS", "TimedTree", "imagine"]


class ImaginaryClock:
    """Seconds that pass when somebody says so; an alarm may cut them short."""

    def __init__(self):
        self.now, self.ring = 0.0, math.inf

    def read(self):
        return self.now

    def advance(self, seconds):
        if self.now + seconds > self.ring:
            self.now = max(self.now, self.ring)
            raise TimeUpError
        self.now += seconds

    @contextmanager
    def alarm(self, deadline, ring=TimeUpError, *, unless=None):
        if math.isfinite(self.ring):  # somebody else has set it
            yield
            return
        self.ring = deadline
        try:
            yield
        except TimeUpError:
            raise ring from None
        finally:
            self.ring = math.inf


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
        # Elsewhere than at home it is the function, not the module of that name.
        if name != "infimum.learn.stopping" and callable(
            getattr(module, "alarm", None)
        ):
            patch.setattr(module, "alarm", CLOCK.alarm)
        if hasattr(module, "perf_counter"):
            patch.setattr(module, "perf_counter", CLOCK.read)
