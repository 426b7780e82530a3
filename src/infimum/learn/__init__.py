"""Learning: a table in; a chosen, certified, documented model out.

The room itself can be called: ``infimum.learn("table.csv", target="y")``. Its names are
loaded on demand: whoever asks for a column that is not there need not wait for models.
"""

import sys
from typing import TYPE_CHECKING, Any

from infimum.lazy import load_on_demand

if TYPE_CHECKING:
    from infimum.learn.clock import Step
    from infimum.learn.learning import Recheck, learn, recheck
    from infimum.learn.prediction import predict_table, write_predictions
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

__getattr__ = load_on_demand(__name__)


class _CallableRoom(type(sys.modules[__name__])):  # type: ignore[misc]
    """The room and its main function share a name, so the room is callable."""

    def __call__(self, *args: Any, **kwargs: Any) -> "LearnResult":
        """Learn; see `infimum.learn.learn`."""
        from infimum.learn.learning import learn as job

        return job(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableRoom
