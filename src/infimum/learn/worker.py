"""Processes that work for a job: they stay warm, share its arrays, and can be ended.

A worker is another interpreter that is sent functions with their arguments and sends
back what they return. It is started by its own command, so that the main module of
whoever learns is not imported again, and ends with the process that has started it.
"""

from __future__ import annotations

import math
import os
import pickle
import queue
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Hashable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from infimum.learn.clock import TimeUpError
from infimum.limits import check_pressed

__all__ = ["Crew", "WorkerEndedError", "cores", "free_memory", "serve"]

_LENGTH = struct.Struct(">Q")
#: What is imported before a worker says that it is ready.
_LOADED, _READY = "infimum.learn.compare.runners", b"ready"
_FOLDER = "INFIMUM_SHARED_FOLDER"
_COMMAND = "from infimum.learn.worker import serve; serve()"
#: Seconds between two looks at who is late, and at Ctrl-C.
_LOOK = 0.1
#: What numerical libraries ask how many threads they may start.
_THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class WorkerEndedError(Exception):
    """A process ended by itself; the system does that when memory is short."""


class Answer(NamedTuple):
    """What became of a call: its value, or the error that is to be raised."""

    value: Any = None
    error: BaseException | None = None
    warned: tuple[tuple[str, type[Warning]], ...] = ()

    def get(self) -> Any:
        """Return the value, or raise; warnings are given again."""
        for message, kind in self.warned:
            warnings.warn(message, kind, stacklevel=2)
        if self.error is not None:
            raise self.error
        return self.value


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory() -> float:
    """Return the bytes that are free, infinity where the system does not say."""
    try:
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):  # Windows, and macOS
        return math.inf


class Crew:
    """Some workers, each with at most one call at a time.

    Parameters
    ----------
    count : int
        How many; each is started when it is first needed, and again after an end.

    Attributes
    ----------
    folder : Path
        For what they share; it goes with them, also if this process is killed.

    Examples
    --------
    >>> with Crew(1) as crew:
    ...     crew.start("sum", sum, [1, 2, 3])
    ...     crew.next()[1].get()
    6
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.folder = Path(tempfile.mkdtemp(prefix="infimum-"))
        self._answers: queue.Queue[tuple[_Worker, bytes | None]] = queue.Queue()
        self._idle: list[_Worker] = []
        self._busy: dict[_Worker, _Call] = {}

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def free(self) -> bool:
        """Whether another call can be started."""
        return len(self._busy) < self.count

    @property
    def busy(self) -> bool:
        """Whether there is somebody to wait for."""
        return bool(self._busy)

    def start(
        self,
        key: Hashable,
        function: Callable[..., Any],
        *args: Any,
        kill_at: float = math.inf,
    ) -> None:
        """Call a function of a module; who is not done at `kill_at` is ended."""
        worker = self._idle.pop() if self._idle else _Worker(self)
        self._busy[worker] = _Call(key, kill_at, time.perf_counter())
        worker.send(pickle.dumps((function, args)))

    def next(self) -> tuple[Hashable, Answer]:
        """Wait for the next answer; TimeUpError is that of who was ended.

        Raises KeyboardInterrupt if Ctrl-C is pressed meanwhile.
        """
        while True:
            check_pressed()
            try:
                worker, message = self._answers.get(timeout=_LOOK)
            except queue.Empty:
                late = [w for w, each in self._busy.items() if w.late(each.kill_at)]
                if not late:
                    continue
                late[0].kill()
                return self._busy.pop(late[0]).key, Answer(error=TimeUpError())
            if worker not in self._busy:  # who was ended before
                continue
            if message == _READY:
                self._begin(worker)
                continue
            key = self._busy.pop(worker).key
            if message is None:
                worker.kill()
                return key, Answer(error=WorkerEndedError("its process has ended"))
            self._idle.append(worker)
            return key, pickle.loads(message)

    def _begin(self, worker: _Worker) -> None:
        """Do not charge to a call what its process took to start."""
        call, now = self._busy[worker], time.perf_counter()
        worker.ready = True
        self._busy[worker] = call._replace(kill_at=call.kill_at + now - call.began)

    def call(
        self, function: Callable[..., Any], *args: Any, kill_at: float = math.inf
    ) -> Any:
        """Return what a function returns; TimeUpError if it has to be ended."""
        self.start(function, function, *args, kill_at=kill_at)
        return self.next()[1].get()

    def give_up(self) -> None:
        """End whoever is at work."""
        for worker in self._busy:
            worker.kill()
        self._busy.clear()

    def close(self) -> None:
        """End all."""
        self.give_up()
        for worker in self._idle:
            worker.kill()
        self._idle.clear()
        shutil.rmtree(self.folder, ignore_errors=True)


class _Call(NamedTuple):
    """A call at work: whose it is, when it is ended, and since when it runs."""

    key: Hashable
    kill_at: float
    began: float


class _Worker:
    """The end of a process that this one holds."""

    ready = False

    def __init__(self, crew: Crew) -> None:
        apart: dict[str, Any] = {}
        if sys.platform == "win32":  # elsewhere they are deaf to Ctrl-C by themselves
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(crew.count, crew.folder),
            **apart,
        )
        threading.Thread(target=self._listen, args=(crew,), daemon=True).start()

    def send(self, message: bytes) -> None:
        pipe: Any = self.process.stdin
        with suppress(OSError):  # it has ended, which whoever listens will tell
            pipe.write(_LENGTH.pack(len(message)) + message)
            pipe.flush()

    def late(self, kill_at: float) -> bool:
        return self.ready and time.perf_counter() > kill_at

    def kill(self) -> None:
        pipe: Any = self.process.stdin
        self.process.kill()
        self.process.wait()
        with suppress(OSError):  # what was not read is lost
            pipe.close()

    def _listen(self, crew: Crew) -> None:
        pipe: Any = self.process.stdout
        message: bytes | None = b""
        while message is not None:
            message = _read(pipe)
            crew._answers.put((self, message))
        pipe.close()


def _environment(workers: int, folder: Path) -> dict[str, str]:
    """Return the environment of a worker: our modules, and its part of the cores."""
    paths = os.pathsep.join(each or os.getcwd() for each in sys.path)  # noqa: PTH109
    threads = max(1, cores() // workers)
    given = {each: int(os.environ.get(each) or threads) for each in _THREADS}
    message = {each: str(min(threads, asked)) for each, asked in given.items()}
    return {**os.environ, "PYTHONPATH": paths, _FOLDER: str(folder), **message}


def _read(pipe: BinaryIO) -> bytes | None:
    """Return the next message, None at the end."""
    try:
        head = pipe.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            return None
        (size,) = _LENGTH.unpack(head)
        message = pipe.read(size)
    except (OSError, ValueError):
        return None
    return message if len(message) == size else None


def serve() -> None:
    """Answer calls until whoever has started this process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    calls: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_collect, args=(calls,), daemon=True).start()
    import_module(_LOADED)
    message = _READY
    while True:
        answers.write(_LENGTH.pack(len(message)) + message)
        answers.flush()
        message = pickle.dumps(_answer(calls.get()))


def _collect(calls: queue.Queue[bytes]) -> None:
    while (call := _read(sys.stdin.buffer)) is not None:
        calls.put(call)
    # Nobody is left to answer, whatever is at work.
    shutil.rmtree(os.environ[_FOLDER], ignore_errors=True)
    os._exit(0)


def _answer(call: bytes) -> Answer:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            function, args = pickle.loads(call)
            answer = Answer(function(*args))
            pickle.dumps(answer.value)
        except Exception as error:
            answer = Answer(error=_plain(error))
    said = tuple((str(each.message), each.category) for each in caught)
    return answer._replace(warned=said)


def _plain(error: Exception) -> Exception:
    """Return the error itself if it can be sent, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
