"""Every class we share with scikit-learn, at its defaults: ``docs/everyday.md``.

``python -m benchmarks.everyday`` fits and asks each of them at three sizes, ours and
theirs in turn in one process, warm, and writes down the ratios of the least times, the
quality and the memory; about twelve minutes on an idle machine. Of named classes no
page is written. In pieces: ``--kept FILE --until 200`` begins no other class after so
many seconds and goes on where the file ends; the page is written at the end.
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
    QUADRATIC,
    Table,
    arguments,
    draw,
    pairs,
    quality,
    rows_for,
)
from benchmarks.everyday_page import PLACE, page, short
from benchmarks.whole_files import write_whole

__all__ = ["Line", "main", "measure", "question", "run"]

SIZES = ((300, 10), (2000, 20), (20_000, 30))
#: Seconds of turns that a class gets on one table.
PATIENCE = 0.2
#: Whose first call on a table takes so many seconds is not called again.
LONG = 0.3
#: Whatever takes so many seconds on the first table of a size is spared the others.
ENOUGH = 2.0
#: Where one of the two is likely to take so many seconds, a size is spared both.
ENDLESS = 8.0
#: Memory is traced where a call takes no longer.
SHORT = 0.5
_ANSWERS = ("predict", "transform", "score_samples")
Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Line:
    """What one class did on one table: seconds, quality and bytes, ours then theirs."""

    name: str
    asked: int
    rows: int
    columns: int
    table: str
    seconds: Pair
    quality: Pair | None = None
    peak: Pair | None = None

    @property
    def ratio(self) -> float:
        """How often ours could be called in the time of theirs."""
        return float(self.seconds[1] / self.seconds[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the classes asked for, or all, and write the page."""
    options = _parser().parse_args(arguments)
    warnings.simplefilter("ignore")
    began = time.monotonic()
    lines = _read(options.kept)
    done = {(each.name, each.asked) for each in lines}
    sizes = [each for each in SIZES if each[0] in (options.sizes or [each[0]])]
    names = options.names or list(pairs())
    for size, name in [(size, name) for size in sizes for name in names]:
        if (name, size[0]) in done or _spared(name, size[0], lines):
            continue
        if options.until and time.monotonic() - began > options.until:
            return 1
        lines += _one(name, size, options)
    if not (options.names or options.sizes):
        told = page(lines, processor=options.processor, note=options.note)
        write_whole(PLACE, told)
        sys.stderr.write(f"{time.monotonic() - began:.0f} s\n")
    return 0


def _spared(name: str, asked: int, lines: Sequence[Line]) -> bool:
    """Tell whether a class has had as many rows, or is likely to take too long."""
    before = [each for each in lines if each.name == name and each.asked < asked]
    rows, power = rows_for(name, asked), 2 if name in QUADRATIC else 1
    return any(
        each.rows == rows or max(each.seconds) * (rows / each.rows) ** power > ENDLESS
        for each in before
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everyday")
    parser.add_argument("names", nargs="*", help="classes; without any, all")
    parser.add_argument("--sizes", nargs="*", type=int, help="numbers of rows")
    parser.add_argument("--kept", type=Path, help="a file of lines, and where to go on")
    parser.add_argument("--until", type=float, help="seconds, then no other class")
    parser.add_argument("--note", default="", help="what the page says of the run")
    parser.add_argument("--patience", type=float, default=PATIENCE)
    parser.add_argument(
        "--processor", action="store_true", help="its time, all threads"
    )
    return parser


def _one(name: str, size: tuple[int, int], options: argparse.Namespace) -> list[Line]:
    """Measure one class at one size; keep and tell it."""
    clock = time.process_time if options.processor else time.perf_counter
    try:
        found = measure(name, size, options.patience, clock)
    except Exception as error:
        sys.stderr.write(f"{name} {type(error).__name__}: {error}\n")
        return []
    if options.kept:
        with options.kept.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(line)) + "\n" for line in found)
    sys.stderr.write(short(name, found) + "\n")
    return found


def _read(path: Path | None) -> list[Line]:
    if path is None or not path.is_file():
        return []
    kept = map(json.loads, path.read_text(encoding="utf-8").splitlines())
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
    found: list[Line] = []
    began = np.inf
    for seed, kind in enumerate(FAMILY):
        if found and time.monotonic() - began > ENOUGH:
            break
        table = draw(name, kind, (rows, size[1]), seed)
        makers = [(each, arguments(name, each, seed)) for each in pairs()[name]]
        asked = question(makers)
        if not found or found[-1].seconds[0] < LONG:
            # Loops are read from disk, for some types at a later table.
            run(makers[0][0](**makers[0][1]), table, asked)
            began = min(began, time.monotonic())
        models, seconds = race(makers, table, patience, clock, asked)
        grades = tuple(quality(model, table) for model in models)
        peaks = None
        if not found and max(seconds) < SHORT:
            peaks = tuple(_peak(*maker, table, asked) for maker in makers)
        told = (seconds, grades, peaks)
        found.append(Line(name, size[0], rows, size[1], kind, *told))
    return found


def question(makers: list[tuple[Any, dict[str, Any]]]) -> str | None:
    """Return the first method that both answer by; some classes only fit."""
    both = [maker(**given) for maker, given in makers]
    shared = (each for each in _ANSWERS if all(hasattr(m, each) for m in both))
    return next(shared, None)


def _peak(maker: Any, given: dict[str, Any], table: Table, asked: str | None) -> int:
    """Return the most bytes that Python holds in a fit and a question."""
    tracemalloc.start()
    try:
        run(maker(**given), table, asked)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def race(
    makers: list[tuple[Any, dict[str, Any]]],
    table: Table,
    patience: float,
    clock: Callable[[], float],
    asked: str | None,
) -> tuple[list[Any], Pair]:
    """Call both, then let those that are not slow take turns.

    Returns the models of the first calls, and the least time of each.
    """

    def call(maker: Any, given: dict[str, Any], kept: list[Any]) -> float:
        model = maker(**given)
        start = clock()
        run(model, table, asked)
        spent = clock() - start
        kept.append(model)
        return spent

    models: list[Any] = []
    times = [[call(*maker, models)] for maker in makers]
    slow = [kept[0] > LONG for kept in times]
    began = clock()
    while len(times[0]) < 50 and not all(slow):
        for maker, kept, spared in zip(makers, times, slow, strict=True):
            if not spared:
                kept.append(call(*maker, []))
        if clock() - began >= patience:
            break
    ours, theirs = (float(np.min(each)) for each in times)
    return models, (ours, theirs)


def run(model: Any, table: Table, asked: str | None) -> None:
    """Fit, and ask the question."""
    model.fit(table.X, table.y)
    if asked is not None:
        getattr(model, asked)(table.asked)


if __name__ == "__main__":
    sys.exit(main())
