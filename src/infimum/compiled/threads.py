"""Threads: our own pool for compiled loops, and BLAS kept to one meanwhile.

Loops are compiled for one thread (which takes a fraction of the time that numba needs
for a parallel one), release the interpreter's lock, and are called for several parts of
the rows at once. The parts are fixed, so results do not depend on the number of cores.
"""

import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from functools import cache
from itertools import pairwise
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

__all__ = [
    "PARTS",
    "alongside",
    "blas_threads",
    "cores",
    "enlist",
    "free_cores",
    "in_parts",
    "one_blas_thread",
    "overlapped",
    "side_by_side",
]

#: Into how many parts rows are cut, however many cores there are.
PARTS = 16
Result = TypeVar("Result")
#: Seconds of work that are not worth waking another thread for.
SHORT = 5e-4
#: Seconds of sleep after which a thread that waits for the interpreter has got it.
A_MOMENT = 1e-5
#: Seconds that each function last needed for one thing.
_paces: dict[Any, float] = {}
#: Knows, in each thread, whether it is one of the pool's.
_here = threading.local()


def _libraries() -> list[Any]:
    """Return the libraries that are loaded by now: SciPy brings one of its own."""
    return _loaded("scipy.linalg" in sys.modules)


@cache
def _loaded(_scipy: bool) -> list[Any]:  # noqa: FBT001 - a key of the cache
    return list(ThreadpoolController().select(user_api="blas").lib_controllers)


def cores() -> int:
    """Return how many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def blas_threads() -> int:
    """Return how many threads BLAS would take for a large product."""
    return max((each.get_num_threads() for each in _libraries()), default=1)


def free_cores() -> int:
    """Return how many cores work may be shared among: one, if it is shared already."""
    return 1 if getattr(_here, "enlisted", False) else cores()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(cores(), "infimum", initializer=enlist)


def enlist() -> None:
    """Tell that this thread shares the cores with others: it takes one."""
    _here.enlisted = True


if hasattr(os, "register_at_fork"):
    # A forked child inherits the pool but none of its threads.
    os.register_at_fork(after_in_child=_pool.cache_clear)


def in_parts(
    n: int, work: Callable[[slice], Result], parts: int = PARTS
) -> list[Result]:
    """Call `work` on consecutive slices of n things, on all cores; keep their order.

    Work that was short the last time is done here, part by part, until it has lasted
    as long as waking other threads does. Work may call this again: then its own thread
    does all parts, since those of the pool are busy.
    """
    cuts = [part * n // parts for part in range(parts + 1)]
    slices = [slice(a, b) for a, b in pairwise(cuts)]
    if parts == 1 or getattr(_here, "enlisted", False):
        return list(map(work, slices))
    name = getattr(work, "__code__", type(work))
    found: list[Any] = []
    if _paces.get(name, 1.0) * n < SHORT:
        # The clock of this thread alone costs a call of the system, so the other one
        # is read: what else runs may send a part to others, and that is measured.
        start = time.perf_counter()
        for part in slices:
            found.append(work(part))
            if time.perf_counter() - start > SHORT:
                break
    if len(found) < parts:
        began = time.thread_time()
        rest, own = _shared(slices[len(found) :], work)
        found += rest
        if own:
            _paces[name] = (time.thread_time() - began) / own
    return found


def _shared(
    slices: list[slice], work: Callable[[slice], Result]
) -> tuple[list[Result], int]:
    """Call `work` on slices that this thread and those of the pool take in turn.

    Returns the results, and on how many things this thread has worked.
    """
    found: list[Any] = [None] * len(slices)
    turns = iter(range(len(slices)))  # which the interpreter's lock guards
    own = 0

    def take(who: int) -> None:
        nonlocal own
        enlisted = getattr(_here, "enlisted", False)
        _here.enlisted = True
        try:
            for turn in turns:
                found[turn] = work(slices[turn])
                if who == 0:
                    own += slices[turn].stop - slices[turn].start
        finally:
            _here.enlisted = enlisted
            list(turns)  # where one part fails, nobody begins another

    side_by_side(min(cores(), len(slices)), take)
    return found, own


def side_by_side(parts: int, work: Callable[[int], None]) -> None:
    """Call ``work(0)`` here and ``work(1)``, … on other cores; return when all have.

    For short work done often: waking one thread less is what this saves.
    """
    if parts == 1 or getattr(_here, "enlisted", False):
        for part in range(parts):
            work(part)
        return
    others = [_pool().submit(work, part) for part in range(1, parts)]
    try:
        work(0)
    finally:
        for other in others:
            other.result()


def overlapped(
    count: int, prepare: Callable[[int], Any], work: Callable[[Any], Result]
) -> list[Result] | None:
    """Call `prepare` of 0, 1, … here and `work` on what it returns, on another core.

    For work in compiled loops and preparation in Python, which holds the interpreter's
    lock: it is given away for a moment after each part, lest the other thread wait five
    milliseconds. Returns None once a preparation does.
    """
    ready: SimpleQueue[tuple[int, Any]] = SimpleQueue()
    found: dict[int, Result] = {}

    def take() -> None:
        with suppress(Empty):
            while True:
                place, thing = ready.get_nowait()
                found[place] = work(thing)

    helper = None
    try:
        for place in range(count):
            if (thing := prepare(place)) is None:
                return None
            ready.put((place, thing))
            helper = _helping(helper, take)
            time.sleep(A_MOMENT if helper else 0.0)
        take()
    finally:
        if helper is not None:
            helper.result()
    return [found[place] for place in range(count)]


def _helping(
    helper: Future[None] | None, task: Callable[[], None]
) -> Future[None] | None:
    """Return what another thread does: what it did, or the task anew; None if alone."""
    if helper is not None:
        if not helper.done():
            return helper
        helper.result()  # raises what was raised there
    return _pool().submit(task) if free_cores() > 1 else None


def alongside(
    parts: int, lead: Callable[[], None], follow: Callable[[int], None]
) -> None:
    """Call ``lead()`` here while ``follow(1)``, … run beside it; return when all have.

    For loops that wait for each other: the threads are this call's own, so that all of
    them do run, and callers side by side never wait for each other's.
    """
    failures: list[BaseException] = []

    def run(part: int) -> None:
        enlist()
        try:
            follow(part)
        except BaseException as failure:  # the caller's thread will raise it
            failures.append(failure)

    crew = [
        threading.Thread(target=run, args=(part,), daemon=True)
        for part in range(1, parts)
    ]
    for thread in crew:
        thread.start()
    try:
        lead()
    finally:
        for thread in crew:
            thread.join()
    if failures:
        raise failures[0]


def _set_threads(library: Any, threads: int) -> None:
    """Set a library's number of threads, whichever thread this is.

    Newer controllers obey only the first thread that asks, so that threads do not undo
    each other's wishes: here that is a count's task, and the last one may be another.
    """
    obey = getattr(library, "_real_set_num_threads", library.set_num_threads)
    obey(threads)


class _OneBlasThread:
    """The context of `one_blas_thread`, which may be entered again and again.

    Numbers of threads belong to the whole process: the first who enters sets them, and
    the last who leaves sets them back.
    """

    def __init__(self) -> None:
        self.lock, self.inside = threading.Lock(), 0
        self.before: list[tuple[Any, int]] = []
        #: How often each thread has entered: none but the forking one is in a child.
        self.own = threading.local()

    def __enter__(self) -> None:
        with self.lock:
            if not self.inside:
                self.before = [(each, each.get_num_threads()) for each in _libraries()]
                for library, _ in self.before:
                    _set_threads(library, 1)
            self.inside += 1
            self.own.inside = getattr(self.own, "inside", 0) + 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.inside -= 1
            self.own.inside = getattr(self.own, "inside", 0) - 1
            if not self.inside:
                self._set_back()

    def _set_back(self) -> None:
        for library, threads in self.before:
            _set_threads(library, threads)

    def forget_others(self) -> None:
        """Go on in a forked child, to which no other thread has come along."""
        self.lock, before = threading.Lock(), self.inside
        self.inside = max(0, getattr(self.own, "inside", 0))
        if before and not self.inside:
            self._set_back()


_alone = _OneBlasThread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_alone.forget_others)


def one_blas_thread() -> AbstractContextManager[None]:
    """Return a context in which BLAS works on the calling thread only.

    After a call on several threads OpenBLAS keeps them spinning for milliseconds, and
    a compiled parallel loop that follows has to share the cores with them.
    """
    return _alone
