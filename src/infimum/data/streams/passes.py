"""A pass: a function of a leaf and a small state, its sums merged in a fixed order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias

from infimum.compiled.threads import cores, enlist, one_blas_thread
from infimum.data.streams.tree import Node, Tree, added

__all__ = [
    "LocalRunner",
    "Pass",
    "Runner",
    "Source",
    "current_runner",
    "in_any_order",
    "nodes_of",
    "runner",
    "tree_for",
]

#: What a pass does with a leaf. An attribute `merge` joins what is not a sum.
Pass: TypeAlias = Callable[[Any], Any]
#: Leaves that one thread takes at a time, as a power of 2, where there are many.
TURN = 4


class Source(Protocol):
    """Numbered leaves: a spool, or the chunks of a worker."""

    #: What workers know it by.
    key: str

    @property
    def leaves(self) -> int:
        """How many there are."""

    def leaf(self, number: int) -> Any:
        """Read one."""

    def ahead(self, first: int, stop: int) -> None:
        """Hint at what is read next."""


class Runner(Protocol):
    """Whoever carries out passes."""

    def run(self, source: Any, work: Pass) -> Any:
        """Return the sums of a pass over all leaves."""


def nodes_of(source: Source, work: Any, first: int, stop: int) -> list[Node]:
    """Return the sums of consecutive leaves, as far as they can be merged."""
    source.ahead(stop, 2 * stop - first)
    if in_any_order(work):
        total = work.begin()
        for number in range(first, stop):
            work.take(source.leaf(number), total)
        return [Node(first, 0, total)]
    tree = Tree(getattr(work, "merge", added))
    for number in range(first, stop):
        tree.push(Node(number, 0, work(source.leaf(number))))
    return tree.nodes


def in_any_order(work: Any) -> bool:
    """Tell whether a pass adds whole numbers: any order of leaves gives the same.

    Such a pass has `begin`, which returns zeros, and `take`, which adds a leaf to them.
    """
    return hasattr(work, "begin")


def tree_for(work: Any) -> Tree:
    """Return what merges the sums of a pass."""
    return Tree(getattr(work, "merge", added), ordered=not in_any_order(work))


class LocalRunner:
    """Carries out passes on the threads of this process.

    Parameters
    ----------
    threads : int, optional
        How many; as many as there are cores when None.
    turn : int
        A thread takes 2^turn leaves at a time; the sums do not depend on it.
    """

    def __init__(self, threads: int | None = None, turn: int = TURN) -> None:
        self.threads, self.turn = threads or cores(), turn

    def run(self, source: Source, work: Pass) -> Any:
        """Return the sums of a pass over all leaves."""
        tree, step = tree_for(work), 1 << self.turn
        while step > 1 and 4 * step * self.threads > source.leaves:
            step >>= 1
        if in_any_order(work):  # a few turns for each thread: sums may be large
            step = max(1, -(-source.leaves // (4 * self.threads)))
        cuts = range(0, source.leaves, step)
        turns = ((k, min(k + step, source.leaves)) for k in cuts)
        with one_blas_thread():
            if self.threads == 1 or len(cuts) == 1:
                for first, stop in turns:
                    tree.extend(nodes_of(source, work, first, stop))
                return tree.root()
            with ThreadPoolExecutor(self.threads, initializer=enlist) as pool:
                for nodes in _in_order(pool, source, work, turns, self.threads + 2):
                    tree.extend(nodes)
        return tree.root()


def _in_order(
    pool: ThreadPoolExecutor,
    source: Source,
    work: Pass,
    turns: Iterator[tuple[int, int]],
    most: int,
) -> Iterator[list[Node]]:
    """Yield the nodes of each turn in order, few turns under way at a time."""
    waiting: deque[Future[list[Node]]] = deque()
    try:
        for first, stop in turns:
            waiting.append(pool.submit(nodes_of, source, work, first, stop))
            if len(waiting) >= most:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for each in waiting:
            each.cancel()


_runners: list[Runner] = []


def current_runner() -> Runner:
    """Return who carries out passes now: this process, or a cluster that was named."""
    if _runners:
        return _runners[-1]
    asked = os.environ.get("INFIMUM_THREADS", "")
    return LocalRunner(int(asked) if asked.isdigit() and int(asked) else None)


@contextmanager
def runner(chosen: Runner) -> Iterator[Runner]:
    """Let somebody carry out the passes meanwhile."""
    _runners.append(chosen)
    try:
        yield chosen
    finally:
        _runners.remove(chosen)
