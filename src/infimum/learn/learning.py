"""The ways in: learn from a table, and check a model that was learned.

What is asked for is checked, then the job that fits is run.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from infimum.certificates import Certificate
from infimum.data import SparseTable, Table, read_table
from infimum.errors import IncompatibleError, ModelFileError
from infimum.evaluation import EnergyMeter
from infimum.learn.clock import Clock, Progress, Step
from infimum.learn.folds import some_rows, split_off_test
from infimum.learn.job import Job
from infimum.learn.journal import Journal, surviving
from infimum.learn.labels import (
    MultilabelJob,
    certify_labels,
    columns_named,
    pose_labels,
    split_labels,
)
from infimum.learn.options import Options, checked_share
from infimum.learn.problem import Problem, pose
from infimum.learn.result import LearnResult
from infimum.learn.run_directory import Renderer, claimed, write_run
from infimum.learn.unlabelled import NoveltyJob, pose_unlabelled
from infimum.parameters import check_domain, positive, whole
from infimum.persistence import load, read_extra

__all__ = ["Recheck", "learn", "read_run_extra", "recheck"]


def learn(
    data: Any,
    target: str | int | Sequence[str] | None = None,
    task: str = "auto",
    *,
    seed: int = 0,
    budget: float = 60.0,
    out: str | Path | None = None,
    resume: bool = False,
    force: bool = False,
    group: str | None = None,
    time: str | None = None,
    weights: str | None = None,
    sensitive: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    only: str | Sequence[str] = (),
    quantile: float | None = None,
    kinds: Mapping[str, str] | None = None,
    alarm_rate: float | None = None,
    explain_row: int | Sequence[int] | None = None,
    costs: Mapping[str, float] | None = None,
    progress: Progress | None = None,
    render: Renderer | None = None,
    command: str = "",
    began: float | None = None,
    workers: int | None = None,
) -> LearnResult:
    """Learn to predict a column of a table, and say how good the model is and how sure.

    A fifth of the rows is put aside. Linear models along their regularisation paths,
    trees, forests, boosting, neighbours and kernel machines race by five-fold
    cross-validation on the others; the simplest that the best one does not clearly beat
    (or a blend, if that is better beyond the noise) is refitted, certified if it is
    convex, and tested once on the rows put aside.

    Parameters
    ----------
    data : path, Table or data frame
        The rows; see `read_table`.
    target : str or int or sequence of them, optional
        The column to predict; svmlight files carry their own. Several columns of yes
        and no, or a string with commas between their names, are learned together.
    task : {"auto", "classification", "regression", "counts", "quantile", "ordinal", \
            "multilabel", "novelty"}
        What to learn; "auto" decides by the target's values. Novelty has no target.
    seed : int, default=0
        The same seed gives the same split and folds, and the same model unless the
        budget cuts the race short.
    budget : float, default=60.0
        Seconds for the whole job. What a fit will take is forecast from small parts of
        the rows; what runs out of time is stopped, and the best model so far wins.
    out : path, optional
        Directory for ``model.infimum`` and ``result.json``; None writes nothing. If it
        holds a finished run, the first of `out`-2, `out`-3 and so on that holds none is
        taken instead.
    resume : bool, default=False
        Go on with the run in `out` that was killed, interrupted or failed, without
        repeating finished work; start over if it was killed before there was any.
    force : bool, default=False
        Replace the finished run in `out`.
    group : str, optional
        Column whose rows of equal value stay on the same side of every split.
    time : str, optional
        Column of moments: the latest rows are the test, folds never see the future.
    weights : str, optional
        Column that says how often each row counts.
    sensitive : str or sequence of str, optional
        Columns whose groups the evidence compares.
    drop, only : str or sequence of str, optional
        Columns not to learn from, or the only ones to learn from.
    quantile : float, optional
        Which quantile to learn if the task is "quantile"; 0.5 by default.
    kinds : mapping from str to str, optional
        What columns are, where the reader would be wrong: "numeric", "category",
        "boolean", "date", "text", or "drop".
    alarm_rate : float, optional
        How often familiar rows may be flagged if the task is "novelty"; 0.05 by
        default.
    explain_row : int or sequence of int, optional
        Rows of the data, counted from 1, whose answers the evidence explains one by
        one, with what would turn them.
    costs : mapping from str to float, optional
        What a mistake costs, by ``truth->answer``; of classes only. The evidence says
        from which probability on to decide, and what that costs.
    progress : callable, optional
        Called with a `Step` whenever there is news.
    render : callable, optional
        Turns the plain result into the text of ``report.html``, to be written to `out`
        too; ``infimum.report.render`` is one.
    command : str, optional
        How the job was started, for the report.
    began : float, optional
        The moment of ``time.perf_counter`` from which the budget counts; now by
        default.
    workers : int, optional
        Processes that learn side by side; as many as cores by default where the table
        is large enough for that, and none for a small one. They change no result while
        the budget suffices.

    Returns
    -------
    LearnResult
    """
    clock = Clock(began)
    target = _as_names(target)
    check_domain("learn's seed", seed, whole(0, 2**32 - 1))
    check_domain("learn's budget", budget, positive)
    if workers is not None:
        check_domain("learn's workers", workers, whole(0, 256))
    options = Options.of(
        group=group,
        time=time,
        weights=weights,
        sensitive=sensitive,
        drop=drop,
        only=only,
        quantile=checked_share("quantile", quantile, task, "quantile", 0.5),
        kinds=kinds,
        alarm_rate=checked_share("alarm_rate", alarm_rate, task, "novelty", 0.05),
        explain_row=explain_row,
        costs=dict(costs or {}),
    )
    with _place(out, resume=resume, force=force) as place:
        journal = Journal(place, resume=resume, budget=budget, clock=clock)
        journal.check()
        with surviving(journal), EnergyMeter() as meter:
            read, kind, target = _kind_of_job(data, task, target)
            job = kind(seed, budget, progress or _silent, journal, workers)
            result = job.run(read, target, task, options, meter)
            result = replace(result, command=command)
            if place is None:
                return result
            return write_run(result, place, render, unfinished=job.stopped)


def _as_names(target: Any) -> Any:
    """Return names of columns as text, since pandas may number them."""
    if target is None or isinstance(target, str):
        return target
    if isinstance(target, Sequence):
        return [str(each) for each in target]
    return str(target)


def _place(
    out: str | Path | None, *, resume: bool, force: bool
) -> AbstractContextManager[Path | None]:
    if out is None:
        return nullcontext()
    return claimed(Path(out), resume=resume, force=force)


def _silent(_: Step) -> None:
    """Say nothing."""


def _kind_of_job(data: Any, task: str, target: Any) -> tuple[Any, type[Job], Any]:
    """Return the data, read if need be, the kind of job it takes, and the target."""
    if task == "novelty":
        return data, NoveltyJob, target
    if target is None or (isinstance(target, str) and "," not in target):
        return data, MultilabelJob if task == "multilabel" else Job, target
    table = data if isinstance(data, Table | SparseTable) else read_table(data)
    names = columns_named(table, target)
    if len(names) == 1 and task != "multilabel":
        return table, Job, names[0]
    if len(names) > 1 and task not in ("auto", "multilabel"):
        raise IncompatibleError(
            f"Several targets ({', '.join(names)}) are learned together as yes and no, "
            f"which is --task multilabel; --task {task} takes one target."
        )
    return table, MultilabelJob, target


_NEEDED = ("target", "task", "seed", "fingerprint", "classes")


class Recheck(NamedTuple):
    """A certificate computed from the file and the data, and whether they belong."""

    certificate: Certificate
    same_data: bool
    label: str
    rows: int


def recheck(
    model_path: str | PathLike[str], data: Any, *, rigorous: bool = False
) -> Recheck:
    """Compute the certificate of a saved model again, from its weights and the data.

    Neither the solver nor the certificate in the file is trusted: the training rows are
    found by the seed in the file, encoded, and both sides of the gap are evaluated; by
    the auditor, with rounding counted, if the proof shall be `rigorous`.
    """
    if read_extra(model_path).get("task") == "ranking":
        return _recheck_ranking(model_path, data)
    extra = read_run_extra(model_path)
    pipeline = load(model_path)
    target = extra["target"] if extra.get("kinds") else None
    options = Options.of(**(extra.get("options") or extra.get("wishes") or {}))
    problem, train = _posed(data, target, extra, options)
    training = problem.only(train)
    if extra.get("drawn") is not None:
        training = some_rows(training, extra["drawn"], extra["seed"])
    label, strict = str(extra.get("model", "")), {"rigorous": rigorous}
    certificate = _certify(pipeline, training, label, strict)
    return Recheck(
        certificate=certificate,
        same_data=problem.fingerprint == extra["fingerprint"],
        label=label,
        rows=len(training.y),
    )


def _recheck_ranking(model_path: str | PathLike[str], data: Any) -> Recheck:
    from infimum.evaluation.ranked_games import certify_ranking

    model, extra = load(model_path), read_extra(model_path)
    if not hasattr(model, "certify") or not {"columns", "fingerprint"} <= extra.keys():
        raise ModelFileError(f"{model_path} was not written by `infimum rank`.")
    proof, same, rows = certify_ranking(model, data, extra)
    return Recheck(proof, same, type(model).__name__, rows)


def _posed(
    data: Any, target: str | None, extra: dict[str, Any], options: Options
) -> tuple[Problem, Any]:
    """Return the problem and its training rows, as the job has found them."""
    seed = extra["seed"]
    if extra["task"] == "multilabel":
        problem = pose_labels(data, extra["classes"], options)
        return problem, split_labels(problem, seed)[0].train
    if extra["task"] == "novelty":
        problem = pose_unlabelled(data, None, options)
    else:
        problem = pose(data, target, extra["task"], options)
    return problem, split_off_test(problem, seed).train


def _certify(
    pipeline: Any, training: Problem, label: str, strict: dict[str, Any]
) -> Certificate:
    model = pipeline[-1]
    if getattr(model, "multilabel_", False):
        X = pipeline[:-1].transform(training.rows)
        joint = certify_labels(model, X, training.y, training.weights, **strict)
        if joint is not None:
            return joint
    if not hasattr(model, "certify"):
        raise IncompatibleError(
            f"{label or type(model).__name__} is no convex fit, so there is no "
            "certificate to check; the report says what its test promises."
        )
    X = pipeline[:-1].transform(training.rows)
    weights = () if training.weights is None else (training.weights,)
    return model.certify(X, training.y, *weights, **strict)  # type: ignore[no-any-return]


def read_run_extra(model_path: str | PathLike[str]) -> dict[str, Any]:
    """Return what `learn` wrote beside a model; ModelFileError if it did not."""
    extra = read_extra(model_path)
    lacking = [name for name in _NEEDED if name not in extra]
    if lacking:
        raise ModelFileError(
            f"{model_path} was not written by `infimum learn`: it does not say its "
            f"{lacking[0]}."
        )
    return extra
