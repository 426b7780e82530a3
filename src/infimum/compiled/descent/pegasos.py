"""One pass of Pegasos: stochastic subgradient steps on the hinge and a ridge."""

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.rows import Rows, dot, entry, place, span
from infimum.typing import Indices, Vector

__all__ = ["pegasos"]

#: State of a run, one slot each: steps taken, scale of the stored weights, their
#: squared length, intercept, weight of the stored vector in the running mean, mean
#: intercept, total weight of the mean.
_TIME, _SCALE, _LENGTH, _INTERCEPT, _LAG, _MEAN_INTERCEPT, _TOTAL = range(7)
_SMALLEST_SCALE = 1e-9


@inner_loop()
def _begin_step(stored: Vector, mean: Vector, state: Vector, strength: float) -> float:
    """Shrink the weights by the ridge step; return the length of this step."""
    state[_TIME] += 1.0
    state[_SCALE] *= 1.0 - 1.0 / state[_TIME]
    if state[_SCALE] < _SMALLEST_SCALE:
        # Write the weights out, so that the scale can start again.
        length = 0.0
        for j in range(stored.size):
            mean[j] += state[_LAG] * stored[j]
            stored[j] *= state[_SCALE]
            length += stored[j] * stored[j]
        state[_SCALE], state[_LAG], state[_LENGTH] = 1.0, 0.0, length
    step: float = 1.0 / (strength * state[_TIME])
    return step


@inner_loop()
def _end_step(state: Vector, radius: float) -> None:
    """Project, if there is a radius, and add the weights to the running mean.

    The mean counts the t-th weights t times. The stored vector v enters it lazily:
    Σ t·scale·v = mean + lag·v, corrected whenever v changes.
    """
    length = state[_SCALE] * max(state[_LENGTH], 0.0) ** 0.5
    if radius > 0.0 and length > radius:
        state[_SCALE] *= radius / length
    state[_LAG] += state[_TIME] * state[_SCALE]
    state[_MEAN_INTERCEPT] += state[_TIME] * state[_INTERCEPT]
    state[_TOTAL] += state[_TIME]


@loop()
def pegasos(
    rows: Rows,
    y: Vector,
    shares: Vector,
    batches: Indices,
    inside: Vector,
    stored: Vector,
    mean: Vector,
    state: Vector,
    pace: tuple[float, float, float],
) -> None:
    """Take one step for each row of `batches`.

    Weights are scale·`stored`. `inside` receives 1 for samples inside their margin when
    seen and 0 for others. `pace` is (strength, radius or 0, 1 with an intercept).
    """
    strength, radius, free = pace
    size = batches.shape[1]
    for batch in batches:
        for i in batch:
            score = state[_SCALE] * dot(rows, i, stored) + state[_INTERCEPT]
            inside[i] = 1.0 if y[i] * score < 1.0 else 0.0
        step = _begin_step(stored, mean, state, strength)
        for i in batch:
            if inside[i] == 0.0:
                continue
            push = step * y.size * shares[i] * y[i] / (size * state[_SCALE])
            begin, end = span(rows, i)
            for k in range(begin, end):
                j, added = place(rows, k), push * entry(rows, i, k)
                state[_LENGTH] += added * (2.0 * stored[j] + added)
                stored[j] += added
                mean[j] -= state[_LAG] * added
            state[_INTERCEPT] += free * push * state[_SCALE]
        _end_step(state, radius)
