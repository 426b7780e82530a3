"""Every class we share with scikit-learn, at its defaults: ``docs/everyday.md``.

``python -m benchmarks.everyday`` fits and asks each of them at three sizes, ours and
theirs in turn in one process, warm, and writes down the ratios of the least times. Of
named classes no page is written. In pieces: ``--sizes 300 --json 300.json`` for each
size, then ``--sizes --known 300.json 2000.json 20000.json``.
"""

import argparse
import json
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.everyday_cases import (
    FAMILY,
    Table,
    arguments,
    draw,
    pairs,
    quality,
    rows_for,
)
from benchmarks.everyday_page import PLACE, page, short
from benchmarks.whole_files import write_whole

__all__ = ["Line", "main", "measure"]

SIZES = ((300, 10), (2000, 20), (20_000, 30))
#: Seconds of turns that a class gets on one table.
PATIENCE = 0.4
_ANSWERS = ("predict", "transform", "score_samples")


@dataclass(frozen=True)
class Line:
    """What one class did on one table: seconds, quality and bytes, ours then theirs."""

    name: str
    asked: int
    rows: int
    columns: int
    table: str
    seconds: tuple[float, float]
    quality: tuple[float | None, float | None]
    peak: tuple[int, int]

    @property
    def ratio(self) -> float:
        """How often ours could be called in the time of theirs."""
        return self.seconds[1] / self.seconds[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the classes asked for, or all, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everyday")
    parser.add_argument("names", nargs="*", help="classes; without any, all")
    parser.add_argument("--sizes", nargs="*", type=int, help="numbers of rows")
    parser.add_argument("--json", type=Path, help="where the lines are written")
    parser.add_argument("--known", nargs="*", type=Path, default=[], help="such files")
    parser.add_argument("--patience", type=float, default=PATIENCE)
    parser.add_argument(
        "--processor", action="store_true", help="its time, all threads"
    )
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    clock = time.process_time if options.processor else time.perf_counter
    lines = [line for path in options.known for line in _read(path)]
    for size in SIZES:
        if options.sizes is not None and size[0] not in options.sizes:
            continue
        for name in options.names or pairs():
            try:
                lines += measure(name, size, options.patience, clock)
            except Exception as error:
                sys.stderr.write(f"{name} {type(error).__name__}: {error}\n")
                continue
            sys.stderr.write(short(name, lines[-len(FAMILY) :]) + "\n")
    if options.json:
        kept = json.dumps([asdict(line) for line in lines], indent=0)
        write_whole(options.json, kept + "\n")
    if not options.names and (options.sizes is None or options.known):
        write_whole(PLACE, page(lines, processor=options.processor))
    return 0


def _read(path: Path) -> list[Line]:
    kept = json.loads(path.read_text(encoding="utf-8"))
    return [Line(**{k: _tuple(v) for k, v in line.items()}) for line in kept]


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def measure(
    name: str,
    size: tuple[int, int],
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Line]:
    """Return a line for each table of the family."""
    rows = rows_for(name, size[0])
    found = []
    for seed, kind in enumerate(FAMILY):
        table = draw(name, kind, (rows, size[1]), seed)
        makers = [(each, arguments(name, each, seed)) for each in pairs()[name]]
        told = race(makers, table, patience, clock)
        found.append(Line(name, size[0], rows, size[1], kind, *told))
    return found


def race(
    makers: list[tuple[Any, dict[str, Any]]],
    table: Table,
    patience: float,
    clock: Callable[[], float],
) -> Any:
    """Warm both up, measuring their peaks, then let them take turns."""
    peaks, grades = [], []
    for maker, given in makers:
        run(maker(**given), table)
        tracemalloc.start()
        model = maker(**given)
        run(model, table)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        grades.append(quality(model, table))
    times: tuple[list[float], list[float]] = ([], [])
    began = clock()
    while not times[0] or (clock() - began < patience and len(times[0]) < 50):
        for (maker, given), kept in zip(makers, times, strict=True):
            model = maker(**given)
            start = clock()
            run(model, table)
            kept.append(clock() - start)
    least = tuple(float(np.min(each)) for each in times)
    return least, tuple(grades), tuple(peaks)


def run(model: Any, table: Table) -> None:
    """Fit, and ask the first question that the model answers."""
    model.fit(table.X, table.y)
    for method in _ANSWERS:
        if hasattr(model, method):
            getattr(model, method)(table.asked)
            return


if __name__ == "__main__":
    sys.exit(main())
