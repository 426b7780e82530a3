"""Checking a saved model again: the same rows, a new proof."""

from os import PathLike
from typing import Any, NamedTuple

from infimum.certificates import Certificate
from infimum.errors import IncompatibleError, ModelFileError
from infimum.learn.multilabel.posing import pose_labels, split_labels
from infimum.learn.multilabel.running import certify_labels
from infimum.learn.novelty.posing import pose_unlabelled
from infimum.learn.options import Options
from infimum.learn.problem import Problem, pose, split_off_test
from infimum.persistence import load, read_extra

__all__ = ["Recheck", "read_run_extra", "recheck"]

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
    label, strict = str(extra.get("model", "")), {"rigorous": rigorous}
    certificate = _certify(pipeline, problem.only(train), label, strict)
    return Recheck(
        certificate=certificate,
        same_data=problem.fingerprint == extra["fingerprint"],
        label=label,
        rows=len(train),
    )


def _recheck_ranking(model_path: str | PathLike[str], data: Any) -> Recheck:
    from infimum.learn.ranking import certify_ranking

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
