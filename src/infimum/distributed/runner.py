"""Passes as stateless tasks: each reads its leaves, the driver merges the sums."""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from infimum.data.spelling import first_line
from infimum.data.streams import Node, runner, tree_for
from infimum.distributed.tasks import Task, are_done, cuts, scheduled, sent_directly
from infimum.errors import IncompatibleError, InfimumError, StreamError

__all__ = ["ClusterRunner", "cluster"]

#: Seconds without any worker, or without the scheduler, after which a pass ends.
PATIENCE = 60.0
#: Seconds between two looks at the cluster.
LOOK = 0.5
#: What a local cluster is told: who is silent so long is taken for dead.
SILENT = "20s"
#: What the process imports that workers are forks of.
PRELOADED = [
    "distributed",
    "infimum.distributed.ready",
    "infimum.distributed.runner",
    "infimum.models.linear.streamed",
    "infimum.models.streamed.boosting",
    "infimum.models.streamed.centres",
]
#: One thread of BLAS for a task; and memory that a pass has freed stays for the next.
#: By default dask gives back all, and each array of a leaf is mapped anew.
ENVIRON = {
    "OMP_NUM_THREADS": 1,
    "MKL_NUM_THREADS": 1,
    "OPENBLAS_NUM_THREADS": 1,
    "MALLOC_MMAP_THRESHOLD_": 1 << 25,
    "MALLOC_TRIM_THRESHOLD_": 1 << 26,
}


class ClusterRunner:
    """Carries out passes on the workers of a cluster.

    Parameters
    ----------
    client : distributed.Client
        Who knows the cluster.
    patience : float
        Seconds without a worker or a scheduler after which a pass gives up.
    direct : bool
        Whether workers are asked without the scheduler as long as they answer: where
        they run nothing else, and this process can reach them.
    """

    def __init__(
        self, client: Any, patience: float = PATIENCE, *, direct: bool = False
    ) -> None:
        self.client, self.patience, self.direct = client, patience, direct
        #: The address of each thread of each worker, and when they were seen.
        self._threads: list[str] = []
        self._when = -np.inf
        #: What the last pass has found. It is given back after the next has begun:
        #: what a client sends waits a while after what it has sent before.
        self._last: list[Task] = []

    def run(self, source: Any, work: Any) -> Any:
        """Return the sums of a pass over all leaves."""
        tree = tree_for(work)
        try:
            tasks = self._handed_out(source, work)
            self._last = tasks
            for nodes in self._gathered(tasks):
                tree.extend(nodes)
        except InfimumError:
            raise
        except Exception as error:  # whatever a cluster ends with
            raise _told(error) from error
        return tree.root()

    def _handed_out(self, source: Any, work: Any) -> list[Task]:
        """Send all tasks at once, the same leaves to the same worker in each pass.

        It has compared their checksums, and its system has them in memory.
        """
        threads = self._known() or [""]
        ends = list(cuts(source.leaves, len(threads)))
        given = [(source, work, *cut) for cut in ends]
        places = [threads[k * len(threads) // len(ends)] for k in range(len(ends))]
        send = sent_directly if self.direct and all(places) else scheduled
        return send(self.client, given, places)

    def _gathered(self, tasks: list[Task]) -> list[list[Node]]:
        """Return all results in order, or raise when nobody is there to find them."""
        seen, enough = time.monotonic(), 4 * LOOK
        while True:
            if are_done(tasks, LOOK):
                found = self._results(tasks, enough)
                if found is not None:
                    return found
                enough = min(2.0 * enough, self.patience)
            there = self._seen()
            for task in tasks if there else ():
                task.move(there)
            if there:
                seen = time.monotonic()
            elif time.monotonic() - seen > self.patience:
                for task in tasks:
                    task.forget()
                raise StreamError(
                    f"The cluster has had no worker for {self.patience:g} seconds, or "
                    "its scheduler is gone."
                )
            else:
                time.sleep(LOOK)

    def _results(self, tasks: list[Task], enough: float) -> list[list[Node]] | None:
        """Fetch all results at once; None if that takes longer, or one is lost."""
        waiting = [task.future for task in tasks if not task.direct]
        if self.client.status != "running" or any(f.cancelled() for f in waiting):
            return [task.future.result(timeout=self.patience) for task in tasks]
        found: Iterator[list[Node]] = iter(())
        if waiting:
            fetch = partial(self.client.gather, waiting, asynchronous=True)
            try:
                found = iter(self.client.sync(fetch, callback_timeout=enough))
            except TimeoutError:
                return None
        return [task.future.result() if task.direct else next(found) for task in tasks]

    def _known(self) -> list[str]:
        """Return the address of each thread of each worker, as of a moment ago."""
        if time.monotonic() - self._when > LOOK:
            self._seen()
        return self._threads

    def _seen(self) -> list[str]:
        """Return the same as of now; nothing if nobody answers."""
        if self.client.status != "running":
            return []
        try:
            known = self.client.nthreads()
        except (OSError, TimeoutError, ValueError):
            return []
        there = [address for address in sorted(known) for _ in range(known[address])]
        self._threads, self._when = there or self._threads, time.monotonic()
        return there


def _told(error: Exception) -> StreamError:
    """Return one sentence for what a cluster has died of."""
    name = type(error).__name__
    if name == "KilledWorker":
        return StreamError(
            "The same block of rows has ended several workers, for want of memory most "
            "likely: give workers more of it, or use more of them."
        )
    if name in {"CancelledError", "FutureCancelledError", "CommClosedError"}:
        return StreamError("The scheduler of the cluster is gone.")
    if isinstance(error, TimeoutError | OSError):
        return StreamError(f"The cluster does not answer: {first_line(error)}.")
    return StreamError(f"A worker ended with {name}: {first_line(error)}.")


@contextmanager
def cluster(
    address: Any = None,
    *,
    workers: int = 2,
    threads: int = 1,
    patience: float = PATIENCE,
) -> Iterator[ClusterRunner]:
    """Let the workers of a cluster carry out all passes meanwhile.

    Parameters
    ----------
    address : str or distributed.Client, optional
        Of a scheduler that runs already; None starts workers on this machine.
    workers, threads : int
        How many processes are started here, and the threads of each.
    patience : float
        Seconds without any worker after which a fit ends, with its best point told.

    Yields
    ------
    ClusterRunner
        Its `client` is that of the cluster.
    """
    dask, distributed = _loaded()
    if address is not None and not isinstance(address, str):
        chosen = ClusterRunner(address, patience)
        with runner(chosen):
            yield chosen
        return
    if isinstance(address, str):
        _warn_of_strangers(address)
        try:
            client = distributed.Client(address, timeout=min(patience, 30.0))
        except (OSError, TimeoutError, ValueError) as error:
            raise StreamError(f"No scheduler answers at {address}.") from error
        chosen = ClusterRunner(client, patience)
        with client, runner(chosen):
            yield chosen
        return
    quiet = {
        "distributed.nanny.pre-spawn-environ": ENVIRON,
        "distributed.scheduler.worker-ttl": SILENT,
        "distributed.comm.timeouts.connect": "10s",
        "distributed.worker.daemon": True,
        # A nanny starts its worker again; who misses it for a while must not end both.
        "distributed.deploy.lost-worker-timeout": "1 day",
    }
    with _restored(), dask.config.set(quiet | _quick_starts(dask)):
        local = _started(distributed, workers, threads)
        client = distributed.Client(local, direct_to_workers=True)
        chosen = ClusterRunner(client, patience, direct=True)
        try:
            with runner(chosen):
                yield chosen
        finally:  # workers that do not answer any more end with this process
            for each in (client, local):
                with suppress(TimeoutError, OSError):
                    each.close()


@contextmanager
def _restored() -> Iterator[None]:
    """Take back what nannies set in the environment of this process for workers."""
    before = dict(os.environ)
    try:
        yield
    finally:
        for name in {*ENVIRON, "PYTHONHASHSEED"}:
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)


def _started(distributed: Any, workers: int, threads: int) -> Any:
    """Start workers on this machine; they begin by importing the script that runs."""
    sentence = (
        "Workers cannot start: a script that starts some must do so below "
        "if __name__ == '__main__', for each of them reads the script."
    )
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise StreamError(sentence)  # this is such a worker
    try:
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=threads,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # another cluster may have the usual one
            scheduler_kwargs={"dashboard": False},
            silence_logs=50,
            env=ENVIRON | dict(os.environ),
        )
    except RuntimeError as error:
        raise StreamError(sentence) from error


def _quick_starts(dask: Any) -> dict[str, str]:
    """Let workers be forks of a process that has imported all: they start at once.

    That process does nothing else, so that no thread is lost in a fork.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return {}
    quick = {"distributed.worker.multiprocessing-method": "forkserver"}
    with dask.config.set(quick):
        context = import_module("distributed.utils").get_mp_context()
    context.set_forkserver_preload(PRELOADED)
    return quick


def _loaded() -> tuple[Any, Any]:
    try:
        return import_module("dask"), import_module("distributed")
    except ImportError:
        raise IncompatibleError(
            "A cluster needs dask and distributed: pip install infimum[distributed]."
        ) from None


def _warn_of_strangers(address: str) -> None:
    """Warn of an address where anybody on the way can run code."""
    scheme, _, rest = address.rpartition("://")
    host = rest.rpartition(":")[0].strip("[]")
    if scheme != "tls" and host not in {"127.0.0.1", "localhost", "::1"}:
        warnings.warn(
            f"{address} is not encrypted: whoever can reach it can run code on the "
            "workers and here; use a tls:// address outside of a trusted network.",
            UserWarning,
            stacklevel=4,
        )
