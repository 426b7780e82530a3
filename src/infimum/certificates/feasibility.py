"""Make slopes dual-feasible: balance them for the intercept, repair them for Ω*."""

import numpy as np

from infimum.losses import Loss, VectorLoss
from infimum.objectives import LinearRisk
from infimum.penalties import Penalty, SeparablePenalty
from infimum.typing import Matrix, Vector

__all__ = ["balance", "repair", "side_factors"]

#: Sums of slopes this small, relative to their sizes, are rounding.
ROUNDING = 1e-13
#: Sums of the slopes of a sample this small are rounding.
SETTLED = 1e-15
#: Squares of columns without length count as this share of the longest.
NOTHING = 1e-30
#: Slopes this small, relative to the largest, may be 0.
SMALL = 1e-9
#: A repair solves a system of this many unknowns at most.
LARGEST_REPAIR = 3_000


def balance(risk: LinearRisk, slopes: Vector) -> Vector:
    """Make the weighted slopes sum to 0, as a free intercept demands.

    Each slope moves towards 0 (scalar losses) or by a share of its slack (vector
    losses), so the result stays in the domain of ℓ* wherever that is possible.
    """
    if isinstance(risk.loss, VectorLoss):
        slopes = _settled(risk, slopes)
        if not risk.intercept:
            return slopes
        return _settled(risk, _balance_vectors(risk, slopes))
    if not risk.intercept:
        return slopes
    upper, lower = side_factors(risk, slopes)
    if upper == lower:
        return slopes
    return np.asarray(np.where(slopes > 0, upper * slopes, lower * slopes))


def _settled(risk: LinearRisk, slopes: Vector) -> Vector:
    """Make the slopes of each sample sum to 0 where a loss demands it."""
    if not isinstance(risk.loss, VectorLoss) or not risk.loss.shift_invariant:
        return slopes
    k = slopes.shape[1]  # few: a product is faster than a mean
    sums = slopes @ np.full((k, 1), 1.0 / k)
    return slopes - sums if np.any(np.abs(sums) > SETTLED) else slopes


def side_factors(risk: LinearRisk, slopes: Vector) -> Vector:
    """Return the factors on positive and on other slopes that balance a scalar loss."""
    # Not products of BLAS, which would wake its threads for ten thousand numbers.
    up = float(np.einsum("i,i->", risk.weights, np.maximum(slopes, 0.0)))
    down = -float(np.einsum("i,i->", risk.weights, np.minimum(slopes, 0.0)))
    if abs(up - down) <= ROUNDING * (up + down):
        return np.ones(2)
    return np.array([down / up, 1.0] if up > down else [1.0, up / down])


def _balance_vectors(risk: LinearRisk, slopes: Matrix) -> Matrix:
    assert isinstance(risk.loss, VectorLoss)
    excess = risk.weights @ slopes
    wanted = float(np.abs(excess).max())
    if wanted <= ROUNDING * (risk.weights @ np.abs(slopes)).max():
        return slopes
    slack = _slack(risk, slopes)
    short = wanted - float(risk.weights @ slack)
    if short > 0.0 and wanted <= ROUNDING * _size(risk, slopes):
        return slopes
    if short > 0.0:
        # Slack is concave: mixing in balanced slopes that have some makes enough room.
        centre = risk.loss.centre(risk.y, risk.weights)
        room = float(risk.weights @ _slack(risk, centre))
        share = short / (short + room)
        slopes = (1.0 - share) * slopes + share * centre
        excess, slack = (1.0 - share) * excess, _slack(risk, slopes)
    return slopes - np.outer(slack, excess / max(float(risk.weights @ slack), 1e-300))


def repair(
    risk: LinearRisk, slopes: Vector, correlation: Vector
) -> tuple[Vector, Vector] | None:
    """Move slopes, least where their slack is least, until Ω* may be finite.

    Needed when scaling cannot help: unpenalised directions demand correlations that
    vanish exactly. Returns the mended slopes and correlations, or None when the system
    is too large or the result leaves the domain of ℓ*.
    """
    if risk.design.shape[1] > LARGEST_REPAIR:
        return None
    slopes, correlation = _snapped(risk, slopes, correlation)
    aim = _aim(risk, correlation)
    if _negligible(risk, _defect(risk, slopes, aim), slopes):
        return slopes, aim
    slack, walls = _slack(risk, slopes), _walls(risk.penalty, correlation, aim)
    matrix = walls.T @ _moments(risk, slack) @ walls
    mended = slopes
    for _ in range(3):  # later rounds remove the rounding of the first
        step = walls @ _solve(matrix, walls.T @ _defect(risk, mended, aim))
        moved = np.asarray(risk.design.scores(step[:-1]), dtype=np.float64)
        mended = _settled(risk, mended + ((moved + step[-1]).T * slack).T)
        aim = _aim(risk, _correlation(risk, mended))
    if not _negligible(risk, _defect(risk, mended, aim), mended):
        return None
    scale = _into_domain(risk, mended)
    return None if scale < 0.5 else (scale * mended, scale * aim)


def _snapped(
    risk: LinearRisk, slopes: Vector, correlation: Vector
) -> tuple[Vector, Vector]:
    """Set slopes next to 0 to 0, if then nothing is left to repair.

    So it is with samples far on the right side of a line that parts them exactly.
    """
    small = np.abs(slopes) <= SMALL * np.abs(slopes).max(initial=0.0)
    if not small.any() or small.all():
        return slopes, correlation
    snapped = balance(risk, np.where(small, 0.0, slopes))
    moved = _correlation(risk, snapped)
    if np.any(_defect(risk, snapped, _aim(risk, moved))):
        return slopes, correlation
    return snapped, moved


def _aim(risk: LinearRisk, correlation: Vector) -> Vector:
    """Return the nearest correlations that scaling can make feasible.

    Distances are in units of what rounding may do to each: columns of large numbers
    give way to columns of small ones.
    """
    penalty, d = risk.penalty, len(correlation)
    if isinstance(penalty, SeparablePenalty):
        return np.where(penalty.admit(correlation) == 0.0, 0.0, correlation)
    free = penalty.free_directions(d)
    count = free.shape[1]
    if np.all((free != 0.0).sum(axis=0) == 1):  # single features, or none
        return np.where(free.any(axis=1), 0.0, correlation.T).T
    squares = _squares(risk)
    if 2 * count <= d:
        across = (squares * free.T).T
        excess = np.linalg.lstsq(free.T @ across, free.T @ correlation)[0]
        aim = correlation - across @ excess
        small = np.abs(aim) <= SETTLED * np.abs(correlation)
        empty = (correlation.T == 0.0) & (squares <= 2.0 * NOTHING * squares.max())
        return np.where(small | empty.T, 0.0, aim)
    rest, roots = np.linalg.qr(free, mode="complete")[0][:, count:], np.sqrt(squares)
    mix = np.linalg.lstsq((rest.T / roots).T, (correlation.T / roots).T)[0]
    aim = np.asarray(rest @ mix)
    small = np.abs(aim).max(initial=0.0) <= SETTLED * np.abs(correlation).max()
    return np.zeros_like(aim) if small else aim


def _walls(penalty: Penalty, correlation: Vector, aim: Vector) -> Matrix:
    """Return the directions in which (correlation, sum of slopes) must be exact."""
    d = len(correlation)
    if isinstance(penalty, SeparablePenalty):
        missed = (correlation != aim).reshape(d, -1).any(axis=1)
        free: Matrix = np.eye(d)[:, missed]
    else:
        free = penalty.free_directions(d)
    walls = np.zeros((d + 1, free.shape[1] + 1))
    walls[:d, :-1], walls[d, -1] = free, 1.0
    return walls


def _negligible(risk: LinearRisk, defect: Vector, slopes: Vector) -> bool:
    """Tell whether a defect is no more than rounding can do to Xᵀ(q∘s)."""
    squares = _squares(risk)
    size = _rounding(risk) * _size(risk, slopes)
    limits = size * np.sqrt(np.append(squares, 1.0))
    return bool(np.all(limits >= np.abs(defect).T))


def _squares(risk: LinearRisk) -> Vector:
    """Return the squared lengths of the columns, next to nothing for those of none."""
    squares = risk.lengths**2
    longest = max(float(squares.max(initial=0.0)), 1e-270)
    return np.maximum(squares, NOTHING * longest)


def _rounding(risk: LinearRisk) -> float:
    """Return what share of a product with the design rounding may be."""
    return 1e-6 if risk.design.dtype == np.float32 else 1e-10


def _size(risk: LinearRisk, slopes: Vector) -> float:
    return float(np.sqrt((risk.weights @ slopes**2).max()))


def _slack(risk: LinearRisk, slopes: Vector) -> Vector:
    """Return how far each slope may move; 1 where its domain is the whole line."""
    if isinstance(risk.loss, VectorLoss):
        return np.maximum(risk.loss.slack(risk.y, slopes), 0.0)
    low, high = risk.loss.slopes(risk.y)
    room = np.minimum(slopes - low, high - slopes)
    return np.where(np.isfinite(room), np.maximum(room, 0.0), 1.0)


def _moments(risk: LinearRisk, slack: Vector) -> Matrix:
    d, weighted = risk.design.shape[1], risk.weights * slack
    matrix = np.zeros((d + 1, d + 1))
    matrix[:d, :d] = risk.design.gram(weighted)
    if risk.intercept:
        matrix[:d, d] = matrix[d, :d] = risk.design.pull_back(weighted)
        matrix[d, d] = weighted.sum()
    return matrix


def _correlation(risk: LinearRisk, slopes: Vector) -> Vector:
    pulled = risk.design.pull_back((slopes.T * risk.weights).T)
    return -np.asarray(pulled, dtype=np.float64)


def _defect(risk: LinearRisk, slopes: Vector, aim: Vector) -> Vector:
    last = (slopes.T * risk.weights).T.sum(axis=0, keepdims=True)
    correlation = _correlation(risk, slopes)
    return np.concatenate([correlation - aim, -last * float(risk.intercept)])


def _solve(matrix: Matrix, defect: Vector) -> Vector:
    """Solve after scaling to unit diagonal; directions without slack are left out."""
    # Rounding may leave a square below 0.
    roots = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)
    scaled = matrix * np.outer(inverse, inverse)
    if not np.isfinite(scaled).all():  # numbers too large to move anything by
        return np.zeros_like(defect)
    values, vectors = np.linalg.eigh(scaled)
    kept = values > 1e-13 * max(values[-1], 0.0)
    coordinates = (vectors[:, kept].T @ (defect.T * inverse).T).T / values[kept]
    return np.asarray(((vectors[:, kept] @ coordinates.T).T * inverse).T)


def _into_domain(risk: LinearRisk, slopes: Vector) -> float:
    """Return the largest s in [0, 1] for which s·slopes lie in the domain of ℓ*."""
    if not isinstance(risk.loss, Loss):
        inside = np.isfinite(risk.loss.conjugate(risk.y, slopes)).all()
        return 1.0 if inside else 0.0
    low, high = risk.loss.slopes(risk.y)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(slopes > 0, high / slopes, low / slopes)
    used = ratio[(slopes != 0) & (risk.weights > 0)]
    return float(np.clip(used.min(initial=1.0), 0.0, 1.0))
