"""The strength of a penalty chosen along paths on every fold, by their mean error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.data.doors import Rows
from infimum.errors import InvalidParameterError
from infimum.models._folds import folds_of
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._strength_path import follow_path, strongest, worst_gap
from infimum.models.linear.closed_form._ridge_recipe import refuse_text
from infimum.models.linear.fit import Recipe
from infimum.models.linear.lassos._gram_path import gram_path
from infimum.parameters import Interval, check_domain, whole
from infimum.typing import Matrix, Vector

__all__ = ["chosen_by_folds", "shares"]

#: Strengths that stand in when every coefficient is 0 under any.
LEAST_ALPHA = 1e-15


def chosen_by_folds(
    model: Any,
    rows: Rows,
    ratios: Vector,
    recipe: Callable[..., Recipe],
    split: dict[str, Any],
) -> dict[str, Any]:
    """Return the strength and the share with the least error on held-back folds.

    `model` has `alphas`, `eps` and `cv`; `recipe` makes the recipe of a model, rows, a
    strength and a share; `split` is what `cv` is told of the rows. The answer has the
    names of fitted attributes.
    """
    problem = recipe(model, rows, 1.0, 1.0).problem(rows)
    grids = np.array(
        [
            _grid(model, ratio, problem, recipe(model, rows, 1.0, ratio))
            for ratio in ratios.tolist()
        ]
    )
    folds = folds_of(model, rows.X, rows.y, weights=rows.weights, split=split)
    errors, gap = np.empty((*grids.shape, len(folds))), 0.0
    for place, (train, held) in enumerate(folds):
        learn, test = rows.at(train), rows.at(held)
        part = recipe(model, learn, 1.0, 1.0).problem(learn)
        for k, ratio in enumerate(ratios.tolist()):
            order = np.argsort(-grids[k])
            path = [recipe(model, learn, a, ratio) for a in grids[k][order].tolist()]
            points, worst = gram_path(path, part) or _solved(path, part)
            gap = max(gap, worst)
            pairs = list(map(part.unpack, points))
            coefs, intercepts = map(np.array, zip(*pairs, strict=True))
            errors[k, order, place] = _errors(coefs, intercepts, test)
    found = {"path_gap_": gap, **_best(ratios, grids, errors)}
    if np.ndim(model.alphas) > 0:  # the same ones, whatever the share
        found["alphas_"] = grids[0]
    return found


def _solved(path: list[Recipe], part: LinearProblem) -> tuple[list[Vector], float]:
    runs = follow_path(path, part)
    return [solutions[0].point for solutions in runs], worst_gap(runs)


def _best(ratios: Vector, grids: Matrix, errors: Matrix) -> dict[str, Any]:
    means = errors.mean(axis=2)
    row, column = np.unravel_index(np.argmin(means), means.shape)
    count = errors.shape[2]
    # The spread of a single error is unknown.
    spread = errors[row].std(axis=1, ddof=min(count - 1, 1)) / np.sqrt(count)
    near = means[row] <= means[row, column] + spread[column]
    near[column] = True  # also if numbers were too large for a spread
    alone = len(ratios) == 1
    return {
        "alpha_": np.float64(grids[row, column]),
        "l1_ratio_": np.float64(ratios[row]),
        "alpha_1se_": float(grids[row][near].max()),
        "alphas_": grids[0] if alone else grids,
        "mse_path_": errors[0] if alone else errors,
    }


def _grid(model: Any, ratio: float, problem: LinearProblem, recipe: Recipe) -> Vector:
    """Return the strengths to try, from strong to weak."""
    owner = f"{type(model).__name__}.alphas"
    if np.ndim(model.alphas) > 0:
        refuse_text(type(model).__name__, model.alphas)
        given = np.sort(np.asarray(model.alphas, dtype=np.float64).ravel())[::-1]
        if len(given) and np.isfinite(given).all() and given[-1] >= 0:
            return np.asarray(given)
        raise InvalidParameterError(
            f"{owner} must be numbers in [0, inf), got {model.alphas!r}."
        )
    check_domain(owner, model.alphas, whole(1))
    check_domain(
        f"{type(model).__name__}.eps", model.eps, Interval(0, 1, open_low=True)
    )
    if ratio == 0:
        raise InvalidParameterError(
            f"{owner} must be given where l1_ratio is 0: no strength makes all "
            "coefficients vanish, so there is none to start from."
        )
    below, risks = bool(getattr(model, "positive", False)), recipe.risks(problem)
    top = strongest(risks, positive=below)
    if not top > LEAST_ALPHA:  # no coefficient wants to be positive, under any strength
        top = strongest(risks)
    if not top > LEAST_ALPHA:
        return np.full(int(model.alphas), LEAST_ALPHA)
    return np.geomspace(top, top * model.eps, int(model.alphas))


def shares(owner: str, l1_ratio: Any) -> Vector:
    """Return the shares of a penalty that a user gave, as an array."""
    ratios = np.atleast_1d(np.asarray(l1_ratio, dtype=np.float64))
    if len(ratios) and ((ratios >= 0) & (ratios <= 1)).all():
        return ratios
    raise InvalidParameterError(
        f"{owner}.l1_ratio must be in [0, 1], got {l1_ratio!r}."
    )


def _errors(coefs: Matrix, intercepts: Vector, test: Rows) -> Vector:
    """Return the mean squared error of each model, over all its targets."""
    models, y = coefs.reshape(-1, coefs.shape[-1]), test.y
    wrong = np.asarray(test.X @ models.T) + intercepts.ravel()
    wrong = wrong.reshape(len(y), len(coefs), -1)
    wrong -= y.reshape(len(y), 1, -1)
    np.square(wrong, out=wrong)
    each = wrong[:, :, 0] if wrong.shape[2] == 1 else wrong.mean(axis=2)
    return np.average(each, axis=0, weights=test.weights)
