"""Would the syllabus's tests notice? ``make mutants`` changes the code and asks them.

One operator or constant is changed at a time, in a copy of the repository, in a
function of a file whose public names a file of marked tests imports.
`benchmarks.marked_tests` says which marked tests enter the function: those are run, and
the mutant is killed if one of them fails. Whoever survives meets all tests of the same
room, which mirrors that of the file. Results are appended to a file as they come:
a run that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.marked_tests import ROOT, MarkedTests

__all__ = ["main", "mutants_of"]

#: Seconds of processor time that the tests asked of one mutant may have taken before,
#: and how many are asked.
AFFORDED, ASKED = 20.0, 25
KEPT = ROOT / ".pytest_cache" / "mutants.jsonl"
SWAPS: dict[type[Any], type[Any]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.Pow: ast.Mult, ast.MatMult: ast.Add, ast.And: ast.Or, ast.Or: ast.And,
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


def mutants_of(tree: ast.AST, around: str = "") -> Iterator[tuple[str, ast.expr, str]]:
    """Yield a function's qualified name, an expression of it, and what it becomes."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            name = f"{around}{node.name}"
            for part in _answering(node.body):
                changed = _changed(part)
                if changed is not None:
                    yield name, part, f"({ast.unparse(changed)})"
            yield from mutants_of(node, f"{name}.<locals>.")
        elif isinstance(node, ast.ClassDef):
            yield from mutants_of(node, f"{around}{node.name}.")
        elif not isinstance(node, ast.expr):
            yield from mutants_of(node, around)


def _answering(body: list[ast.stmt]) -> Iterator[Any]:
    """Yield what answers depend on: no messages, guards against mistakes, or seeds.

    A function inside another is left out here, and counts by itself.
    """
    waiting: list[ast.AST] = [*reversed(body)]
    while waiting:
        node = waiting.pop()
        guard = isinstance(node, ast.keyword) and node.arg == "strict"
        seeded = isinstance(node, ast.Call) and "default_rng" in ast.dump(node.func)
        if not (guard or seeded or isinstance(node, ast.Raise | ast.FunctionDef)):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


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


def _mutated(text: str, node: Any, new: str) -> str:
    lines = text.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    stop = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    data = text.encode()
    return (data[:start] + new.encode() + data[stop:]).decode()


@contextmanager
def _changed_file(file: Path, node: Any, new: str) -> Iterator[None]:
    """Hold a file changed, and no bytecode of the change afterwards."""
    text, stamp = file.read_text("utf-8"), file.stat()
    file.write_text(_mutated(text, node, new), "utf-8")
    try:
        yield
    finally:
        file.write_text(text, "utf-8")
        os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        for kept in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            kept.unlink()


def _chosen(costs: dict[str, float], rng: random.Random) -> list[str]:
    """Return some tests in random order, as many as can be afforded."""
    spent, chosen = 0.0, []
    for test in rng.sample(sorted(costs), len(costs)):
        spent += costs[test]
        if (chosen and spent > AFFORDED) or len(chosen) == ASKED:
            break
        chosen.append(test)
    return chosen


def _verdict(tests: MarkedTests, mutant: Any, rng: random.Random) -> str:
    """Return who killed a mutant; "" where no marked test enters the function."""
    path, name, node, new = mutant
    verdict = ""
    for file in tests.files_that_import(path):
        costs = tests.entering(file, f"{path}:{name}")
        if costs:
            verdict, asked = "survived", _chosen(costs, rng)
            patience = 30.0 + 5.0 * sum(costs[test] for test in asked)
            with _changed_file(tests.copied / "src" / path, node, new):
                if tests.failing(path, asked, patience):
                    return "killed"
    if verdict:
        with _changed_file(tests.copied / "src" / path, node, new):
            if tests.room_fails(path):
                return "killed by an unmarked test"
    return verdict


def _mutants(tests: MarkedTests, options: argparse.Namespace) -> dict[str, Any]:
    """Return the mutants by what they change, in an order of the seed's."""
    found: dict[str, Any] = {}
    times: dict[str, int] = {}
    for path in tests.files():
        if options.only in path and "/compiled/" not in path:
            tree = ast.parse((tests.copied / "src" / path).read_text("utf-8"))
            for name, node, new in mutants_of(tree):
                what = f"{path}:{name}  {ast.unparse(node)}  ->  {new}"
                turn = times[what] = times.get(what, 0) + 1
                what += f"  (place {turn})" if turn > 1 else ""
                found[what] = path, name, node, new
    order = {what: sha256(f"{options.seed} {what}".encode()).digest() for what in found}
    return {what: found[what] for what in sorted(found, key=order.__getitem__)}


def _try(options: argparse.Namespace, copied: Path) -> None:
    """Judge mutants until enough have a verdict; keep each verdict at once."""
    kept = [json.loads(line) for line in KEPT.read_text("utf-8").splitlines()]
    asked = [row for row in kept if row["tests"] == options.tests]
    verdicts = {row["what"]: row["verdict"] for row in asked}
    tests = MarkedTests(copied, options.tests)
    judged = {}
    for what, mutant in _mutants(tests, options).items():
        if len(judged) == options.count:
            break
        if what not in verdicts:
            verdicts[what] = _verdict(tests, mutant, random.Random(what))
            row = {"what": what, "verdict": verdicts[what], "tests": options.tests}
            with KEPT.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        if verdicts[what]:
            judged[what] = verdicts[what]
    survivors = [what for what, verdict in judged.items() if verdict == "survived"]
    print(*survivors, sep="\n")
    killed, marked = len(judged) - len(survivors), list(judged.values()).count("killed")
    print(
        f"seed {options.seed}: {killed} of {len(judged)} mutants killed, {marked} of "
        "them by marked tests"
    )


def main(arguments: list[str] | None = None) -> int:
    """Try as many mutants as asked for; print the survivors and the share killed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("tests", nargs="*", default=["tests"])
    options = parser.parse_args(arguments)
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.touch()
    with tempfile.TemporaryDirectory(prefix="infimum-mutants-") as folder:
        copied = Path(folder) / "copy"
        hidden = shutil.ignore_patterns(".*")
        shutil.copytree(ROOT, copied, ignore=hidden)
        _try(options, copied)
    return 0


if __name__ == "__main__":
    sys.exit(main())
