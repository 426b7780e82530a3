"""The result of learning: everything the report says, as plain data."""

from __future__ import annotations

import json
import math
import platform
from dataclasses import dataclass, field, fields, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import infimum
from infimum.data.spelling import first_line, quoted
from infimum.errors import DataError
from infimum.learn.layout import first_flaw

if TYPE_CHECKING:
    from infimum.learn.choose.refit import Refit
    from infimum.learn.compare.race import RaceOutcome
    from infimum.learn.compare.tally import Tally
    from infimum.learn.problem import Posed

__all__ = [
    "SCHEMA",
    "TOO_SLOW",
    "Choice",
    "Coefficient",
    "ColumnNote",
    "ContenderResult",
    "DataSummary",
    "Exam",
    "LearnResult",
    "Proof",
    "Stage",
    "TracePoint",
    "installed_versions",
    "read_result",
    "remarks",
    "summary",
]


#: Version of the layout of ``result.json``; raised when a reader would misunderstand.
SCHEMA = 2
#: The words that a result may use for what was learned, in general and in particular,
#: and for why the race ended.
_TASKS = "classification", "regression", "novelty", "multilabel"
_GOALS = (
    *("", "binary", "multiclass", "ordinal", "regression", "counts", "quantile"),
    *("novelty", "multilabel"),
)
_ENDS = "finished", "budget", "interrupted"
#: What 0.1 called two parts of the result.
_RENAMED = {"lanes": "contenders", "wishes": "options"}


@dataclass(frozen=True)
class ColumnNote:
    """A column of the data, and whether the model may use it."""

    name: str
    kind: str
    missing: int
    distinct: int
    note: str
    used: bool


@dataclass(frozen=True)
class DataSummary:
    """Where the rows came from and how they were split; `drawn` if not all fitted."""

    source: str
    fingerprint: str
    rows: int
    target: str
    columns: tuple[ColumnNote, ...]
    features: int
    warnings: tuple[str, ...]
    train_rows: int
    test_rows: int
    folds: int
    drawn: int | None = None


@dataclass(frozen=True)
class Proof:
    """A certificate in plain numbers."""

    primal: float
    dual: float
    gap: float
    relative_gap: float
    tolerance: float
    closed: bool
    reason: str


@dataclass(frozen=True)
class TracePoint:
    """How far a solver was from its own lower bound at some moment."""

    seconds: float
    gap: float


@dataclass(frozen=True)
class ContenderResult:
    """One contender in the race: its path, its scores and how it was solved.

    `values` run from the strongest to the weakest regularisation, or over the places in
    a grid of settings from simple to complex; `words` say what each of them sets.
    `scores` are averages over the folds in the units of the criterion, `spreads` their
    standard errors, `weights` the average numbers of features in use. Only convex
    models have a proof.
    """

    name: str
    label: str
    parameter: str
    values: tuple[float, ...]
    scores: tuple[float, ...]
    spreads: tuple[float, ...]
    weights: tuple[float, ...]
    best: int
    pick: int
    folds: int
    seconds: float
    metrics: dict[str, float | None]
    proof: Proof | None
    trace: tuple[TracePoint, ...]
    words: tuple[str, ...] = ()
    state: str = ""


@dataclass(frozen=True)
class Choice:
    """The setting that was chosen, and the best one that it stands in for.

    `score` is the chosen one's average over the folds, which the choice makes look
    good; `nested_score` is that of the whole procedure, each fold being judged by what
    the other folds would have chosen. Of a blend only the shares are chosen so, its
    members by all folds.
    """

    name: str
    label: str
    parameter: str
    value: float
    score: float
    spread: float
    weights: int
    best_name: str
    best_label: str
    best_value: float
    best_score: float
    threshold: float
    words: str = ""
    nested_score: float | None = None
    nested_spread: float | None = None


@dataclass(frozen=True)
class Coefficient:
    """The weights of one feature, one for each score, at each strength of the path."""

    feature: str
    values: tuple[float, ...]
    path: tuple[float, ...]


@dataclass(frozen=True)
class Exam:
    """The only look at the test rows: metrics, bound and the curves of the report.

    `weights` names the column that weighs rows, with the effective number of them.
    """

    rows: int
    metrics: dict[str, float | None]
    bound: dict[str, Any]
    curves: dict[str, Any]
    weights: dict[str, Any] | None = None


@dataclass(frozen=True)
class Stage:
    """A part of the job and how long it took."""

    name: str
    seconds: float


@dataclass(frozen=True)
class LearnResult:
    """A chosen, certified and tested model, with its history.

    Attributes
    ----------
    model : Pipeline
        Encoder and model, fitted on the training rows; takes tables like the data.
    out : Path or None
        The directory with the model file, the report and ``result.json``.
    ended : {"finished", "budget", "interrupted"}
        Why the race ended.
    proof : Proof or None
        The certificate of the model; None if its fit is not convex.
    goal : str
        The task in particular: "binary", "multiclass", "ordinal", "regression",
        "counts" or "quantile".
    champion : dict or None
        The best model that a person can read, and what it costs in score.
    blend : dict or None
        The members and weights of a blend, and whether it was taken.
    replaced : tuple of dict
        Models that were chosen first and given up after their final fit, each with a
        label and the reason.
    evidence : dict
        Promises, importances, examples and more, a key a section.
    options : dict
        The columns with a role of their own.
    guess : dict or None
        What the target was taken for, and which tasks it could be as well, if the task
        was guessed.
    """

    task: str = field(metadata={"words": _TASKS})
    classes: tuple[str, ...]
    criterion: dict[str, Any]
    data: DataSummary
    choice: Choice
    proof: Proof | None
    exam: Exam
    contenders: tuple[ContenderResult, ...]
    coefficients: tuple[Coefficient, ...]
    stages: tuple[Stage, ...]
    warnings: tuple[str, ...]
    ended: str = field(metadata={"words": _ENDS})
    seed: int
    budget: float
    command: str
    created: str
    versions: dict[str, str]
    goal: str = field(default="", metadata={"words": _GOALS})
    champion: dict[str, Any] | None = None
    blend: dict[str, Any] | None = None
    replaced: tuple[dict[str, Any], ...] = ()
    evidence: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    schema: int = SCHEMA
    model: Any = field(default=None, repr=False, metadata={"plain": False})
    out: Path | None = field(default=None, metadata={"plain": False})
    guess: dict[str, Any] | None = None

    @property
    def lanes(self) -> tuple[ContenderResult, ...]:
        """The contenders, as 0.1 called them."""
        return self.contenders

    @property
    def wishes(self) -> dict[str, Any]:
        """The options, as 0.1 called them."""
        return self.options

    def __str__(self) -> str:
        """Say what was learned, how good it is, whether it is proved, and where."""
        label, value = (
            self.criterion["label"],
            self.exam.metrics.get(self.criterion["metric"]),
        )
        score = "" if value is None else f": {label} {value:.4g}"
        proved = "No convex risk stands behind this model, so its fit has no proof."
        if self.proof is not None:
            closed = "is" if self.proof.closed else "is not"
            proved = f"The fit {closed} proved optimal by its duality gap."
        sentences = [
            f"{self.choice.label} was chosen among {len(self.contenders)} models.",
            f"It was tested on {self.exam.rows} rows it had never seen{score}.",
            proved,
            "" if self.out is None else f"The report is {self.out / 'report.html'}.",
        ]
        return "\n".join(sentence for sentence in sentences if sentence)

    def to_plain(self) -> dict[str, Any]:
        """Return the result as nested dictionaries and lists that JSON can hold."""
        return dict(_plain(self))

    def to_json(self) -> str:
        """Return the text of ``result.json``."""
        return json.dumps(
            self.to_plain(), ensure_ascii=False, allow_nan=False, indent=1
        )


def read_result(path: Path | str) -> dict[str, Any]:
    """Read a ``result.json``, or the one in a run's directory."""
    place = Path(path)
    place = place / "result.json" if place.is_dir() else place
    try:
        written = json.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(
            f"{place} does not exist; give a directory that `infimum learn` wrote."
        ) from None
    except OSError as error:
        raise DataError(f"{place} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"{place} cannot be read as a result: {first_line(error)}."
        ) from None
    plain = _of_today(written)
    schema = plain.get("schema") if isinstance(plain, dict) else None
    if schema != SCHEMA:
        raise DataError(
            f"{place} is no result of this version of Infimum (schema "
            f"{quoted(schema)}, known is {SCHEMA}); learn again."
        )
    if flaw := first_flaw(plain, LearnResult, whole=plain is written):
        raise DataError(f"{place} was edited or damaged: {flaw}; learn again.")
    return dict(plain)


def _of_today(plain: Any) -> Any:
    """Return a result of version 0.1 under the names of today."""
    schema = plain.get("schema") if isinstance(plain, dict) else None
    if schema != 1 or type(schema) is not int:
        return plain
    named = {_RENAMED.get(key, key): value for key, value in plain.items()}
    return {**named, "schema": SCHEMA}


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {
            each.name: _plain(getattr(value, each.name))
            for each in fields(value)
            if each.metadata.get("plain", True)
        }
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    # NumPy's scalars know how to become Python's.
    return _plain(value.item()) if hasattr(value, "item") else value


TOO_SLOW = "too slow for the time given"
_PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "polars")


def installed_versions() -> dict[str, str]:
    """Return the versions of Infimum, Python and the numerical libraries."""
    found = {"infimum": infimum.__version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def summary(posed: Posed, final: Refit) -> DataSummary:
    """Return where the rows came from and how they were split."""
    problem, training = posed.problem, posed.training
    return DataSummary(
        source=problem.source,
        fingerprint=problem.fingerprint,
        rows=len(problem.y),
        target=problem.target,
        columns=problem.columns,
        features=int(final.pipeline[-1].n_features_in_),
        warnings=problem.warnings,
        train_rows=len(training.y),
        test_rows=len(posed.split.held_back),
        folds=len(posed.splits),
        drawn=training.drawn,
    )


def remarks(outcome: RaceOutcome, final: Refit) -> tuple[str, ...]:
    """Say what did not go as planned, a sentence each."""
    said = [_remark(tally) for tally in outcome.tallies]
    slow = [h.contender.label for h in outcome.tallies if h.retired == TOO_SLOW]
    said += [f"Left out, {TOO_SLOW}: {', '.join(slow)}."] if slow else []
    return tuple([sentence for sentence in said if sentence] + [*final.warnings])


def _remark(tally: Tally) -> str:
    label = tally.contender.label
    if tally.failure:
        return f"{label} could not take part: {tally.failure}"
    if tally.uncertified:
        share = f"{tally.uncertified} of {tally.fits}"
        return f"{label}: {share} fits ended without a closed gap."
    return ""
