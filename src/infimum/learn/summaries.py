"""What the result says about the rows, the versions, and what did not go as planned."""

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

import infimum
from infimum.evaluation import Split
from infimum.learn.choose.refit import Refit
from infimum.learn.compare.race import TOO_SLOW, RaceOutcome
from infimum.learn.compare.tally import Tally
from infimum.learn.problem import Problem
from infimum.learn.result import DataSummary

__all__ = ["installed_versions", "remarks", "summary"]

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


def summary(
    problem: Problem, training: Problem, splits: Sequence[Split], final: Refit
) -> DataSummary:
    """Return where the rows came from and how they were split."""
    return DataSummary(
        source=problem.source,
        fingerprint=problem.fingerprint,
        rows=len(problem.y),
        target=problem.target,
        columns=problem.columns,
        features=int(final.pipeline[-1].n_features_in_),
        warnings=problem.warnings,
        train_rows=len(training.y),
        test_rows=len(problem.y) - len(training.y),
        folds=len(splits),
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
