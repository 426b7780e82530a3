"""Guards of a fit: when it fails, the former model stays."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from math import prod
from typing import Any, TypeVar

import numpy as np

from infimum.compiled.threads import one_blas_thread
from infimum.data.doors.streamed_rows import refuse_streamed

__all__ = [
    "FEW_ENTRIES",
    "forget",
    "one_thread_if_quick",
    "unchanged_on_failure",
    "whole_or_not_at_all",
]

Method = TypeVar("Method", bound=Callable[..., Any])
#: With at most so many rows even matrices of all pairs are small, and with at most so
#: many entries the products and factorisations of a linear model are: then waking
#: other threads takes longer than the work.
FEW_ROWS, FEW_ENTRIES = 512, 2**17
_AS_IT_IS: AbstractContextManager[None] = nullcontext()
_ALONE = one_blas_thread()


def one_thread_if_quick(X: Any, rows: int = FEW_ROWS) -> AbstractContextManager[None]:
    """Return a context in which BLAS has one thread if a table is small."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    quick = bool(shape) and shape[0] <= rows and prod(shape) <= FEW_ENTRIES
    return _ALONE if quick else _AS_IT_IS


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
        X = given[0] if given else named.get("X")
        if type(X) is not np.ndarray:
            refuse_streamed(machine, X)
        before = dict(machine.__dict__)
        try:
            with one_thread_if_quick(X):
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
