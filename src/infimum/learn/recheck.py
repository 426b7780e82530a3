"""Checking a saved model again: the same rows, a new proof."""

from os import PathLike
from typing import Any, NamedTuple

from infimum.certificates import Certificate
from infimum.errors import ModelFileError
from infimum.learn.problem import pose, split_off_test
from infimum.persistence import load, read_extra

__all__ = ["Recheck", "read_run_extra", "recheck"]

_NEEDED = ("target", "task", "seed", "fingerprint", "classes")


class Recheck(NamedTuple):
    """A certificate computed from the file and the data, and whether they belong."""

    certificate: Certificate
    same_data: bool
    label: str
    rows: int


def recheck(model_path: str | PathLike[str], data: Any) -> Recheck:
    """Compute the certificate of a saved model again, from its weights and the data.

    Neither the solver nor the certificate in the file is trusted: the training rows are
    found by the seed in the file, encoded, and both sides of the gap are evaluated.
    """
    extra = read_run_extra(model_path)
    pipeline = load(model_path)
    target = extra["target"] if extra.get("kinds") else None
    problem = pose(data, target, extra["task"])
    train = split_off_test(problem, extra["seed"]).train
    X = pipeline[:-1].transform(problem.rows[train])
    certificate = pipeline[-1].certify(X, problem.y[train])
    return Recheck(
        certificate=certificate,
        same_data=problem.fingerprint == extra["fingerprint"],
        label=str(extra.get("model", "")),
        rows=len(train),
    )


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
