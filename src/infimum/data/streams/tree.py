"""Sums merged in a tree that the numbers of the leaves fix, and nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Node", "Sums", "Tree", "added"]

#: What a pass finds out: numbers and arrays to be added up.
Sums = tuple[Any, ...]


class Node(NamedTuple):
    """The sums of 2^level leaves from `start` on."""

    start: int
    level: int
    sums: Any


def added(a: Sums, b: Sums) -> Sums:
    """Return the sums of two parts; arrays of the first are written over."""
    return tuple(_plus(left, right) for left, right in zip(a, b, strict=True))


def _plus(left: Any, right: Any) -> Any:
    if isinstance(left, np.ndarray):
        return np.add(left, right, out=left)
    return left + right


class Tree:
    """Merges neighbours of equal size, those with an even number on the left first.

    However leaves are handed out, to blocks, threads or machines, the same additions
    are made in the same order: sums have the same bits.

    Examples
    --------
    >>> whole, left, right = Tree(), Tree(), Tree()
    >>> for k, x in enumerate([0.1, 0.2, 0.3, 0.4, 0.5]):
    ...     whole.push(Node(k, 0, (x,)))
    ...     (left if k < 3 else right).push(Node(k, 0, (x,)))
    >>> both = Tree()
    >>> both.extend(left.nodes), both.extend(right.nodes)
    (None, None)
    >>> both.root() == whole.root()
    True
    """

    def __init__(
        self, merge: Callable[[Any, Any], Any] = added, *, ordered: bool = True
    ) -> None:
        self.merge, self.ordered = merge, ordered
        self.nodes: list[Node] = []

    def push(self, node: Node) -> None:
        """Take the next node to the right."""
        if self.nodes and not self.ordered:
            sums = self.merge(self.nodes.pop().sums, node.sums)
            node = Node(0, 0, sums)
        while self.nodes:
            last = self.nodes[-1]
            if last.level != node.level or last.start % (2 << node.level):
                break
            self.nodes.pop()
            sums = self.merge(last.sums, node.sums)
            node = Node(last.start, node.level + 1, sums)
        self.nodes.append(node)

    def extend(self, nodes: Iterable[Node]) -> None:
        """Take nodes in their order."""
        for node in nodes:
            self.push(node)

    def root(self) -> Any:
        """Return the sums of all leaves."""
        nodes = list(self.nodes)
        found = nodes.pop().sums
        while nodes:
            found = self.merge(nodes.pop().sums, found)
        return found
