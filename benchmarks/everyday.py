"""Every class we share with scikit-learn, at its defaults: ``docs/everyday.md``.

``python -m benchmarks.everyday`` fits and asks each of them at three sizes, ours and
theirs in turn in one process, warm, and writes down the ratios of the least times. Of
named classes no page is written. In pieces: ``--kept FILE --until 200`` begins no other
class after so many seconds and goes on where the file ends; ``--judge`` adds quality
and memory, which do not depend on who else works. The page is written at the end.
"""

import argparse
import json
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
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

__all__ = ["Line", "joined", "main", "measure", "question", "run"]

SIZES = ((300, 10), (2000, 20), (20_000, 30))
#: Seconds of turns that a class gets on one table.
PATIENCE = 0.4
#: Whose first call on a table takes so many seconds is not called again.
LONG = 0.3
#: Whatever takes so many seconds on the first table of a size is spared the others.
ENOUGH = 3.0
_ANSWERS = ("predict", "transform", "score_samples")
Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Line:
    """What one class did on one table: seconds, quality and bytes, ours then theirs.

    What has not been measured yet is None.
    """

    name: str
    asked: int
    rows: int
    columns: int
    table: str
    seconds: Pair | None = None
    quality: Pair | None = None
    peak: Pair | None = None

    @property
    def ratio(self) -> float:
        """How often ours could be called in the time of theirs."""
        assert self.seconds is not None
        return float(self.seconds[1] / self.seconds[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the classes asked for, or all, and write the page."""
    options = _parser().parse_args(arguments)
    warnings.simplefilter("ignore")
    began = time.monotonic()
    lines = _read(options.kept)
    wanted = "quality" if options.judge else "seconds"
    done = {(each.name, each.asked) for each in lines if getattr(each, wanted)}
    sizes = [each for each in SIZES if each[0] in (options.sizes or [each[0]])]
    names = options.names or list(pairs())
    for name, size in [(name, size) for size in sizes for name in names]:
        if (name, size[0]) in done:
            continue
        if options.until and time.monotonic() - began > options.until:
            return 1
        lines += _one(name, size, options)
    if not (options.names or options.judge or options.sizes):
        told = page(joined(lines), processor=options.processor, note=options.note)
        write_whole(PLACE, told)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everyday")
    parser.add_argument("names", nargs="*", help="classes; without any, all")
    parser.add_argument("--sizes", nargs="*", type=int, help="numbers of rows")
    parser.add_argument("--kept", type=Path, help="a file of lines, and where to go on")
    parser.add_argument("--until", type=float, help="seconds, then no other class")
    parser.add_argument("--judge", action="store_true", help="quality and memory only")
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
        found = measure(
            name, size, None if options.judge else options.patience, clock,
            judged=options.judge or not options.kept,
        )  # fmt: skip
    except Exception as error:
        sys.stderr.write(f"{name} {type(error).__name__}: {error}\n")
        return []
    if options.kept:
        with options.kept.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(line)) + "\n" for line in found)
    if not options.judge:
        sys.stderr.write(short(name, found) + "\n")
    return found


def _read(path: Path | None) -> list[Line]:
    if path is None or not path.is_file():
        return []
    kept = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Line(**{k: _tuple(v) for k, v in line.items()}) for line in kept]


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def joined(lines: Sequence[Line]) -> list[Line]:
    """Put what was measured of a class on a table together; the last time counts."""
    found: dict[Any, Line] = {}
    for line in lines:
        key = (line.name, line.asked, line.table)
        told = {k: v for k, v in asdict(line).items() if v is not None}
        found[key] = replace(found.get(key, line), **told)
    return [line for line in found.values() if line.seconds]


def measure(
    name: str,
    size: tuple[int, int],
    patience: float | None = PATIENCE,
    clock: Callable[[], float] = time.perf_counter,
    *,
    judged: bool = True,
) -> list[Line]:
    """Return a line for each table of the family; without patience nothing is timed."""
    rows = rows_for(name, size[0])
    found, began = [], time.monotonic()
    for seed, kind in enumerate(FAMILY):
        if found and time.monotonic() - began > ENOUGH:
            break
        table = draw(name, kind, (rows, size[1]), seed)
        makers = [(each, arguments(name, each, seed)) for each in pairs()[name]]
        asked = question(makers)
        line = Line(name, size[0], rows, size[1], kind)
        if judged:
            told = [_judge(*maker, table, asked) for maker in makers]
            grades, peaks = zip(*told, strict=True)
            line = replace(line, quality=grades, peak=peaks)
        if patience is not None:
            if not found and not judged:  # loops are read from disk once
                run(makers[0][0](**makers[0][1]), table, asked)
            seconds = race(makers, table, patience, clock, asked)
            line = replace(line, seconds=seconds)
        found.append(line)
    return found


def question(makers: list[tuple[Any, dict[str, Any]]]) -> str | None:
    """Return the first method that both answer by; some classes only fit."""
    both = [maker(**given) for maker, given in makers]
    shared = (each for each in _ANSWERS if all(hasattr(m, each) for m in both))
    return next(shared, None)


def _judge(
    maker: Any, given: dict[str, Any], table: Table, asked: str | None
) -> tuple[Any, int]:
    """Return how well a model answers, and the peak of a fit and a question."""
    run(maker(**given), table, asked)
    tracemalloc.start()
    model = maker(**given)
    run(model, table, asked)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return quality(model, table), peak


def race(
    makers: list[tuple[Any, dict[str, Any]]],
    table: Table,
    patience: float,
    clock: Callable[[], float],
    asked: str | None,
) -> tuple[float, float]:
    """Call both, then let those that are not slow take turns."""

    def call(maker: Any, given: dict[str, Any]) -> float:
        model = maker(**given)
        start = clock()
        run(model, table, asked)
        return clock() - start

    times = [[call(*maker)] for maker in makers]
    slow = [kept[0] > LONG for kept in times]
    began = clock()
    while len(times[0]) < 50 and not all(slow):
        for maker, kept, spared in zip(makers, times, slow, strict=True):
            if not spared:
                kept.append(call(*maker))
        if clock() - began >= patience:
            break
    ours, theirs = (float(np.min(each)) for each in times)
    return ours, theirs


def run(model: Any, table: Table, asked: str | None) -> None:
    """Fit, and ask the question."""
    model.fit(table.X, table.y)
    if asked is not None:
        getattr(model, asked)(table.asked)


if __name__ == "__main__":
    sys.exit(main())
