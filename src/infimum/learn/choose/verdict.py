"""The verdict on a race: the model to keep, the readable one, blend and proofs."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from infimum.errors import InfimumError
from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion
from infimum.learn.choose.blending import Blend, blend_label, blend_result, find_blend
from infimum.learn.choose.final_fit import choose_and_fit, given_up_for
from infimum.learn.choose.readable import NOBODY, find_champion
from infimum.learn.choose.refit import (
    Promise,
    Refit,
    disappointment,
    fitted,
    plain_proof,
    refit_blend,
    unsteadiness,
)
from infimum.learn.choose.rule import Standing, choose, words
from infimum.learn.clock import Progress, Step
from infimum.learn.folds import collecting, features_in_use, fit_one, made
from infimum.learn.journal import Decisions
from infimum.learn.problem import Problem
from infimum.learn.result import Choice, ContenderResult, TracePoint

__all__ = ["Verdict", "contender_results", "identity", "settle"]


_BLEND = "blend"


class Verdict(NamedTuple):
    """What was decided, the final model, and how to fit the same on other rows."""

    choice: Choice
    final: Refit
    champion: dict[str, Any] | None
    blend: dict[str, Any] | None
    contenders: tuple[ContenderResult, ...]
    replaced: tuple[dict[str, Any], ...] = ()
    again: Callable[[Problem], Any] | None = None

    @property
    def expected_error(self) -> float | None:
        """The error rate of the chosen contender on rows held back, if it has one."""
        named = (
            contender
            for contender in self.contenders
            if contender.name == self.choice.name
        )
        return next((contender.metrics.get("error") for contender in named), None)

    def fields(self) -> dict[str, Any]:
        """Return what the verdict adds to the result."""
        return {
            "choice": self.choice,
            "champion": self.champion,
            "blend": self.blend,
            "contenders": self.contenders,
            "coefficients": self.final.coefficients,
            "replaced": self.replaced,
        }


def settle(
    problem: Problem,
    standing: Sequence[Standing],
    splits: Sequence[Split],
    criterion: Criterion,
    decisions: Decisions | None = None,
) -> Verdict:
    """Choose, blend if it pays, and fit the final model on all training rows.

    What there is time for, the `decisions` say: a resumed run decides alike.
    """
    asked = decisions or Decisions()
    choice, _ = choose(standing, criterion)
    reason = ""
    contenders: tuple[ContenderResult, ...] = ()
    replaced: tuple[dict[str, Any], ...] = ()
    again: Callable[[Problem], Any]
    blend, final = _try_blend(problem, standing, splits, criterion, choice, asked)
    wrong = final if isinstance(final, str) else ""
    if wrong:
        replaced = (given_up_for("The blend", wrong),)
    if blend is not None and isinstance(final, Refit):
        contender = blend_result(blend, standing, criterion)
        winning, contenders = blend.errors, (contender,)
        again = _again(standing, blend)
        choice = _blended(choice, contender)
    else:
        reason = "disappoints" if wrong else _why_not(blend, choice)
        found = choose_and_fit(
            problem, standing, criterion, decisions=asked, splits=splits
        )
        winning, final = found.promised, found.refit
        final = final._replace(
            warnings=(*(each["reason"] for each in replaced), *final.warnings)
        )
        replaced += found.replaced
        constant = found.standing.tally.contender.fixed
        used = 0 if constant else features_in_use(final.pipeline[-1])
        choice = replace(found.choice, weights=used)
        again = partial(fitted, standing=found.standing, value=choice.value)
    champion = find_champion(
        problem, standing, splits, criterion, winning, choice.name, asked
    )
    if champion is None and not asked.stopped:
        final = final._replace(warnings=(*final.warnings, NOBODY))
    plain = None if blend is None else _plain(blend, standing, reason)
    return Verdict(choice, final, champion, plain, contenders, replaced, again)


def _again(standing: Sequence[Standing], blend: Blend) -> Callable[[Problem], Any]:
    return lambda rows: refit_blend(rows, standing, blend).pipeline


def _try_blend(
    problem: Problem,
    standing: Sequence[Standing],
    splits: Sequence[Split],
    criterion: Criterion,
    choice: Choice,
    asked: Decisions,
) -> tuple[Blend | None, Refit | str | None]:
    """Return the blend, and if it pays its fit, or what is wrong with that.

    None stands for a fit for which there is no time, or no need.
    """
    blend = asked.in_time(
        _BLEND, lambda: find_blend(standing, problem, splits, criterion), asked.latest
    )
    # Where nothing beats the constant answer, mixing the losers would be luck.
    if blend is None or not blend.pays or choice.name == "baseline":
        return blend, None
    try:
        final = asked.in_time(
            f"fit-{_BLEND}",
            lambda: refit_blend(problem, standing, blend),
            asked.latest,
            expected=_expected(blend, standing),
        )
    except (ArithmeticError, ValueError, InfimumError):
        return blend, "its members cannot all be fitted to all rows"
    if final is None:
        return blend, None
    promise = Promise(
        _BLEND,
        blend.errors,
        _again(standing, blend),
        _expected(blend, standing),
    )
    wrong = disappointment(
        final.pipeline, problem, criterion, blend.errors, standing
    ) or unsteadiness(problem, promise, splits, criterion, standing, decisions=asked)
    return blend, wrong or final


def _expected(blend: Blend, standing: Sequence[Standing]) -> float:
    return sum(standing[i].pace for i, _ in blend.members)


def _blended(choice: Choice, contender: ContenderResult) -> Choice:
    return replace(
        choice,
        name=contender.name,
        label=contender.label,
        parameter=contender.parameter,
        value=contender.values[0],
        score=contender.scores[0],
        spread=contender.spreads[0],
        weights=round(contender.weights[0]),
        best_name=contender.name,
        best_label=contender.label,
        best_value=contender.values[0],
        best_score=contender.scores[0],
        threshold=contender.scores[0],
        words=contender.words[0],
        # Members, settings and shares for each fold are those that the other folds have
        # taught; that it pays, all have told, which the report says.
        nested_score=contender.scores[0],
        nested_spread=contender.spreads[0],
    )


def _why_not(blend: Blend | None, choice: Choice) -> str:
    """Say why a blend was not taken; what pays and may be taken lacked the time."""
    if blend is None or not blend.gain > blend.noise:
        return "noise"
    if not blend.steady:
        return "unsteady"
    return "constant" if choice.name == "baseline" else "time"


def _plain(blend: Blend, standing: Sequence[Standing], reason: str) -> dict[str, Any]:
    """Return what the report tells of a blend, taken if there is no reason."""
    members = [
        {
            "name": standing[i].tally.contender.name,
            "label": standing[i].tally.contender.label,
            "words": words(standing[i].tally, standing[i].values[j]),
            "share": share,
        }
        for (i, j), share in zip(blend.members, blend.shares, strict=True)
    ]
    return {
        "taken": not reason,
        "reason": reason,
        "label": blend_label(blend, standing),
        "members": members,
        "gain": blend.gain,
        "noise": blend.noise,
    }


def identity(verdict: Verdict, training: Problem, seed: int) -> list[Any]:
    """Return what tells a model from others that the same race could have given."""
    choice = verdict.choice
    # Of a blend, the label tells shares in whole per cents and no settings.
    mixed = verdict.blend if choice.name == "blend" else None
    asked = [*training.options.explain_row, training.options.costs]
    return [choice.name, choice.label, choice.value, choice.words, mixed, seed, asked]


_MOST_POINTS = 200


def contender_results(
    problem: Problem,
    standing: Sequence[Standing],
    criterion: Criterion,
    decisions: Decisions,
    progress: Progress,
) -> tuple[ContenderResult, ...]:
    """Describe every contender; if time is left, solve the convex on all rows.

    The best of them is first, and has until the model must be there: what is proved
    shall stand beside a winner that cannot be.
    """
    # Encoding a large table takes a while: only if somebody has time to be solved.
    encoded = cache(lambda: problem.encoded("linear"))
    solved: dict[int, Any] = {}
    convex = [k for k, each in enumerate(standing) if each.tally.contender.convex]
    for done, place in enumerate(sorted(convex, key=lambda k: _least(standing[k]))):
        each = standing[place]
        progress(Step("prove", each.tally.contender.label, done, len(convex)))
        nobody_waits = decisions.deadline <= 0
        solved[place] = decisions.in_time(
            f"proof-{each.tally.contender.name}",
            partial(_solved, each, encoded, problem),
            decisions.deadline if done or nobody_waits else decisions.latest,
            expected=each.pace,
        )
    return tuple(
        _contender_result(each, criterion, solved.get(place))
        for place, each in enumerate(standing)
    )


def _least(standing: Standing) -> float:
    return float(standing.means[standing.best])


def _solved(standing: Standing, encoded: Callable[[], Any], problem: Problem) -> Any:
    tally = standing.tally
    value = standing.values[standing.pick]
    encoder, X = encoded()
    try:
        with collecting():
            model = made(tally.contender, tally.parameter, value, encoder)
            return fit_one(model, X, problem.y, problem.weights)
    except (ArithmeticError, ValueError, InfimumError):
        return None


def _contender_result(
    standing: Standing, criterion: Criterion, model: Any
) -> ContenderResult:
    tally = standing.tally
    return ContenderResult(
        name=tally.contender.name,
        label=tally.contender.label,
        parameter=tally.parameter,
        values=standing.values,
        scores=tuple(criterion.error(mean) for mean in standing.means.tolist()),
        spreads=tuple(standing.spreads.tolist()),
        weights=tuple(standing.weights.tolist()),
        best=standing.best,
        pick=standing.pick,
        folds=standing.folds,
        seconds=tally.seconds,
        metrics={
            name: standing.average(name, standing.best)
            for name in standing.metrics[0][0]
        },
        proof=plain_proof(model),
        trace=() if model is None else _trace(model),
        words=tuple(words(tally, value) for value in standing.values),
        state=tally.retired,
    )


def _trace(model: Any) -> tuple[TracePoint, ...]:
    """Return the relative gap against time; a logarithmic axis has no place for 0."""
    # Targets so small that their squares vanish leave a scale of 0, and no gap.
    scale = float(model.certificate_.scale) or 1.0
    history = getattr(model, "history_", [])
    records = [r for r in history if math.isfinite(r.primal - r.dual)]
    kept = np.linspace(0, len(records) - 1, min(len(records), _MOST_POINTS))
    return tuple(
        TracePoint(
            float(records[place].seconds),
            max(float(records[place].primal - records[place].dual) / scale, 1e-16),
        )
        for place in np.unique(kept.round().astype(int))
    )
