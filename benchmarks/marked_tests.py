"""Which marked tests enter which functions, found file by file, and kept.

Tests run in forks of a process that has loaded the packages they need and nothing of
Infimum: a run of one test costs what the test costs.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

__all__ = ["ROOT", "MarkedTests", "failing"]

ROOT = Path(__file__).parent.parent
KEPT = ROOT / ".pytest_cache" / "entered"
#: Loaded once, before the forks. scikit-learn brings NumPy and SciPy along.
LOADED = ("numba", "polars", "sklearn", "sklearn.utils.estimator_checks")
#: Seconds of processor time that the marked tests of a file may take to be recorded.
PATIENCE = 300.0


class MarkedTests:
    """The marked tests of a copy of the repository."""

    def __init__(self, copied: Path, folders: list[str]) -> None:
        self.copied = copied
        os.environ["NUMBA_CACHE_DIR"] = str(copied.parent / "numba")
        for name in LOADED:
            importlib.import_module(name)
        KEPT.mkdir(parents=True, exist_ok=True)
        paths = [copied / folder for folder in folders]
        files = [
            f for p in paths for f in (p.rglob("test_*.py") if p.is_dir() else [p])
        ]
        marked = [f for f in sorted(files) if "mark.syllabus" in f.read_text("utf-8")]
        self._imports = self._sources(marked)
        self._entered: dict[str, dict[str, dict[str, float]]] = {}

    def files(self) -> list[str]:
        """Return the files of `src` whose names marked tests import."""
        return sorted({path for paths in self._imports.values() for path in paths})

    def files_that_import(self, path: str) -> list[str]:
        """Return the files of marked tests that import names of a file of `src`."""
        return sorted(file for file, paths in self._imports.items() if path in paths)

    def entering(self, file: str, function: str) -> dict[str, float]:
        """Return what marked tests of a file enter a function, and their seconds."""
        if file not in self._entered:
            stamp = hashlib.sha256((self.copied / file).read_bytes()).hexdigest()[:12]
            kept = KEPT / f"{file.replace('/', '.')}-{stamp}.json"
            if not kept.is_file():
                _in_fork(self.copied, lambda: _record(file, kept), PATIENCE)
            if not kept.is_file():
                raise RuntimeError(f"the marked tests of {file} came to no end")
            self._entered[file] = json.loads(kept.read_text("utf-8"))
        return self._entered[file].get(function, {})

    def _sources(self, files: list[Path]) -> dict[str, list[str]]:
        names = {str(f.relative_to(self.copied)): sorted(_names(f)) for f in files}
        answer = self.copied / "imports.json"

        def resolve() -> int:
            told = {file: _defined(self.copied, asked) for file, asked in names.items()}
            return 0 if answer.write_text(json.dumps(told), "utf-8") else 1

        _in_fork(self.copied, resolve, PATIENCE)
        found: dict[str, list[str]] = json.loads(answer.read_text("utf-8"))
        return found


def failing(copied: Path, tests: list[str], patience: float) -> bool:
    """Return whether one of the tests fails, or does not come to an end in time."""
    command = ["-q", "-x", "-p", "no:cacheprovider", *tests]
    code = _in_fork(copied, lambda: int(pytest.main(command)), patience)
    if code in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(f"pytest did not find {tests}")
    return code != 0


def _in_fork(copied: Path, call: Callable[[], int], patience: float) -> int:
    """Return a call's answer from a process of its own, that sees the copy only."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (int(patience), int(patience) + 1))
        signal.alarm(int(30 * patience))
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silence, stream)
        os.chdir(copied)
        os.environ["PYTHONPATH"] = f"{copied / 'src'}:{copied}"
        others = [path for path in sys.path if not _is_ours(path)]
        sys.path[:] = [str(copied / "src"), str(copied), *others]
        for name in [name for name in sys.modules if name.startswith("benchmarks")]:
            del sys.modules[name]
        code = call()
    finally:
        os._exit(code)


def _is_ours(path: str) -> bool:
    place = Path(path or ".").resolve()
    return (place / "infimum").is_dir() or (place / "benchmarks").is_dir()


def _names(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the modules of Infimum and the names that a file takes from them."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "infimum"
        ):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "infimum":
            yield "infimum", node.attr


def _defined(copied: Path, names: list[tuple[str, str]]) -> list[str]:
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
    command = ["-q", "-m", "syllabus", "-p", "no:cacheprovider", file]
    code = int(pytest.main(command, plugins=[recorder]))
    kept.write_text(json.dumps(recorder.entered), "utf-8")
    return code
