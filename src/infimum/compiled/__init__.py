"""Machine code. The only package that imports numba; nothing here knows a class.

Loops take contiguous arrays, numbers, and formulas compiled by `callbacks`. Never a
jitclass, a closure or an ``@njit`` function as an argument: numba cannot reuse those
from disk, so every process would compile again (decisions/0001). Who needs a loop
imports its file; a file that was not asked for costs nothing.
"""

__all__: list[str] = []
