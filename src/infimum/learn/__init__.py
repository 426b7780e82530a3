"""Learning: a table in; a chosen, certified, documented model out.

The room itself can be called: ``infimum.learn("table.csv", target="y")``.
"""

import sys
from types import ModuleType
from typing import Any

from infimum.learn.learning import learn
from infimum.learn.prediction import predict_table, write_predictions
from infimum.learn.race import Step
from infimum.learn.recheck import Recheck, recheck
from infimum.learn.result import LearnResult, read_result

__all__ = [
    "LearnResult",
    "Recheck",
    "Step",
    "learn",
    "predict_table",
    "read_result",
    "recheck",
    "write_predictions",
]


class _CallableRoom(ModuleType):
    """The room and its main function share a name, so the room is callable."""

    def __call__(self, *args: Any, **kwargs: Any) -> LearnResult:
        """Learn; see `infimum.learn.learn`."""
        return learn(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableRoom
