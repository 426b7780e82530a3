"""Machine code. The only package that imports numba; nothing here knows a class.

Loops take contiguous arrays, numbers, and formulas compiled by `callbacks`. Never a
jitclass, a closure or an ``@njit`` function as an argument: numba cannot reuse those
from its disk cache, so every process would compile again (decisions/0001).
"""

from infimum.compiled.callbacks import compile_ease, compile_formula, evaluate
from infimum.compiled.coordinate_descent import sweep_gram
from infimum.compiled.dual_coordinate_ascent import ascend_dense, ascend_sparse
from infimum.compiled.sparse_products import dot_lines

__all__ = [
    "ascend_dense",
    "ascend_sparse",
    "compile_ease",
    "compile_formula",
    "dot_lines",
    "evaluate",
    "sweep_gram",
]
