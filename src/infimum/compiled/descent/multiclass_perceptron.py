"""One pass of the multiclass perceptron: reward the truth, punish the winner."""

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["contest_dense", "contest_sparse"]


@inner_loop()
def _judge(contest: Vector, truth: int) -> int:
    """Return the class that wins against the truth, or the truth; ties go to rivals."""
    winner = truth
    for k in range(contest.size):
        if k != truth and (
            contest[k] > contest[winner]
            or (winner == truth and contest[k] == contest[truth])
        ):
            winner = k
    return winner


@loop()
def contest_dense(
    X: Matrix,
    codes: Indices,
    order: Indices,
    winners: Indices,
    stored: Matrix,
    total: Matrix,
    state: Vector,
) -> None:
    """Visit the rows that `order` names; keep which class won at each.

    The last column of `stored` holds the intercepts. `total` receives the sum of each
    change times the time it came, from which the mean of all weights follows. `state`
    is the time, and 1 with an intercept.
    """
    classes, features = stored.shape[0], X.shape[1]
    contest = stored[:, features].copy()
    for i in order:
        state[0] += 1.0
        for k in range(classes):
            contest[k] = stored[k, features]
            for j in range(features):
                contest[k] += X[i, j] * stored[k, j]
        truth = codes[i]
        winners[i] = _judge(contest, truth)
        if winners[i] == truth:
            continue
        for k, sign in ((truth, 1.0), (winners[i], -1.0)):
            for j in range(features):
                stored[k, j] += sign * X[i, j]
                total[k, j] += (state[0] - 1.0) * sign * X[i, j]
            stored[k, features] += sign * state[1]
            total[k, features] += (state[0] - 1.0) * sign * state[1]


@loop()
def contest_sparse(
    starts: Indices,
    places: Indices,
    entries: Vector,
    codes: Indices,
    order: Indices,
    winners: Indices,
    stored: Matrix,
    total: Matrix,
    state: Vector,
) -> None:
    """Do the same as `contest_dense` for rows in compressed form."""
    classes, features = stored.shape[0], stored.shape[1] - 1
    contest = stored[:, features].copy()
    for i in order:
        state[0] += 1.0
        row = range(starts[i], starts[i + 1])
        for k in range(classes):
            contest[k] = stored[k, features]
            for place in row:
                contest[k] += entries[place] * stored[k, places[place]]
        truth = codes[i]
        winners[i] = _judge(contest, truth)
        if winners[i] == truth:
            continue
        for k, sign in ((truth, 1.0), (winners[i], -1.0)):
            for place in row:
                j = places[place]
                stored[k, j] += sign * entries[place]
                total[k, j] += (state[0] - 1.0) * sign * entries[place]
            stored[k, features] += sign * state[1]
            total[k, features] += (state[0] - 1.0) * sign * state[1]
