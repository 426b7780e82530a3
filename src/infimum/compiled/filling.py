"""Compile all declared signatures and keep their machine code, in several processes.

``python -m infimum.compiled.filling FOLDER`` is what the installation runs, and
``infimum compile`` what a user can run.
"""

import argparse
import json
import multiprocessing
import os
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Filled", "fill", "main"]

_HERE = Path(__file__).resolve().parent


class Filled(NamedTuple):
    """What has come of compiling: how many loops, what failed, how long it took."""

    done: int
    failed: dict[str, str]
    seconds: float

    def __str__(self) -> str:
        lines = [f"{name}: {why}" for name, why in self.failed.items()]
        told = f"{self.done} loops and formulas compiled in {self.seconds:.0f} s"
        return "\n".join([told, *lines])


def fill(
    folder: str | None = None,
    *,
    baseline: str | None = None,
    processes: int = 2,
    limit: float | None = None,
) -> Filled:
    """Compile what is declared and not there yet; never raise because a loop fails.

    Parameters
    ----------
    folder : where to keep the code; where it is kept anyway, if None
    baseline : a level of processors, such as ``"x86-64-v3"``, that all code must run on
    processes : how many work side by side
    limit : seconds after which the rest is left to first calls
    """
    began = time.monotonic()
    text = (_HERE / "signatures.json").read_text(encoding="utf-8")
    entries: list[tuple[str, list[Any]]] = list(json.loads(text).items())
    failed = {name: "not reached in time" for name, _ in entries}
    with _Settings(folder, baseline):
        pool = multiprocessing.get_context("spawn").Pool(processes)
    with pool:  # leaving it ends the processes
        results = pool.imap_unordered(_compile, entries)
        for _ in entries:
            left = None if limit is None else limit - (time.monotonic() - began)
            try:
                name, why = results.next(None if left is None else max(left, 0.0))
            except multiprocessing.TimeoutError:
                break
            del failed[name]
            if why:
                failed[name] = why
    done = len(entries) - len(failed)
    return Filled(done, failed, time.monotonic() - began)


def _compile(entry: tuple[str, list[Any]]) -> tuple[str, str]:
    try:
        from infimum.compiled.signatures import compile_entry

        compile_entry(*entry)
    except Exception as error:
        return entry[0], f"{type(error).__name__}: {error}"
    return entry[0], ""


class _Settings:
    """The environment in which processes for a folder and a baseline are started."""

    def __init__(self, folder: str | None, baseline: str | None) -> None:
        self.wanted: dict[str, str] = {}
        if folder is not None:
            self.wanted["INFIMUM_MACHINE_CODE"] = str(Path(folder).resolve())
        if baseline is not None:
            from infimum.compiled.cache_key import baseline_features

            self.wanted["NUMBA_CPU_NAME"] = baseline
            self.wanted["NUMBA_CPU_FEATURES"] = baseline_features(baseline)

    def __enter__(self) -> None:
        self.before = {name: os.environ.get(name) for name in self.wanted}
        os.environ.update(self.wanted)

    def __exit__(self, *_: object) -> None:
        for name, value in self.before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def main() -> int:
    """Fill a folder as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--baseline")
    parser.add_argument("--limit", type=float)
    options = parser.parse_args()
    filled = fill(options.folder, baseline=options.baseline, limit=options.limit)
    sys.stdout.write(f"{filled}\n")
    return 0 if filled.done else 1


if __name__ == "__main__":
    sys.exit(main())
