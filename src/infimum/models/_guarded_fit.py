"""A fit that fails leaves the model it found."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

__all__ = ["forget", "whole_or_not_at_all"]

Method = TypeVar("Method", bound=Callable[..., Any])


def whole_or_not_at_all(fit: Method) -> Method:
    """Leave a machine as it was when its fit fails: half a new model is none.

    A fit that was interrupted has kept a whole one.
    """

    @wraps(fit)
    def guarded(machine: Any, *given: Any, **named: Any) -> Any:
        before = dict(machine.__dict__)
        try:
            return fit(machine, *given, **named)
        except BaseException as failure:
            if getattr(failure, "estimator", None) is not machine:
                machine.__dict__ = before
            raise

    return guarded  # type: ignore[return-value]


def forget(machine: Any, *names: str) -> None:
    """Drop attributes of an earlier fit that the next one does not always write."""
    for name in names:
        vars(machine).pop(name, None)
