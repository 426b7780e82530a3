"""One pass of the multiclass perceptron: reward the truth, punish the winner."""

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.rows import Rows, add, dot
from infimum.typing import Indices, Matrix, Vector

__all__ = ["contest"]


@inner_loop()
def _judge(scores: Vector, truth: int) -> int:
    """Return the class that wins against the truth, or the truth; ties go to rivals."""
    winner = truth
    for k in range(scores.size):
        if k != truth and (
            scores[k] > scores[winner]
            or (winner == truth and scores[k] == scores[truth])
        ):
            winner = k
    return winner


@loop()
def contest(
    rows: Rows,
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
    classes, last = stored.shape[0], stored.shape[1] - 1
    scores = stored[:, last].copy()
    for i in order:
        state[0] += 1.0
        for k in range(classes):
            scores[k] = stored[k, last] + dot(rows, i, stored[k])
        truth = codes[i]
        winners[i] = _judge(scores, truth)
        if winners[i] == truth:
            continue
        for k, sign in ((truth, 1.0), (winners[i], -1.0)):
            late = (state[0] - 1.0) * sign
            add(rows, i, sign, stored[k])
            add(rows, i, late, total[k])
            stored[k, last] += sign * state[1]
            total[k, last] += late * state[1]
