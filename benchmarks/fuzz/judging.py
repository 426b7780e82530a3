"""One forgery after another in a process of its own: loaded, asked, judged.

A forgery passes if loading refuses it in one sentence, or if whatever is asked of the
loaded model is answered or refused in the library's own words. It fails by a signal, by
taking too long, by taking too much memory, or by an exception of another kind.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

import infimum
from benchmarks.fuzz.forging import Forger, Specimen, read_specimen, write_file
from infimum.compiled.trees.tree_walk import find_leaves
from infimum.errors import InfimumError, ModelFileError

__all__ = ["check_bounds", "judge_range", "judge_specimens"]

#: Seconds of work, and seconds by the clock, after which a case counts as endless.
WORK, CLOCK = 20.0, 300.0
#: What a process may take beyond what it has when it begins.
MEBIBYTES = 3_072
ASKED = (
    *("predict", "predict_proba", "predict_log_proba", "decision_function"),
    *("transform", "score_samples", "apply", "decision_path", "kneighbors"),
    *("radius_neighbors", "kneighbors_graph", "staged_predict", "staged_predict_proba"),
    *("predict_interval", "predict_set", "proximities"),
)
ASKED_WITH_TARGETS = ("score", "certify", "partial_fit")
ASKED_ALONE = (
    *("sample", "get_depth", "get_n_leaves", "get_feature_names_out", "dendrogram"),
    *("__repr__",),
)


def judge_range(folder: Path, seed: int, first: int, last: int, journal: Path) -> None:
    """Judge forgeries `first` to `last`; write each failure as a line of JSON.

    The number of a case is written before it is begun, so that whoever reads the
    journal knows which case ended the process.
    """
    specimens, queries = _read(folder)
    forger = Forger(specimens, seed)
    _limit_memory()
    forged = Path(tempfile.mkdtemp(dir=_fast_folder())) / "forged.infimum"
    with journal.open("a", buffering=1) as out:
        for number in range(first, last):
            out.write(f"{number}\n")
            _limit_time(WORK, CLOCK)
            specimen, tree, arrays, told = forger.forge(number)
            outcome, failures = _judge(forged, specimen, tree, arrays, queries)
            _limit_time(0.0, 0.0)
            out.write(json.dumps({"tally": {outcome: 1}}) + "\n")
            for failure in failures:
                found = {"case": number, "specimen": specimen.name, "changes": told}
                out.write(json.dumps({**found, **failure}) + "\n")
    forged.unlink(missing_ok=True)
    forged.parent.rmdir()


def judge_specimens(folder: Path, journal: Path) -> None:
    """Judge the valid files: they must load and answer, and compile what they need."""
    specimens, queries = _read(folder)
    with journal.open("a", buffering=1) as out:
        for specimen in specimens:
            failures: list[dict[str, Any]] = []
            path = folder / f"{specimen.name}.infimum"
            model = _tried("load", partial(infimum.load, path), failures, ())
            for what, ask in _questions(model, *queries[specimen.name]):
                _tried(what, ask, failures)
            for failure in failures:
                found = {"case": "valid", "specimen": specimen.name}
                out.write(json.dumps({**found, **failure}) + "\n")


def _read(folder: Path) -> tuple[list[Specimen], dict[str, Any]]:
    specimens = [read_specimen(path) for path in sorted(folder.glob("*.infimum"))]
    queries = {
        path.stem: pickle.loads(path.read_bytes()) for path in folder.glob("*.queries")
    }
    return specimens, queries


def check_bounds() -> None:
    """Raise RuntimeError unless a compiled loop notices an index that leads astray."""
    # Behind the first node lie other leaves: who does not check reads one of those.
    nodes, row = np.zeros((8, 2), dtype=np.int64)[:1], np.zeros((1, 1))
    words, out = np.zeros(1, dtype=np.uint32), np.zeros((1, 1), dtype=np.int64)
    astray = np.array([3])
    try:
        find_leaves(nodes, nodes.view(np.float64), words, astray, row, out)
    except IndexError:
        return
    raise RuntimeError("Compiled loops do not check their indices in this process.")


def _fast_folder() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _limit_time(work: float, clock: float) -> None:
    """Let the process be ended unless this is called again: no Python is needed."""
    signal.setitimer(signal.ITIMER_PROF, work)
    signal.setitimer(signal.ITIMER_REAL, clock)


def _limit_memory() -> None:
    with Path("/proc/self/statm").open() as handle:
        pages = int(handle.read().split()[0])
    limit = pages * resource.getpagesize() + MEBIBYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _judge(
    path: Path, specimen: Any, tree: Any, arrays: Any, queries: Any
) -> tuple[str, list[dict[str, Any]]]:
    try:
        write_file(path, tree, arrays, specimen.manifest)
    except (ValueError, TypeError, KeyError, OverflowError):
        return "not writable", []
    failures: list[dict[str, Any]] = []
    model = _tried("load", lambda: infimum.load(path), failures, ModelFileError)
    if model is None:
        return "refused", failures
    X, y = queries[specimen.name]
    for what, ask in _questions(model, X, y):
        _tried(what, ask, failures)
    return "loaded", failures


def _questions(model: Any, X: Any, y: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what can be asked of a model: methods that are there, and properties."""
    known = dir(type(model))
    if isinstance(X, dict):  # verbs with their own arguments
        yield from ((name, partial(_asked, model, name, X[name])) for name in X)
        return
    for names, given in (
        (ASKED, (X,)),
        (ASKED_WITH_TARGETS, (X, y)),
        (ASKED_ALONE, ()),
    ):
        for name in names:
            if name in known and (len(given) < 2 or y is not None):
                yield name, lambda name=name, given=given: _asked(model, name, given)
    for name in known:
        if isinstance(getattr(type(model), name, None), property) and name[0] != "_":
            yield name, lambda name=name: getattr(model, name)
    if "inverse_transform" in known and "transform" in known:
        yield "inverse_transform", lambda: _returned(model, X)


def _asked(model: Any, name: str, given: tuple[Any, ...]) -> Any:
    if not hasattr(model, name):  # in this setting there is no such method
        return None
    return _drained(getattr(model, name)(*given))


def _returned(model: Any, X: Any) -> Any:
    if hasattr(model, "transform") and hasattr(model, "inverse_transform"):
        return model.inverse_transform(model.transform(X))
    return None


def _drained(answer: Any) -> Any:
    if hasattr(answer, "__next__"):
        for position, _ in enumerate(answer):
            if position > 1000:
                break
    return answer


def _tried(
    what: str,
    ask: Callable[[], Any],
    failures: list[dict[str, Any]],
    own: Any = (InfimumError, NotFittedError),
) -> Any:
    try:
        return ask()
    except own as error:
        text = str(error)
        if (
            "\n" in text
            and not isinstance(error, NotFittedError)
            and "\n" in text.strip()
        ):
            failures.append({"asked": what, "error": "many lines", "text": text[:300]})
    except AttributeError as error:
        if not _is_absent(error):
            failures.append(_described(what, error))
    except Exception as error:
        if what == "load" or not _is_from_a_door(error):
            failures.append(_described(what, error))
    return None


def _is_absent(error: BaseException) -> bool:
    """Tell whether a property says on purpose that it does not exist."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (last.line or "").startswith("raise ")


def _is_from_a_door(error: BaseException) -> bool:
    """Tell whether scikit-learn refuses on purpose, as it does with any model."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    wanted = (last.line or "").startswith("raise ") and "/sklearn/" in last.filename
    unread = str(error).startswith("could not convert string to float")
    return (wanted or unread) and isinstance(error, ValueError | TypeError)


def _described(what: str, error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    house = str(Path(infimum.__file__).parent)
    ours = [f for f in frames if f.filename.startswith(house)]
    where = ours[-1] if ours else frames[-1]
    place = f"{where.filename.split('/infimum/')[-1]}:{where.lineno}"
    kind = type(error).__name__ if ours else f"{type(error).__name__} in scikit-learn"
    return {"asked": what, "error": kind, "text": str(error)[:300], "place": place}


if __name__ == "__main__":
    folder, journal, *numbers = sys.argv[1:]
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    if os.environ.get("NUMBA_BOUNDSCHECK") == "1":
        check_bounds()
    if numbers:
        seed, first, last = map(int, numbers)
        judge_range(Path(folder), seed, first, last, Path(journal))
    else:
        judge_specimens(Path(folder), Path(journal))
