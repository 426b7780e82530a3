"""Record which loops ordinary calls need, and for which types: ``signatures.json``.

``python -m benchmarks.signatures`` runs every drop-in class, and others with loops of
their own, on ordinary input in a process that finds no machine code, and writes down
what it compiles. Named classes are added to what is recorded already.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.ordinary_calls import KINDS, SIZES, answer, classes
from benchmarks.other_calls import OTHERS, answer_other
from benchmarks.whole_files import write_whole
from infimum.compiled import callbacks
from infimum.compiled.disk_cache import DiskCache
from infimum.compiled.signatures import PLACE, read_signatures, words_of

__all__ = ["called", "main", "watch_formulas"]

#: Whatever grows with the square of the rows is asked with few of them.
_FEW = {
    *("AffinityPropagation", "GaussianProcessClassifier", "GaussianProcessRegressor"),
    *("ClassicalMDS", "Isomap", "LocallyLinearEmbedding", "MDS", "MeanShift"),
    *("NeighborhoodComponentsAnalysis", "SpectralClustering", "TheilSenRegressor"),
    *("MultiTaskElasticNetCV", "MultiTaskLassoCV", "OPTICS", "SpectralEmbedding"),
}
#: What the threads of a larger table call besides.
_BIG = {
    *("HistGradientBoostingClassifier", "HistGradientBoostingRegressor", "KMeans"),
    *("RandomForestClassifier", "RandomForestRegressor", "KNeighborsClassifier"),
    *("SGDClassifier", "LogisticRegression", "LassoCV", "LinearSVC", "DBSCAN"),
    *("DecisionTreeClassifier", "GaussianMixture", "MiniBatchKMeans", "GaussianNB"),
}
#: Rooms whose formulas can be imported where scikit-learn is not installed.
_PARTS = ("infimum.losses.", "infimum.penalties.")
Signatures = dict[str, list[Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Record the classes asked for; all, and from nothing, when none is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.signatures")
    parser.add_argument("names", nargs="*", help="classes")
    parser.add_argument("--small", action="store_true", help="few rows only")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.here:
        formulas = watch_formulas()
        for name in options.names:
            print(name, file=sys.stderr, flush=True)
            _run(name, SIZES[:1] if options.small else SIZES)
        print(json.dumps(called() | formulas))
        return 0
    names = options.names or [*sorted(classes()), *OTHERS]
    call = [sys.executable, "-m", "benchmarks.signatures", "--here", *names]
    with tempfile.TemporaryDirectory() as nothing:
        empty = {**os.environ, "INFIMUM_MACHINE_CODE": nothing}
        done = subprocess.run(
            call, check=True, stdout=subprocess.PIPE, text=True, env=empty
        )
    found: Signatures = read_signatures() if options.names else {}
    _merge(found, json.loads(done.stdout.splitlines()[-1]))
    write(found)
    return 0


def _run(name: str, sizes: Sequence[tuple[int, int]]) -> None:
    if name in OTHERS:
        answer_other(name)
        return
    for size in sizes:
        for kind in KINDS:
            if size[0] < 1000 or name not in _FEW:
                answer(name, kind, size)
    for kind in ("float64 C", "float32 C"):
        if len(sizes) > 1 and name in _BIG:
            answer(name, kind, (20_000, 30))


def watch_formulas() -> Signatures:
    """Return a table that formulas are entered into as they are compiled."""
    found: Signatures = {}
    compiled = callbacks.compile_pointer

    def watched(formula: Any, kind: str) -> Any:
        if formula.__module__.startswith(_PARTS):
            _merge(found, {f"{formula.__module__}.{formula.__qualname__}": [kind]})
        return compiled(formula, kind)

    callbacks.compile_pointer = watched
    return found


def called() -> Signatures:
    """Return the loops of this process with the types they were called with."""
    found: Signatures = {}
    for name, module in sorted(sys.modules.items()):
        if not name.startswith("infimum.compiled."):
            continue
        for loop in vars(module).values():
            if isinstance(getattr(loop, "_cache", None), DiskCache):
                full = f"{loop.py_func.__module__}.{loop.py_func.__name__}"
                kinds = [[words_of(each) for each in sig] for sig in loop.overloads]
                # A loop inside a loop may be given a constant: its caller keeps that.
                kinds = [each for each in kinds if "Literal" not in json.dumps(each)]
                if kinds:
                    found[full] = kinds
    return found


def _merge(found: Signatures, more: Signatures) -> None:
    for name, signatures in more.items():
        known = found.setdefault(name, [])
        known.extend(each for each in signatures if each not in known)


def write(found: Signatures) -> None:
    """Write the file, loops of long files first: they take longest to compile."""
    names = sorted(found, key=lambda name: (-_weight(name) * len(found[name]), name))
    lines = [
        f"{json.dumps(name)}: {json.dumps(sorted(found[name], key=json.dumps))}"
        for name in names
    ]
    write_whole(PLACE, "{\n" + ",\n".join(lines) + "\n}\n")


def _weight(name: str) -> int:
    module = name.rpartition(".")[0]
    return len(Path(str(import_module(module).__file__)).read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
