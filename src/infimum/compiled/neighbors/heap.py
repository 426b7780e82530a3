"""A heap of the smallest values met so far, with the largest of them on top."""

from typing import Any

from infimum.compiled.inner_loop import inner_loop
from infimum.typing import Indices, Vector

__all__ = ["sink"]


@inner_loop()
def sink(heap: Vector, names: Indices, value: Any, name: int) -> None:
    """Put a value in the place of the largest, and let it sink to where it belongs."""
    size, at = heap.size, 0
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= value:
            break
        heap[at], names[at] = heap[child], names[child]
        at = child
    heap[at], names[at] = value, name
