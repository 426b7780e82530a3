"""Guards of a fit: when it fails, the former model stays."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

from infimum.data.doors.streamed_rows import refuse_streamed

__all__ = ["forget", "unchanged_on_failure", "whole_or_not_at_all"]

Method = TypeVar("Method", bound=Callable[..., Any])


@contextmanager
def unchanged_on_failure(machine: Any) -> Iterator[None]:
    """Leave a machine as it was when its fit fails: half a new model is none.

    A fit that was interrupted has kept a whole one.
    """
    before = dict(machine.__dict__)
    try:
        yield
    except BaseException as failure:
        _take_back(machine, before, failure)
        raise


def whole_or_not_at_all(fit: Method) -> Method:
    """Leave a machine as it was when its method `fit` fails; refuse streamed rows.

    These bring their targets: a fit that asks for y would not even be called.
    """

    @wraps(fit)
    def guarded(machine: Any, *given: Any, **named: Any) -> Any:
        refuse_streamed(machine, given[0] if given else named.get("X"))
        before = dict(machine.__dict__)
        try:
            return fit(machine, *given, **named)
        except BaseException as failure:
            _take_back(machine, before, failure)
            raise

    return guarded  # type: ignore[return-value]


def _take_back(machine: Any, before: dict[str, Any], failure: BaseException) -> None:
    if getattr(failure, "estimator", None) is not machine:
        machine.__dict__ = before


def forget(machine: Any, *names: str) -> None:
    """Drop attributes of an earlier fit that the next one does not always write."""
    for name in names:
        vars(machine).pop(name, None)
