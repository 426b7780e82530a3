"""What the result says about the rows and about what did not go as planned."""

from collections.abc import Sequence

from infimum.evaluation import Split
from infimum.learn.heat import Heat
from infimum.learn.problem import Problem
from infimum.learn.race import TOO_SLOW, RaceOutcome
from infimum.learn.refit import Refit
from infimum.learn.result import DataSummary

__all__ = ["summary", "told"]


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


def told(outcome: RaceOutcome, final: Refit) -> tuple[str, ...]:
    """Say what did not go as planned, a sentence each."""
    said = [_remark(heat) for heat in outcome.heats]
    slow = [h.contender.label for h in outcome.heats if h.retired == TOO_SLOW]
    said += [f"Left out, {TOO_SLOW}: {', '.join(slow)}."] if slow else []
    return tuple([sentence for sentence in said if sentence] + [*final.warnings])


def _remark(heat: Heat) -> str:
    label = heat.contender.label
    if heat.failure:
        return f"{label} could not take part: {heat.failure}"
    if heat.uncertified:
        share = f"{heat.uncertified} of {heat.fits}"
        return f"{label}: {share} fits ended without a closed gap."
    return ""
