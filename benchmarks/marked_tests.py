"""Which marked tests enter which functions, found file by file, and kept.

Tests run in forks of a process that has loaded what they import: a run of one test
costs what the test costs. Code is changed in such a fork by giving functions another
body; what modules computed from them while they were loaded stays, so that whoever
wants to be sure runs the tests once more in a new process.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib
import inspect
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

__all__ = ["ROOT", "MarkedTests"]

ROOT = Path(__file__).parent.parent
KEPT = ROOT / ".pytest_cache" / "entered"
#: Seconds of processor time that the marked tests of a file may take to be recorded.
PATIENCE = 300.0
#: Seconds of processor time for all tests of a room.
ROOM_PATIENCE = 900.0
#: Files of tests that are looked at for one function of `src`.
MOST_FILES = 6
#: Plugins of pytest that a room has loaded already are no reason to fail.
QUIETLY = (
    "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning",
)  # fmt: skip
#: What a process tells that came to grief outside of tests.
BROKEN = 99


class MarkedTests:
    """The marked tests of a copy of the repository."""

    def __init__(self, copied: Path, folders: list[str]) -> None:
        self.copied = copied
        _see_only(copied)
        KEPT.mkdir(parents=True, exist_ok=True)
        paths = [copied / folder for folder in folders]
        files = [
            f for p in paths for f in (p.rglob("test_*.py") if p.is_dir() else [p])
        ]
        marked = [f for f in sorted(files) if "mark.syllabus" in f.read_text("utf-8")]
        self._imports = {
            str(file.relative_to(copied)): _defined(copied, _names(file))
            for file in marked
        }
        self._entered: dict[str, dict[str, dict[str, float]]] = {}

    def files(self) -> list[str]:
        """Return the files of `src` whose names marked tests import."""
        return sorted({path for paths in self._imports.values() for path in paths})

    def files_that_import(self, path: str) -> list[str]:
        """Return files of marked tests that import names of a file, the nearest first.

        Tests mirror the rooms: of many files those of the same room know most.
        """
        room = Path(path).parts[1:]

        def apart(file: str) -> tuple[int, bool, str]:
            pairs = zip(room, Path(file).parts[1:], strict=False)
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            return -shared, not self._kept(file).is_file(), file

        files = [file for file, paths in self._imports.items() if path in paths]
        return sorted(files, key=apart)[:MOST_FILES]

    def entering(self, file: str, function: str) -> dict[str, float]:
        """Return what marked tests of a file enter a function, and their seconds."""
        if file not in self._entered:
            kept = self._kept(file)
            if not kept.is_file():
                _in_fork(self.copied, lambda: _record(file, kept), PATIENCE)
            if not kept.is_file():
                raise RuntimeError(f"the marked tests of {file} came to no end")
            self._entered[file] = json.loads(kept.read_text("utf-8"))
        return self._entered[file].get(function, {})

    def _kept(self, file: str) -> Path:
        """Return where it is kept what the marked tests of a file enter."""
        stamp = hashlib.sha256((self.copied / file).read_bytes()).hexdigest()[:12]
        return KEPT / f"{file.replace('/', '.')}-{stamp}.json"

    def failing(self, path: str, tests: list[str], patience: float) -> bool:
        """Return whether a test fails, or comes to no end, since a file has changed."""
        options = [*QUIETLY, "-x", *tests]

        def run() -> int:
            _take_over(self.copied / "src" / path)
            return int(pytest.main(options))

        def run_afresh() -> int:
            command = [sys.executable, "-m", "pytest", *options]
            return subprocess.run(command, check=False).returncode

        # Who survives a change of bodies may be found out by a module loaded anew.
        for each in (run, run_afresh):
            code = _in_fork(self.copied, each, patience)
            if code in (
                pytest.ExitCode.USAGE_ERROR,
                pytest.ExitCode.NO_TESTS_COLLECTED,
            ):
                raise RuntimeError(f"pytest did not find {tests}")
            if code == BROKEN:
                raise RuntimeError(f"{path} could not be changed")
            if code:
                return True
        return False

    def room_fails(self, path: str) -> bool:
        """Return whether a test of a file's own room fails since the file changed."""
        room = Path("tests", *Path(path).parts[1:-1])
        while not (self.copied / room).is_dir():
            room = room.parent
        if room.name == "tests":
            return False
        command = [sys.executable, "-m", "pytest", *QUIETLY, "-x", str(room)]

        def run() -> int:
            return subprocess.run(command, check=False).returncode

        return _in_fork(self.copied, run, ROOM_PATIENCE) == pytest.ExitCode.TESTS_FAILED


def _see_only(copied: Path) -> None:
    """Let this process, and those it starts, import the copy in the place of ours."""
    os.environ["NUMBA_CACHE_DIR"] = str(copied.parent / "numba")
    os.environ["PYTHONPATH"] = f"{copied / 'src'}:{copied}"
    others = [path for path in sys.path if not (Path(path or ".") / "infimum").is_dir()]
    sys.path[:] = [str(copied / "src"), str(copied), *others]


def _take_over(file: Path) -> None:
    """Give the functions of a changed file that is loaded their new bodies."""
    new: dict[tuple[str, int], CodeType] = {}
    waiting = [compile(file.read_text("utf-8"), str(file), "exec")]
    while waiting:
        code = waiting.pop()
        new[code.co_qualname, code.co_firstlineno] = code
        waiting.extend(each for each in code.co_consts if isinstance(each, CodeType))
    for thing in gc.get_objects():
        # A weak reference whose object is gone has a type, but no other answers.
        if type(thing) is FunctionType and thing.__code__.co_filename == str(file):
            old = thing.__code__
            thing.__code__ = new.get((old.co_qualname, old.co_firstlineno), old)


def _in_fork(copied: Path, call: Callable[[], int], patience: float) -> int:
    """Return a call's answer from a process of its own, which has so many seconds."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (int(patience), int(patience) + 1))
        signal.alarm(int(30 * patience))
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silence, stream)
        os.chdir(copied)
        os._exit(call() & 255)
    finally:
        os._exit(BROKEN)


def _names(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the modules of Infimum and the names that a file takes from them."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "infimum"
        ):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "infimum":
            yield "infimum", node.attr


def _defined(copied: Path, names: Iterable[tuple[str, str]]) -> list[str]:
    """Return the files of `src` that define names of modules."""
    source, found = copied / "src", set()
    for module, name in names:
        thing: Any = getattr(importlib.import_module(module), name, None)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            file = Path(inspect.getsourcefile(inspect.unwrap(thing)) or "/")
            if file.is_relative_to(source):
                found.add(str(file.relative_to(source)))
    return sorted(found)


class _Recorder:
    """Remembers, for each test that passes, the functions it enters and its seconds."""

    def __init__(self) -> None:
        self.source = str(Path.cwd() / "src") + os.sep
        self.codes: set[Any] = set()
        self.entered: dict[str, dict[str, float]] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        """Watch a test."""
        self.codes = set()
        see = self.codes.add

        def watch(frame: FrameType, event: str, argument: Any) -> None:
            see(frame.f_code)

        begin = time.process_time()
        sys.settrace(watch)
        outcome = yield
        sys.settrace(None)
        spent = time.process_time() - begin
        if getattr(outcome, "excinfo", None) is None:
            for code in self.codes:
                if code.co_filename.startswith(self.source):
                    path = code.co_filename[len(self.source) :]
                    place = f"{path}:{code.co_qualname}"
                    self.entered.setdefault(place, {})[item.nodeid] = round(spent, 2)


def _record(file: str, kept: Path) -> int:
    recorder = _Recorder()
    command = [*QUIETLY, "-m", "syllabus", file]
    code = int(pytest.main(command, plugins=[recorder]))
    kept.write_text(json.dumps(recorder.entered), "utf-8")
    return code
