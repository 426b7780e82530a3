"""Learning from files that do not fit in memory: a race on a sample, a fit on all rows.

The first reading of the files puts aside the test rows, by a hash of the seed and the
row number, and draws the largest sample that the memory allows. The usual job races on
the sample. If the winner's family streams, it is fitted again on all rows but the test
rows, and both are judged on all test rows, block by block.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.base import clone, is_classifier
from sklearn.pipeline import Pipeline

from infimum.data import read_table
from infimum.data.spelling import did_you_mean
from infimum.data.streams import Scan, chances
from infimum.data.streams.first_pass import Layout
from infimum.data.streams.frames import Guess, frames, guess_kinds
from infimum.data.streams.paths import SourceFile, source_files
from infimum.errors import DataError, IncompatibleError
from infimum.evaluation import ConformalClassifier, conformal_rank
from infimum.explanation.reasons import MOST_EXPLAINED
from infimum.learn.learning import learn
from infimum.learn.prediction import Predictor, check_ending, predict_table
from infimum.learn.result import read_result
from infimum.learn.run_directory import MODEL, OF_ALL_ROWS, RESULT, raced_already
from infimum.persistence import load, read_extra, save
from infimum.persistence.replacement import replacing
from infimum.typing import Vector

__all__ = ["Beyond", "learn_files", "predict_files"]

#: The share of the rows that is put aside, and what a number of the sample costs while
#: encoders, folds and models hold it.
ASIDE, BYTES = 0.2, 120
FEWEST = 100
#: Test rows that calibrate intervals, about.
CALIBRATING = 200_000


@dataclass(frozen=True)
class Beyond:
    """What was done with rows beyond memory; written as ``beyond.json``."""

    rows: int
    test_rows: int
    sample_rows: int
    memory: int
    winner: str
    #: Whether the winner was fitted again on all rows, or why not.
    refitted: str
    passes: int
    #: Accuracy, or the share of the variance explained, on all test rows.
    judged_by: str
    score_of_sample: float
    score_of_all: float | None
    #: The limit of the answers' intervals or sets after the fit to all rows, from so
    #: many test rows.
    limit: float | None
    calibration_rows: int


def learn_files(
    given: Any,
    target: str,
    *,
    memory: int,
    seed: int = 0,
    spool: Any = None,
    **job: Any,
) -> tuple[Path, Beyond]:
    """Learn from files larger than memory; `job` are the options of `learn`.

    Returns the directory of the run, and what was done.

    Parameters
    ----------
    given : path or list of paths
        CSV, Parquet or Arrow files, or folders of them.
    target : str
        The column to predict.
    memory : int
        Bytes that the job may take, about.
    seed : int
        Chooses test rows and sample.
    spool : path, optional
        The folder for the encoded copy.
    """
    files = source_files(given)
    if files[0].format == "svmlight":
        raise IncompatibleError("learn streams CSV, Parquet and Arrow, not svmlight.")
    guess = guess_kinds(files)
    if target not in guess:
        raise DataError(f"{files[0].path} has no column {target!r} to learn.")
    most = max(FEWEST, memory // (BYTES * len(guess)))
    sample, rows = _sampled(files, guess, most, seed)
    place = _raced(sample, rows, target, seed=seed, **job) / MODEL
    pipeline: Any = load(place)
    before, tests = _judged(pipeline, files, guess, target, seed)
    finding, passes, after = _refitted(pipeline, files, guess, (target, seed, spool))
    score, limit, calibrating = None, None, 0
    if after is not None:
        score, _ = _judged(after, files, guess, target, seed)
        level = _promised(place.with_name(RESULT))
        strange = _strangeness(after, files, guess, target, seed)
        limit, calibrating = _limit(strange, level), len(strange)
        save(after, place, extra=read_extra(place))
    winner = type(pipeline[-1]).__name__ if isinstance(pipeline, Pipeline) else "?"
    by = "accuracy" if is_classifier(pipeline) else "R²"
    found = Beyond(
        rows, tests, sample.height, memory, winner, finding, passes, by, before, score,
        limit, calibrating,
    )  # fmt: skip
    text = json.dumps(asdict(found), indent=2, ensure_ascii=False)
    with replacing(place.with_name(OF_ALL_ROWS)) as handle:
        handle.write(text.encode() + b"\n")
    return place.parent, found


def _raced(
    sample: pl.DataFrame, rows: int, target: str, *, seed: int, **job: Any
) -> Path:
    """Let the usual job choose a model on the sample; return its directory.

    A run to be resumed whose race is over is not raced again.
    """
    if job.get("out") is None:
        raise IncompatibleError("learn_files writes its model: name a folder by out=.")
    if job.get("resume"):
        table: Any = read_table(sample)
        wanted = {"fingerprint": table.fingerprint, "target": target, "seed": seed}
        over = raced_already(Path(job["out"]), wanted)
        if over is not None:
            return over
    drawn = (
        f"The race ran on {sample.height:,} of {rows:,} rows, drawn by a hash of seed "
        f"and row number; test rows of the whole are told in {OF_ALL_ROWS}, not here."
    )
    plain = job.pop("render", None)
    if plain is not None:
        job["render"] = partial(_rendered, plain, drawn)
    return Path(str(learn(sample, target, seed=seed, **job).out))


def _rendered(plain: Any, drawn: str, result: dict[str, Any]) -> str:
    """Return the report, which says of which rows it tells."""
    page: str = plain(result | {"warnings": [*result["warnings"], drawn]})
    return page


def predict_files(model: Any, given: Any, out: Any, **how: Any) -> int:
    """Predict the rows of files block by block as CSV; return their number.

    `out` is a path or an open binary file. `how` are the options of `predict_table`:
    intervals, columns to keep, reasons, which compare with the first rows.
    """
    if hasattr(out, "write"):
        writing: Any = nullcontext(out)
    else:
        place = Path(out)
        check_ending(place)
        if place.suffix.lower() != ".csv":
            raise DataError(f"{place} must end in .csv: rows that stream are appended.")
        writing = replacing(place)
    predictor = Predictor.of(model)
    files, rows = source_files(given), 0
    guess = guess_kinds(files)
    for name in how.get("keep", ()):
        if name not in guess:
            hint = did_you_mean(str(name), guess)
            raise DataError(f"{files[0].path} has no column {name!r} to keep{hint}")
    most = MOST_EXPLAINED if how.get("reasons") else None
    with writing as handle:
        for _, frame in _numbered(files, guess):
            for part in frame.iter_slices(most or frame.height):
                found = predictor.table(part, **how)
                found.write_csv(handle, include_header=not rows)
                rows += found.height
    return rows


def _numbered(
    files: list[SourceFile], guess: Guess
) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield frames with the number of their first row, counted over all files."""
    start = 0
    for file in files:
        for frame in frames(file, guess):
            if frame.height:
                yield start, frame
            start += frame.height


def _sampled(
    files: list[SourceFile], guess: Guess, most: int, seed: int
) -> tuple[pl.DataFrame, int]:
    """Return the rows of the smallest keys that are no test rows, and how many rows.

    Which rows these are depends on their numbers and the seed alone.
    """
    while True:
        held: list[pl.DataFrame] = []
        count = rows = 0
        limit = 1.0
        try:
            for start, frame in _numbered(files, guess):
                places = np.arange(start, start + frame.height)
                keys = chances(seed + 1, places)
                chosen = (chances(seed, places) >= ASIDE) & (keys <= limit)
                part = frame.filter(chosen).with_columns(
                    pl.Series("\0key", keys[chosen])
                )
                held.append(part)
                rows, count = rows + frame.height, count + part.height
                if count > 2 * most:
                    held, limit = _smallest(held, most)
                    count = most
        except ValueError as found:
            if isinstance(found, DataError) or found.args[0] not in guess:
                raise
            guess[found.args[0]] = False
            continue
        if not count:
            raise DataError(f"{files[0].path} and what goes with it have too few rows.")
        [whole], _ = _smallest(held, most)
        return whole.drop("\0key"), rows


def _smallest(parts: list[pl.DataFrame], most: int) -> tuple[list[pl.DataFrame], float]:
    """Return the rows of the least keys, in the order of the files, and the largest."""
    whole = pl.concat(parts)
    if whole.height > most:
        keys = whole["\0key"].to_numpy()
        limit = float(np.partition(keys, most - 1)[most - 1])
        whole = whole.filter(keys <= limit)
        return [whole], limit
    return [whole], 1.0


def _judged(
    pipeline: Any, files: list[SourceFile], guess: Guess, target: str, seed: int
) -> tuple[float, int]:
    """Return accuracy or R² on all test rows, and their number."""
    right = total = ys = squares = misses = 0.0
    labels = is_classifier(pipeline)
    for start, frame in _numbered(files, guess):
        places = np.arange(start, start + frame.height)
        part = frame.filter(chances(seed, places) < ASIDE)
        part = part.filter(part[target].is_not_null())
        if not part.height:
            continue
        said = predict_table(pipeline, part.drop(target))["prediction"]
        total += part.height
        if labels:
            right += int((_words(said) == _words(part[target])).sum())
            continue
        y, f = part[target].to_numpy(), said.cast(pl.Float64).to_numpy()
        ys, squares = ys + float(y.sum()), squares + float(y @ y)
        misses += float(((y - f) ** 2).sum())
    if not total:
        raise DataError("The files have too few rows for a test.")
    if labels:
        return right / total, int(total)
    return 1.0 - misses / max(squares - ys**2 / total, 1e-300), int(total)


def _strangeness(
    pipeline: Any, files: list[SourceFile], guess: Guess, target: str, seed: int
) -> Vector:
    """Return how far the answers to some test rows are from the truth."""
    labels, found, count = is_classifier(pipeline), [], 0
    for start, frame in _numbered(files, guess):
        places = np.arange(start, start + frame.height)
        part = frame.filter(chances(seed, places) < ASIDE)
        part = part.filter(part[target].is_not_null())
        if not part.height or count >= CALIBRATING:
            continue
        rows: Any = read_table(part.drop(target))
        if labels:
            known = ConformalClassifier(pipeline).chances(rows.frame)
            names = _words(pl.Series(np.asarray(pipeline.classes_))).to_numpy()
            mine = names[None, :] == _words(part[target]).to_numpy()[:, None]
            found.append(1.0 - np.where(mine, known, 0.0).sum(axis=1))
        else:
            said = np.asarray(pipeline.predict(rows.frame), dtype=float)
            found.append(np.abs(part[target].cast(pl.Float64).to_numpy() - said))
        count += part.height
    return np.concatenate(found)


def _promised(place: Path) -> float | None:
    """Return how often the intervals of a run are to hold the truth."""
    known = read_result(place)["evidence"].get("conformal") or {}
    return (known.get("coverage") or {}).get("promised")


def _limit(strange: Vector, level: float | None) -> float | None:
    """Return what a share of such rows does not exceed, one that is new included."""
    if level is None or (rank := conformal_rank(len(strange), level)) > len(strange):
        return None
    limit = float(np.partition(strange, rank - 1)[rank - 1])
    return limit if np.isfinite(limit) else None


def _words(series: pl.Series) -> pl.Series:
    """Return labels as words: 1, 1.0 and true may be one label."""
    if series.dtype == pl.Boolean:
        series = series.cast(pl.Int64)
    if series.dtype.is_numeric():
        return series.cast(pl.Float64).cast(pl.String)
    return (
        series.cast(pl.String)
        .str.to_lowercase()
        .replace({"true": "1.0", "false": "0.0"})
    )


def _refitted(
    pipeline: Any, files: list[SourceFile], guess: Guess, how: tuple[str, int, Any]
) -> tuple[str, int, Any]:
    """Return what became of the fit on all rows, its passes, and the new pipeline."""
    if not isinstance(pipeline, Pipeline) or hasattr(pipeline[-1], "estimators_"):
        return "a blend is not fitted to streamed rows", 0, None
    encoder, model = pipeline[0], clone(pipeline[-1])
    classes = getattr(pipeline[-1], "classes_", None)
    target, seed, spool = how

    def encoded() -> Iterator[pl.DataFrame]:
        for start, frame in _numbered(files, guess):
            places = np.arange(start, start + frame.height)
            part = frame.filter(chances(seed, places) >= ASIDE)
            part = part.filter(part[target].is_not_null())
            if part.height:
                yield _encoded(encoder, part, target, classes)

    width = np.asarray(next(encoded()).columns)
    layout = Layout([], dict.fromkeys(width, True), "y", None, (), encoded, named=False)
    with Scan(layout, spool) as rows:
        try:
            model.fit(rows)
        except (IncompatibleError, TypeError) as error:
            return f"no: {str(error).splitlines()[0]}", 0, None
        passes = rows.passes
    if classes is not None:
        model.classes_ = classes[model.classes_.astype(int)]
    return (
        "on all rows but the test rows",
        passes,
        Pipeline([pipeline.steps[0], (pipeline.steps[-1][0], model)]),
    )


def _encoded(
    encoder: Any, part: pl.DataFrame, target: str, classes: Any
) -> pl.DataFrame:
    """Return the numbers of some rows, and their target as a number or a code."""
    table: Any = read_table(part.drop(target))
    X = encoder.transform(table.frame)
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    frame = pl.DataFrame(X, schema=[f"x{j}" for j in range(X.shape[1])])
    if classes is None:
        return frame.with_columns(y=part[target].cast(pl.Float64))
    known = _words(pl.Series(np.asarray(classes))).to_list()
    codes = _words(part[target]).replace_strict(
        known, np.arange(float(len(known))), default=None, return_dtype=pl.Float64
    )
    return frame.with_columns(y=codes)
