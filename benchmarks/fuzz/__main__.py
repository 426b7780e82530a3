"""The command ``python -m benchmarks.fuzz``: forge, load, ask, and tell what broke."""

from __future__ import annotations

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.fuzz.specimens import make_specimens

__all__ = ["main", "run"]

#: Cases that one child judges before another takes over.
BATCH = 10_000
#: What would otherwise start threads, and wait for them.
ONE_THREAD = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"),
    "POLARS_MAX_THREADS",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Forge as many files as asked for; return 1 if one of them did harm."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz")
    add = parser.add_argument
    add("--cases", type=int, default=2_000)
    add("--seed", type=int, default=0)
    add("--seconds", type=float, default=math.inf, help="stop after this long")
    add("--only", default="", help="classes whose name or room contains one of these")
    add("--few", action="store_true", help="one specimen of each class")
    add("--no-bounds", action="store_true", help="without bounds checks")
    add("--cache", default=None, help="folder that keeps compiled loops for other runs")
    add("--json", type=Path, default=None, help="where to write figures")
    options = parser.parse_args(arguments)
    figures = {}
    for figures in run(
        options.cases, options.seed, options.seconds,
        only=options.only, bounds=not options.no_bounds, few=options.few,
        cache=options.cache,
    ):  # fmt: skip
        if options.json:
            options.json.write_text(json.dumps(figures, indent=1) + "\n")
        told = f"{figures['cases']} cases, {len(figures['failures'])} failures"
        print(f"{told}, {figures['seconds']} s", file=sys.stderr, flush=True)
    print(report(figures))
    return 1 if figures["failures"] else 0


def run(
    cases: int, seed: int, seconds: float = math.inf, *, only: str = "",
    bounds: bool = True, few: bool = False, cache: str | None = None,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """Judge forgeries in child processes; yield the figures after each of these."""
    began = time.monotonic()
    figures: dict[str, Any] = {"seed": seed, "bounds checked": bounds, "failures": []}
    figures |= {"of valid files": [], "scikit-learn's own": []}
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="infimum-fuzz-") as folder:
        figures["without specimen"] = make_specimens(Path(folder), only, few=few)
        figures["specimens"] = len(list(Path(folder).glob("*.infimum")))
        done = _batch(folder, None, tally, figures, bounds=bounds, cache=cache)
        while done < cases and time.monotonic() - began < seconds:
            some = seed, done, min(cases, done + BATCH)
            done = _batch(folder, some, tally, figures, bounds=bounds, cache=cache)
            figures |= {"cases": done, "outcomes": dict(tally)}
            figures["seconds"] = round(time.monotonic() - began)
            yield figures


def _batch(
    folder: str, numbers: tuple[int, int, int] | None, tally: Counter[str],
    figures: dict[str, Any], *, bounds: bool, cache: str | None,
) -> int:  # fmt: skip
    """Run a child over some cases; return the first that it has not judged.

    Without numbers it judges the valid files, and compiles what the others will need.
    """
    journal = Path(folder) / "journal"
    journal.write_text("")
    command = [sys.executable, "-m", "benchmarks.fuzz.judging", folder, str(journal)]
    command += [str(number) for number in numbers or ()]
    environment = os.environ | dict.fromkeys(ONE_THREAD, "1")
    if bounds:
        # Machine code in the usual cache was compiled without checks.
        kept = cache or f"{folder}/cache"
        environment |= {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": kept}
    child = subprocess.run(command, env=environment, check=False, capture_output=True)
    lines = journal.read_text().splitlines()
    begun = [int(line) for line in lines if line.isdigit()]
    told = [json.loads(line) for line in lines if not line.isdigit()]
    for line in (line for line in told if "case" in line):
        # What the valid file answers so as well was not brought about by forging.
        key = [line["specimen"], line["asked"], line["error"]]
        if line["case"] == "valid":
            figures["of valid files"].append(key)
        elif key not in figures["of valid files"]:
            theirs = line["error"].endswith("in scikit-learn")
            figures["scikit-learn's own" if theirs else "failures"].append(line)
    for line in told:
        tally.update(line.get("tally", {}))
    if child.returncode == 0:
        return numbers[2] if numbers else 0
    if not begun:
        raise RuntimeError(child.stderr.decode()[-2000:])
    figures["failures"].append({"case": begun[-1], "ended by": _cause(child)})
    tally["ended the process"] += 1
    return begun[-1] + 1


def _cause(child: Any) -> str:
    if child.returncode < 0:
        return signal.Signals(-child.returncode).name
    return f"exit {child.returncode}: {child.stderr.decode()[-500:]}"


def report(figures: dict[str, Any]) -> str:
    """Return the figures in words: kinds of failures, each with its first case."""
    lines = [*_kinds(figures["failures"]), *_kinds(figures["scikit-learn's own"])]
    lines += [f"valid: {' '.join(line)}" for line in figures["of valid files"]]
    lines += [f"no specimen: {line}" for line in figures["without specimen"]]
    head = {k: v for k, v in figures.items() if not isinstance(v, list)}
    theirs, ours = (len(figures[k]) for k in ("scikit-learn's own", "failures"))
    last = f"failures: {ours}, exceptions of scikit-learn's own classes: {theirs}"
    return "\n".join([*lines, json.dumps(head), last])


def _kinds(failures: list[dict[str, Any]]) -> list[str]:
    counts: Counter[str] = Counter()
    first: dict[str, Any] = {}
    for failure in failures:
        key = failure.get("ended by") or f"{failure['error']} at {failure.get('place')}"
        counts[key] += 1
        first.setdefault(key, failure)
    return [f"{n:6d}  {key}\n        {first[key]}" for key, n in counts.most_common()]


if __name__ == "__main__":
    sys.exit(main())
