"""Would the syllabus's tests notice? ``make mutants`` changes the code and asks them.

Every marked test is run once, and the functions that it enters are recorded. Then one
operator or constant is changed at a time, in a copy of the repository, in a function of
a file that some marked test calls itself. The marked tests that enter the function are
run: the mutant is killed if one of them fails.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

__all__ = ["main", "mutants_of"]

ROOT = Path(__file__).parent.parent
ENTERED = ".pytest_cache/entered.json"
#: Seconds of processor time after which a mutant counts as killed (it hangs, however
#: busy the machine is), and tests that are asked of each.
PATIENCE, ASKED = 120, 25
SWAPS: dict[type[Any], type[Any]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.Pow: ast.Mult, ast.MatMult: ast.Add, ast.And: ast.Or, ast.Or: ast.And,
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip

_entered: dict[str, set[str]] = {}
_called: set[str] = set()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    """Record the functions that a test enters, and the files that it calls itself."""
    source, tests = str(ROOT / "src"), str(ROOT / "tests")

    def watch(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(source):
            return
        caller = frame.f_back.f_code.co_filename if frame.f_back else ""
        path = code.co_filename[len(source) + 1 :]
        if caller.startswith(tests):
            _called.add(path)
        _entered.setdefault(f"{path}:{code.co_firstlineno}", set()).add(item.nodeid)

    sys.setprofile(watch)
    yield
    sys.setprofile(None)


def pytest_sessionfinish() -> None:
    """Write what was recorded."""
    told = {
        place: sorted(tests)
        for place, tests in _entered.items()
        if place.rpartition(":")[0] in _called
    }
    (ROOT / ENTERED).write_text(json.dumps(told))


def mutants_of(tree: ast.Module, first: set[int]) -> Iterator[tuple[ast.expr, str]]:
    """Yield expressions of the functions that begin in `first`, and their mutants."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        begin = min([function.lineno, *(d.lineno for d in function.decorator_list)])
        if begin in first:
            body = [s for s in function.body if not isinstance(s, ast.Raise)]
            nodes = [node for part in body for node in ast.walk(part)]
            # What only guards against mistakes elsewhere changes no answer.
            guards = {
                each.value
                for each in nodes
                if isinstance(each, ast.keyword) and each.arg == "strict"
            }
            for node in (node for node in nodes if node not in guards):
                changed = _changed(node)
                if changed is not None:
                    yield node, f"({ast.unparse(changed)})"


def _changed(node: Any) -> Any:
    other = copy.deepcopy(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        kept = isinstance(node.value, bool)
        other.value = (not node.value) if kept else node.value + 1
    elif isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPS:
        other.op = SWAPS[type(node.op)]()
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        other.ops[0] = SWAPS[type(node.ops[0])]()
    else:
        return None
    return other


def _all_mutants(entered: dict[str, list[str]]) -> list[tuple[str, Any, str, Any]]:
    """Return file, expression, mutant and tests of whatever can be changed."""
    begins: dict[str, set[int]] = {}
    for place in entered:
        path, _, line = place.rpartition(":")
        if "compiled" not in path:
            begins.setdefault(path, set()).add(int(line))
    found = []
    for path, first in sorted(begins.items()):
        tree = ast.parse((ROOT / "src" / path).read_text("utf-8"))
        lines = sorted(first)
        for node, text in mutants_of(tree, first):
            begin = max(line for line in lines if line <= node.lineno)
            found.append((path, node, text, entered[f"{path}:{begin}"]))
    return found


def _mutated(text: str, node: Any, new: str) -> str:
    lines = text.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    stop = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    data = text.encode()
    return (data[:start] + new.encode() + data[stop:]).decode()


def _survives(copied: Path, path: str, node: Any, new: str, tests: Any) -> bool:
    file = copied / "src" / path
    text = file.read_text("utf-8")
    file.write_text(_mutated(text, node, new), "utf-8")
    command = [
        sys.executable,
        "-B",
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
    ]
    limit = resource.RLIMIT_CPU, (PATIENCE, PATIENCE)
    try:
        ran = subprocess.run(
            [*command, *tests], cwd=copied, capture_output=True, check=False,
            env=os.environ | {"PYTHONPATH": str(copied / "src")},
            preexec_fn=lambda: resource.setrlimit(*limit),
        )  # fmt: skip
        return ran.returncode == 0
    finally:
        file.write_text(text, "utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Try as many mutants as asked for; print the share killed and the survivors."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("tests", nargs="*", default=["tests"])
    options = parser.parse_args(arguments)
    command = [sys.executable, "-m", "pytest", "-q", "-m", "syllabus"]
    command += ["-p", "benchmarks.mutants", *options.tests]
    subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    entered = json.loads((ROOT / ENTERED).read_text())
    found = [m for m in _all_mutants(entered) if options.only in m[0]]
    rng = random.Random(options.seed)
    chosen = rng.sample(found, min(options.count, len(found)))
    survivors = []
    with tempfile.TemporaryDirectory(prefix="infimum-mutants-") as folder:
        copied = Path(folder) / "copy"
        hidden = shutil.ignore_patterns(".*", "__pycache__")
        shutil.copytree(ROOT, copied, ignore=hidden)
        for path, node, new, tests in chosen:
            asked = rng.sample(tests, min(ASKED, len(tests)))
            if _survives(copied, path, node, new, asked):
                told = f"{path}:{node.lineno}  {ast.unparse(node)}  ->  {new}"
                survivors.append(told)
                print(told, flush=True)
    killed = len(chosen) - len(survivors)
    print(f"seed {options.seed}: {killed} of {len(chosen)} mutants killed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
