"""Rows of a logistic law in files, scans of them, and a watch on memory."""

import threading
import time
from pathlib import Path

import numpy as np
import polars as pl

__all__ = ["BLOCK", "FEATURES", "make", "parted", "scanned", "spooled", "watched"]

FEATURES = 100
BLOCK = 20_000
NAMES = [f"x{j}" for j in range(FEATURES)]


def make(path, *, size=None, rows=None, digits=6):
    """Write rows of a logistic law until the file is large enough."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=FEATURES) / np.sqrt(FEATURES)
    done = 0
    with path.open("wb") as stream:
        while (stream.tell() < size) if rows is None else (done < rows):
            X = rng.normal(size=(BLOCK, FEATURES)).round(digits)
            y = (X @ truth + rng.logistic(size=BLOCK) > 0).astype(int)
            frame = pl.DataFrame(X, schema=NAMES).with_columns(y=y)
            frame.write_csv(stream, include_header=not done)
            done += BLOCK
    return done


def watched(work):
    """Return what work returns, its seconds, and the peak of RssAnon in MB."""
    most, over = [0], threading.Event()

    def watch():
        while not over.wait(0.05):
            text = Path("/proc/self/status").read_text(encoding="ascii")
            [line] = [x for x in text.splitlines() if x.startswith("RssAnon")]
            most[0] = max(most[0], int(line.split()[1]) // 1024)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    began = time.perf_counter()
    found = work()
    seconds = time.perf_counter() - began
    over.set()
    thread.join()
    return found, seconds, most[0]


def parted(folder, rows):
    """Yield rows of a logistic law piece by piece; write each as a Parquet file."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=FEATURES) / np.sqrt(FEATURES)
    place = Path(folder) / "parts"
    place.mkdir()
    for k, start in enumerate(range(0, rows, 10 * BLOCK)):
        X = rng.normal(size=(min(10 * BLOCK, rows - start), FEATURES))
        y = (X @ truth + rng.logistic(size=len(X)) > 0).astype(int)
        frame = pl.DataFrame(X, schema=NAMES).with_columns(y=y)
        frame.write_parquet(place / f"{k:04d}.parquet", compression="uncompressed")
        yield X, y


def scanned(folder):
    """Return a scan of these files whose first pass is made."""
    import infimum

    scan = infimum.scan(Path(folder) / "parts", target="y", spool=folder)
    scan.n_rows  # noqa: B018
    return scan


def spooled(folder, rows):
    """Return a scan whose first pass is made, and its numbers in memory."""
    tables, labels = zip(*parted(folder, rows), strict=True)
    return scanned(folder), np.concatenate(tables), np.concatenate(labels)
