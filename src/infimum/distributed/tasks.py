"""The tasks of a pass: some leaves each, sent to a worker, and again if it is gone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import Any
from uuid import uuid4

from infimum.compiled.threads import enlist, one_blas_thread
from infimum.data.streams import Node, nodes_of
from infimum.distributed.allocator import keep_freed_memory

__all__ = ["Task", "are_done", "cuts", "scheduled", "sent_directly", "work_on"]

#: Tasks begin at multiples of so many leaves that a task has this many of them.
UNITS = 16
#: Spools that a worker remembers, with open files and what it has checked.
SPOOLS = 4
#: How often the scheduler begins a task again that has ended with an error.
RETRIES = 2
_spools: dict[str, Any] = {}


def work_on(source: Any, work: Any, first: int, stop: int) -> list[Node]:
    """Return the sums of some leaves; runs on a worker."""
    known = _spools.get(source.key)
    if known is None:
        keep_freed_memory()
        while len(_spools) >= SPOOLS:
            _spools.pop(next(iter(_spools)), None)
        known = _spools[source.key] = source
    enlist()
    with one_blas_thread():
        return nodes_of(known, work, first, stop)


async def work_beside(*given: Any, dask_worker: Any) -> list[Node]:
    """Do the same on a thread of a worker, whose loop goes on answering meanwhile."""
    own = dask_worker.executors["default"]
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(own, partial(work_on, *given))


@dataclass
class Task:
    """Some leaves of a pass, for a worker; another does them if that one is gone."""

    client: Any
    given: tuple[Any, ...]
    place: str
    future: Any
    #: Whether the worker was asked without the scheduler.
    direct: bool = False

    def move(self, there: list[str]) -> None:
        """Begin again wherever there is room, if the worker is gone or has failed.

        A scheduler without a worker at all would wait for this one to come back.
        """
        gone = self.place and self.place not in there and not self.future.done()
        if gone or self.failed:
            self.forget()
            self.place, self.direct = "", False
            self.future = self.client.submit(
                work_on, *self.given, pure=False, retries=RETRIES
            )

    @property
    def failed(self) -> bool:
        """Whether a worker that was asked without the scheduler gave no result."""
        if not (self.direct and self.future.done()):
            return False
        return self.future.cancelled() or self.future.exception() is not None

    def forget(self) -> None:
        """Wait for it no longer."""
        if self.direct:
            self.future.cancel()
        else:
            self.future.release()


def scheduled(
    client: Any, given: list[tuple[Any, ...]], places: list[str]
) -> list[Task]:
    """Send tasks by the scheduler, all in one message."""
    name, pins = uuid4().hex, {"retries": RETRIES}
    keys = [f"pass-{name}-{k}" for k in range(len(given))]
    if all(places):
        where: Any = dict(zip(keys, places, strict=True))
        pins |= {"workers": where.get, "allow_other_workers": True}
    with import_module("dask").annotate(**pins):
        futures = client.map(
            work_on, *map(list, zip(*given, strict=True)), key=keys, pure=False
        )
    return [Task(client, *each) for each in zip(given, places, futures, strict=True)]


def sent_directly(
    client: Any, given: list[tuple[Any, ...]], places: list[str]
) -> list[Task]:
    """Ask each worker itself: a scheduler takes milliseconds to see to a task."""
    loop = client.loop.asyncio_loop
    found = []
    for task, place in zip(given, places, strict=True):
        asked = asyncio.run_coroutine_threadsafe(_answer(client, place, task), loop)
        found.append(Task(client, task, place, asked, direct=True))
    return found


async def _answer(client: Any, place: str, task: tuple[Any, ...]) -> list[Node]:
    dumps = import_module("distributed.protocol.pickle").dumps
    told = await client.rpc(place).run(
        function=dumps(work_beside), args=dumps(task), wait=True
    )
    if told["status"] != "OK":
        raise told["exception"]
    found: list[Node] = told["result"]
    return found


def are_done(tasks: list[Task], seconds: float) -> bool:
    """Wait so long at most; tell whether all tasks are done, and none has failed."""
    end = time.monotonic() + seconds
    asked = [task.future for task in tasks if task.direct]
    if asked:
        wait(asked, timeout=seconds)
    waiting = [task.future for task in tasks if not task.direct]
    if waiting:
        with suppress(TimeoutError):
            rest = max(0.01, end - time.monotonic())
            import_module("distributed").wait(waiting, timeout=rest)
    return all(task.future.done() and not task.failed for task in tasks)


def cuts(leaves: int, tasks: int) -> Iterator[tuple[int, int]]:
    """Yield where tasks begin and end, at multiples of a power of 2."""
    unit = 1 << max(0, (leaves // (tasks * UNITS)).bit_length() - 1)
    ends = [round(k * leaves / (tasks * unit)) * unit for k in range(tasks)] + [leaves]
    for first, stop in pairwise(ends):
        if stop > first:
            yield first, stop
