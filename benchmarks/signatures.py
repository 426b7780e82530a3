"""Record which loops ordinary calls need, and for which types: ``signatures.json``.

``python -m benchmarks.signatures`` runs every drop-in class on ordinary input, twice:
the first process compiles what is missing, the second finds all of it and sees which
loops Python itself calls. Named classes are added to what is recorded already.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from benchmarks.ordinary_calls import KINDS, SIZES, answer, classes
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
Signatures = dict[str, list[Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Record the classes asked for; all, and from nothing, when none is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.signatures")
    parser.add_argument("names", nargs="*", help="classes, or `learn` for the command")
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
    names = options.names or [*sorted(classes()), "learn"]
    call = [sys.executable, "-m", "benchmarks.signatures", "--here", *names]
    # The first process fills the cache, the second tells what was called.
    for _ in range(2):
        done = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True)
    found: Signatures = read_signatures() if options.names else {}
    _merge(found, json.loads(done.stdout.splitlines()[-1]))
    write(found)
    return 0


def _run(name: str, sizes: Sequence[tuple[int, int]]) -> None:
    if name == "learn":
        from infimum import learn
        from infimum.data import bundled

        learn(bundled(), "denied", budget=30.0)
        return
    for size in sizes:
        for kind in KINDS:
            if size[0] < 1000 or name not in _FEW:
                answer(name, kind, size)


def watch_formulas() -> Signatures:
    """Return a table that formulas are entered into as they are compiled."""
    found: Signatures = {}
    compiled = callbacks.compile_pointer

    def watched(formula: Any, kind: str) -> Any:
        if formula.__module__.startswith("infimum."):
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
                if kinds:
                    found[full] = kinds
    return found


def _merge(found: Signatures, more: Signatures) -> None:
    for name, signatures in more.items():
        known = found.setdefault(name, [])
        known.extend(each for each in signatures if each not in known)


def write(found: Signatures) -> None:
    """Write the file, those with the most signatures first: they take longest."""
    names = sorted(found, key=lambda name: (-len(found[name]), name))
    lines = [
        f"{json.dumps(name)}: {json.dumps(sorted(found[name], key=json.dumps))}"
        for name in names
    ]
    write_whole(PLACE, "{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    sys.exit(main())
