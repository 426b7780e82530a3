"""How far a reader walks who follows one fit: ``make walks``.

A walk is one call, watched by `sys.setprofile` after a first call has loaded and
compiled everything: how many of Infimum's own functions it enters, in how many files,
how deep, how often it changes rooms; how often X is validated, how many arrays of the
size of X are held, and how often the targets are encoded.
"""

from __future__ import annotations

import json
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import infimum

__all__ = ["COUNTS", "WALKS", "Walk", "main", "walk"]

OWN = str(Path(infimum.__file__).parent)
#: Whoever enters here with the rows has validated them.
DOORS = f"{OWN}/data/doors/"
ENTRIES = {
    "rows", "labelled", "measured", "things", "streams", "samples", "array", "read",
}  # fmt: skip
COUNTS = Path(__file__).parent / "results" / "walks.json"
ROWS, COLUMNS = 307, 11


@dataclass
class Walk:
    """What one call did."""

    functions: int = 0
    files: int = 0
    depth: int = 0
    room_changes: int = 0
    validations: int = 0
    copies: int = 0
    encodings: int = 0


@dataclass
class _Watcher:
    """Counts what `sys.setprofile` reports about one call on the rows X."""

    shape: tuple[int, int]
    own: str = OWN
    functions: set[Any] = field(default_factory=set)
    #: For each function on the stack, whether it is a door.
    stack: list[bool] = field(default_factory=list)
    told: Walk = field(default_factory=Walk)
    arrays: dict[int, Any] = field(default_factory=dict)
    last_room: str = ""

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if not code.co_filename.startswith(self.own):
            if event == "call":
                self._outside(frame)
            return
        if event == "call":
            if not code.co_name.startswith("<"):
                self.functions.add(code)
            room = code.co_filename[len(self.own) + 1 :].rpartition("/")[0]
            self.told.room_changes += room != self.last_room
            self.last_room = room
            entered = code.co_filename.startswith(DOORS) and code.co_name in ENTRIES
            self.told.validations += entered and not self._inside()
            self.stack.append(entered)
            self.told.depth = max(self.told.depth, len(self.stack))
        elif event == "return":
            if self.stack:
                self.stack.pop()
            for value in (*frame.f_locals.values(), argument):
                self._look(value)

    def _inside(self) -> bool:
        """Tell whether one is in a door already."""
        return any(self.stack)

    def _outside(self, frame: FrameType) -> None:
        name, values = frame.f_code.co_name, frame.f_locals
        if name == "check_array":
            array = values.get("array")
            checked = getattr(array, "shape", None) == self.shape
            self.told.validations += checked and not self._inside()
        elif name == "unique" and "numpy" in frame.f_code.co_filename:
            self.told.encodings += np.size(values.get("ar")) == self.shape[0]

    def _look(self, value: Any) -> None:
        """Remember an array of X's size; two views of one memory are one array."""
        if isinstance(value, np.ndarray) and value.shape in (
            self.shape,
            self.shape[::-1],
        ):
            self.arrays.setdefault(value.__array_interface__["data"][0], value)

    def result(self) -> Walk:
        """Return the counts."""
        self.told.functions = len(self.functions)
        self.told.files = len({code.co_filename for code in self.functions})
        self.told.copies = max(0, len(self.arrays) - 1)
        return self.told


def walk(call: Callable[[Any, Any], Any]) -> Walk:
    """Watch one call on rows and labels, after a first call without watching."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, COLUMNS))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(ROWS) > 0, "yes", "no")
    watcher = _Watcher(X.shape)
    watcher.arrays[X.__array_interface__["data"][0]] = X
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call(X, y)
        threading.setprofile(watcher)
        sys.setprofile(watcher)
        try:
            call(X, y)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return watcher.result()


def _learn(X: Any, y: Any) -> Any:
    import polars as pl

    table = pl.DataFrame({f"x{j}": X[:, j] for j in range(X.shape[1])} | {"y": y})
    return infimum.learn(table, "y", budget=20.0)


def _boosting(X: Any, y: Any) -> Any:
    from infimum.models.ensembles import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=10).fit(X, y)


def _means(X: Any, y: Any) -> Any:
    from infimum.models.clustering import KMeans

    return KMeans(3, random_state=0).fit(X)


WALKS: dict[str, Callable[[Any, Any], Any]] = {
    "LogisticRegression": lambda X, y: infimum.LogisticRegression().fit(X, y),
    "SVC": lambda X, y: infimum.SVC().fit(X, y),
    "KMeans": _means,
    "HistGradientBoosting": _boosting,
    "learn": _learn,
}


def main(arguments: list[str]) -> None:
    """Print today's counts beside the kept ones; ``--keep`` writes today's."""
    chosen = [name for name in arguments if name in WALKS] or list(WALKS)
    counts = {name: asdict(walk(WALKS[name])) for name in chosen}
    kept = json.loads(COUNTS.read_text("utf-8")) if COUNTS.is_file() else {}
    head = list(asdict(Walk()))
    print(f"{'(now / kept)':22}" + "".join(f"{name:>16}" for name in head))
    for name, row in counts.items():
        before = kept.get(name, {})
        cells = [f"{row[key]} / {before.get(key, '-')}" for key in head]
        print(f"{name:22}" + "".join(f"{cell:>16}" for cell in cells))
    if "--keep" in arguments:
        COUNTS.write_text(json.dumps(kept | counts, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
