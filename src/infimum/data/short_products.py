"""Products of matrices that are done before other threads have been woken for them.

BLAS shares them among its threads from a few thousand numbers on, and those wait for
each other awake: where another program has one of the cores, a product of 0.03 ms takes
a tenth of a second.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from infimum.compiled.threads import one_blas_thread

__all__ = ["products_of"]

#: So many multiplications take one thread about as long as two.
FEW_MULTIPLICATIONS = 4_000_000


def products_of(multiplications: int) -> AbstractContextManager[Any]:
    """Return the context of a product: BLAS keeps to one thread if it is short."""
    if multiplications > FEW_MULTIPLICATIONS:
        return nullcontext()
    context: AbstractContextManager[Any] = one_blas_thread()
    return context
