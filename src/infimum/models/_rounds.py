"""Rounds of a fit that scikit-learn's callbacks are told of."""

from typing import Any

__all__ = ["goes_on"]


def goes_on(model: Any, context: Any) -> bool:
    """Tell callbacks of a round that has ended; return whether to go on."""
    if not hasattr(model, "_skl_callbacks"):
        return True
    task = context.subcontext(task_name="iteration")
    task.call_on_fit_task_begin(estimator=model)
    return not task.call_on_fit_task_end(estimator=model)
