"""One pool of threads at a time: keep BLAS to one thread while our own loops run."""

from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

__all__ = ["one_blas_thread"]


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_blas_thread() -> Any:
    """Return a context in which BLAS works on the calling thread only.

    After a call on several threads OpenBLAS keeps them spinning for milliseconds, and
    a compiled parallel loop that follows has to share the cores with them.
    """
    return _controller().limit(limits=1, user_api="blas")
