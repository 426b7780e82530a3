"""The auditor: an upper bound on one risk, a lower bound on all, rounding counted.

The risk is P(w, b) = Σ qᵢ ℓ(yᵢ, xᵢ·w + b + oᵢ) + Ω(w) with qᵢ = cᵢ/Σc. Slopes s, with
Σ q s = 0 where the intercept is free, and v = -Xᵀ(q∘s) prove by the inequality of
Fenchel and Young that no (w', b') is better than (w, b) by more than
    Σ q [ℓ(f) + ℓ*(s) - s·f]  +  Ω(w) - ⟨v, w⟩ + sup [⟨v, w'⟩ - Ω(w')].
Computed numbers come with a radius; `docs/auditor.md` has assumptions and lemmas.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Audit", "audit"]
#: The relative error of a rounding, of k roundings (k·G), and of a formula of at most
#: 32, of which exp, log and log1p, within four units in the last place, are eight each.
U, G, FORMULA = 2.0**-53, 1.01 * 2.0**-53, 2.0**-48
#: More than underflow takes from a formula; infinity where its product with 0 is 0.
TINY, FAR = 2.0**-1000, 1e300


@dataclass(frozen=True)
class Audit:
    """What is proved: the risk of the point is at most `upper`, none is below `lower`.

    Of the difference, `slack` is due to rounding and to the repair of slopes. `reason`
    says why the lower bound is only the least conceivable risk, where it is.
    """

    upper: float = math.inf
    lower: float = -math.inf
    tolerance: float = 0.0
    slack: float = math.inf
    reason: str = ""

    @property
    def verdict(self) -> str:
        """Return "proved" where the gap is within the tolerance, else "open"."""
        return "proved" if self.upper - self.lower <= self.tolerance else "open"


def audit(X: Any, y: Any, *, slopes: Any, tolerance: float = 0.0, **case: Any) -> Audit:
    """Bound the risk of a point from above, and every risk from below.

    Parameters
    ----------
    X, y : arrays of shape (n, d) and (n,)
        X may be sparse. Targets are signs for margins, codes for softmax.
    slopes : array of shape (n,) or (n, k)
        The dual point: any numbers, which are moved into the domain of ℓ*.
    tolerance : float
        Where a priori bounds on rounding miss it, compensated products follow.
    **case
        ``loss`` and ``penalty``: mappings with a ``name`` and parameters; ``coef``, of
        shape (d,) or (d, k); ``intercept``, or None; optionally ``weights``, ``offset``
        and ``gram=True``: X is the Gram matrix, Ω(Σ cᵢ k(xᵢ, ·)) = strength/2·cᵀXc.

    Examples
    --------
    >>> case = {"loss": {"name": "squared"}, "coef": [1.0], "intercept": 0.5}
    >>> lasso, X = {"name": "lasso", "strength": 0.25}, np.array([[1.0], [0.0]])
    >>> f"{audit(X, [2, 0], slopes=[-0.5, 0.5], penalty=lasso, **case).lower:.12f}"
    '0.375000000000'
    """
    if case["loss"]["name"] not in _LOSSES or case["penalty"]["name"] not in _PENALTIES:
        return Audit(reason="the auditor does not know this loss or penalty")
    with np.errstate(all="ignore"):
        posed = _Case(X, y, np.array(slopes, dtype=np.float64), **case)
        if posed.wrong:
            return Audit(reason="the numbers do not suit the loss, or are too large")
        found = posed.audit(tolerance, fine=False)
        done = found.verdict == "proved" or found.slack < 1e-4 * tolerance
        return found if done else posed.audit(tolerance, fine=True)


def _two_product(a: Any, b: Any) -> Any:  # rounded, and the rest, exact (Dekker)
    product, wide_a, wide_b = a * b, 134217729.0 * a, 134217729.0 * b
    a1, b1 = wide_a - (wide_a - a), wide_b - (wide_b - b)
    a2, b2 = a - a1, b - b1
    return product, a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)


def _total(terms: Any) -> Any:  # along the first axis: rounded, the rest, its radius
    count, lacks, wide = len(terms), 0.0 * terms[0], 0.0 * terms[0]
    while (half := len(terms) // 2) > 0:
        a, b = terms[:half], terms[half : 2 * half]
        sums = a + b
        second = sums - a
        errors = (a - (sums - second)) + (b - second)  # exact (Knuth)
        lacks, wide = lacks + errors.sum(axis=0), wide + np.abs(errors).sum(axis=0)
        terms = np.concatenate([sums, terms[2 * half :]])
    return terms[0], lacks, G * (2 * count + 2) * wide


def _dot(A: Any, sizes: Any, V: Any, *, fine: bool) -> Any:  # A @ V, as `_total` is
    many, parts = A.shape[1], []
    if not fine:  # whatever the order of summation
        radius = G * (2 * many + 2) * (sizes @ np.abs(V)) + many * TINY
        return A @ V, 0.0 * radius, radius
    for first in range(0, A.shape[0], step := max(1, (1 << 17) // V.size)):
        rows = A[first : first + step]
        rows = rows.toarray() if hasattr(rows, "toarray") else rows
        products = _two_product(rows.T[:, :, None], V[:, None, :])
        parts.append(_total(np.concatenate(products)))
    high, low, radius = (np.concatenate(each) for each in zip(*parts, strict=True))
    return high, low, radius + many * TINY


def _upper(terms: Any) -> Any:  # not below the sum
    size = G * (2 * terms.size + 4) * float(np.abs(terms).sum())
    return float(terms.sum()) + size + terms.size * TINY


# Losses: ℓ(f), its error, and a bound on ℓ(f) + ℓ*(s) - s·f from above, for every f
# within e of z + y (z alone: logistic, Poisson, softmax) and slopes within `ends`. The
# caller adds relative errors of FORMULA. Squared hinge is twice one side of a bowl.


def _bowl(z: Any, e: Any, s: Any, y: Any, ends: Any, twice: float) -> Any:
    inner, factor = np.clip(z, *ends), 1.0 + twice
    size, beyond, off = abs(inner), abs(z - inner), abs(inner - s / factor)
    gap = off * (0.5 * off + beyond) + e * (off + e)
    return factor * size * (0.5 * size + beyond), factor * e * (size + e), factor * gap


def _kink(z: Any, e: Any, s: Any, y: Any, ends: Any, epsilon: float) -> Any:
    (lo, hi), size = ends, abs(s)
    right, left = np.maximum(z - epsilon, 0.0), np.maximum(-z - epsilon, 0.0)
    inside, value = np.minimum(abs(z), epsilon), hi * right - lo * left
    up, down = e * (z + 2.0 * e >= epsilon), e * (2.0 * e - z >= epsilon)
    gap = (hi - s) * (right + up) + (s - lo) * (left + down) + 8.0 * U * value
    gap = gap + size * (epsilon - inside + e * (epsilon > 0.0))
    gap = gap + inside * (size - s * np.sign(z))
    return value, hi * up - lo * down + 8.0 * U * value, gap  # the ends may be rounded


def _logistic(z: Any, e: Any, s: Any, y: Any, *_: Any) -> Any:
    margin, p, left = y * z, abs(s), np.minimum(abs(s), 1.0 - U)
    value = np.maximum(-margin, 0.0) + np.log1p(np.exp(-abs(margin)))
    entropy = -p * np.log(np.maximum(p, TINY)) - (1.0 - p) * np.log1p(-left)
    wide = FORMULA * (value + abs(entropy) + p * (1.0 + abs(margin)))
    return value, e, np.maximum(value - entropy + p * margin, 0.0) + wide + e


def _poisson(z: Any, e: Any, s: Any, y: Any, *_: Any) -> Any:
    rate, aim, most = np.exp(z), s + y, np.exp(z + e) * (1.0 + FORMULA)
    logs = np.log(np.maximum(aim, TINY))
    wide = FORMULA * (rate + (aim + y) * (1.0 + abs(z) + abs(logs)))
    plain = np.maximum(rate - aim * z + aim * (logs - 1.0), 0.0) + wide
    # With t = f - log(aim) it is aim·(eᵗ - 1 - t), not above aim·t²/2·max(1, eᵗ).
    t = abs(z - logs) + FORMULA * (1.0 + abs(z) + abs(logs))
    near = np.where(aim > 0.0, t * t * np.maximum(aim, rate), FAR)
    gap = np.minimum(plain, near) + e * (abs(rate - aim) + wide + e * most)
    return rate - y * z, wide + e * (most + y), gap


def _softmax(z: Any, e: Any, s: Any, y: Any, *_: Any) -> Any:
    right, slip = np.eye(z.shape[1])[y.astype(int)], FORMULA + 16.0 * U * z.shape[1]
    apart, p = z - (z * right).sum(axis=1, keepdims=True), np.maximum(s + right, 0.0)
    top, logs = apart.max(axis=1), np.log(np.maximum(p, TINY))
    value = top + np.log(np.exp(apart - top[:, None]).sum(axis=1))
    error = slip * (1.0 + abs(apart).max(axis=1)) + 2.0 * e.max(axis=1)
    gap = np.maximum(value + (p * (logs - apart)).sum(axis=1), 0.0)
    return value, error, gap + error + slip * (40.0 - (logs * right).sum(axis=1))


_SIGNS = {"hinge", "logistic", "squared_hinge"}
_LOSSES: Any = {"squared": _bowl, "huber": _bowl, "hinge": _kink, "poisson": _poisson}
_LOSSES |= {"absolute": _kink, "quantile": _kink, "epsilon_insensitive": _kink}
_LOSSES |= {"logistic": _logistic, "softmax": _softmax, "squared_hinge": _bowl}
_PENALTIES = {"none", "ridge", "lasso", "elastic_net", "group_lasso", "box"}


def _ends(y: Any, name: str, level: float = 0.5, delta: float = 1.0, **_: Any) -> Any:
    if name in _SIGNS:  # the ends of the slopes at which ℓ*(y, ·) is finite
        far = FAR if name == "squared_hinge" else 1.0
        return far * np.minimum(-y, 0.0), far * np.maximum(-y, 0.0)
    if name == "quantile":
        return -level, np.nextafter(1.0 - level, 0.0)
    end = {"squared": FAR, "poisson": FAR, "huber": delta}.get(name, 1.0)
    return (-y if name == "poisson" else -end), end


class _Penalty:  # Ω(w) = Σ prices of groups · their lengths + l2/2·‖w‖², on a box
    def __init__(self, shape: tuple[int, int], **given: Any) -> None:
        name, strength = given["name"], given.get("strength", 0.0)
        mix = {"ridge": 0.0, "elastic_net": given.get("l1_ratio", 0.5)}.get(name, 1.0)
        self.l2, self.high = strength * (1.0 - mix), given.get("high", math.inf)
        self.low = 0.0 if given.get("positive") else given.get("low", -math.inf)
        self.labels = np.arange(math.prod(shape)).reshape(shape)  # a group for each
        self.prices = np.full(self.labels.size, strength * mix)
        self.slip = FORMULA + 4 * G * self.labels.size  # of lengths and their sums
        if name in {"none", "box", "group_lasso"} or strength == 0.0:
            groups = (given.get("groups") or [range(shape[0])]) if strength else []
            self.prices = strength * np.sqrt([float(len(g)) for g in groups])
            self.labels = np.full(shape, -1)  # free
            for label, group in enumerate(groups):
                self.labels[list(group)] = label

    def lengths(self, w: Any) -> Any:
        known = self.labels >= 0
        return np.sqrt(np.bincount(self.labels[known], w[known] ** 2, len(self.prices)))

    def price(self, w: Any) -> Any:  # bounds on Ω(w)
        inside = bool(np.all((w >= self.low) & (w <= self.high)))
        total = float(self.prices @ self.lengths(w) + 0.5 * self.l2 * (w * w).sum())
        error = self.slip * total + w.size * TINY
        return max(total - error, 0.0), total + error if inside else math.inf

    def walls(self, v: Any, e: Any) -> Any:  # where v must be 0, or the sup is infinite
        up, down = self.high == math.inf, self.low == -math.inf
        return (((v + e > 0) & up | (v - e < 0) & down) & (self.labels < 0)).any(axis=1)

    def miss(self, w: Any, v: Any, e: Any, room: float) -> Any:
        """Bound Ω(w) - ⟨v, w⟩ + sup [⟨v, w'⟩ - Ω(w')], v within e, Ω(w') <= room."""
        size = v if self.low == 0.0 else abs(v)
        if not len(self.prices):
            up = np.where(v + e > 0.0, (v + e) * (self.high - w), 0.0)
            down = np.where(v - e < 0.0, (e - v) * (w - self.low), 0.0)
            return _upper(np.maximum(up, down) * (1.0 + FORMULA))
        if self.l2 > 0.0:
            l1 = self.prices[0]
            e = e + FORMULA * (abs(v) + l1 + self.l2 * abs(w))
            # The part of v within ±l1 meets l1·|w|, the rest meets l2/2·w².
            rest = np.sign(v) * np.maximum(size - l1, 0.0)
            part = np.where(size > l1, np.sign(v) * l1, v)
            off = abs(rest - self.l2 * w)
            bent = (0.5 * off * off + e * (off + e)) / self.l2
            return _upper(l1 * abs(w) - part * w + bent * (1.0 + FORMULA))
        e = e + FORMULA * abs(v)
        reach = self.lengths(np.maximum(size + e, 0.0)) * (1.0 + self.slip)
        excess = max(float((reach / self.prices).max()) - 1.0 + FORMULA, 0.0)
        flat = float(self.prices @ self.lengths(w)) * (1.0 + self.slip)
        return flat + _upper(e * abs(w) - v * w) + excess * room * (1.0 + FORMULA)


class _Case:  # the numbers of an audit; scores and coefficients have columns, outputs
    def __init__(self, X: Any, y: Any, s: Any, **given: Any) -> None:
        self.X = X if hasattr(X, "toarray") else np.asarray(X, dtype=np.float64)
        self.sizes, self.y = abs(self.X), np.asarray(y, dtype=np.float64)
        loss, penalty, (n, d) = given["loss"], given["penalty"], self.X.shape
        self.name, self.free = loss["name"], given["intercept"] is not None
        self.formula, self.ends = _LOSSES[self.name], _ends(self.y, **loss)
        self.extra = loss.get("epsilon", float(self.name == "squared_hinge"))
        self.w = np.array(given["coef"], dtype=np.float64).reshape(d, -1)
        self.shifts = np.zeros((3, n, self.w.shape[1]))
        self.shifts[0] = given["intercept"] if self.free else 0.0
        self.shifts[1] = np.reshape(given.get("offset", np.zeros(n)), (n, -1))
        self.shifts[2] = -self.y[:, None] * (self.formula in {_bowl, _kink})
        c = np.asarray(given.get("weights", np.ones(n)), dtype=np.float64)[:, None]
        self.c = np.ldexp(c, -int(np.frexp(c.max())[1]))  # exact
        self.weight = float(np.add(*_total(self.c)[:2])[0])
        self.penalty = _Penalty(self.w.shape, **penalty)
        self.strength = float(penalty["strength"]) if given.get("gram") else 0.0
        counts = self.y if self.name == "poisson" else 0.0 * self.y
        logs = counts * np.log(np.maximum(counts, TINY))
        self.least = counts - logs - FORMULA * (counts + abs(logs))  # of each loss
        self.s, self.stray = self.admit(s.reshape(n, -1))
        wrong = (self.name in _SIGNS) & (abs(self.y) != 1.0) | (counts < 0.0)
        wrong |= ~((c == 0.0) | (self.c > TINY))[:, 0]
        wrong |= (self.name == "softmax") & ~np.isin(self.y, np.arange(self.w.shape[1]))
        largest = sum(abs(each).max() for each in (self.X, self.w, self.y, self.shifts))
        self.wrong = wrong.any() or not largest < 2.0**70

    def admit(self, s: Any) -> Any:  # slopes in the domain, and how far exact ones are
        if self.name != "softmax":
            return np.clip(s.T, *self.ends).T, 0.0 * s
        right, slip = np.eye(s.shape[1])[self.y.astype(int)], 8 * G * s.shape[1]
        s = np.maximum(s, 0.0) * (1.0 - right)  # the right class takes from the others
        s = s * (1.0 - slip) / np.maximum(s.sum(axis=1, keepdims=True), 1.0 - slip)
        sums = s.sum(axis=1, keepdims=True) * right
        return s - sums, slip * sums

    def mean(self, values: Any) -> Any:  # bounds on Σ q·values
        terms = self.c[:, 0] * values
        high, low, radius = _total(terms)
        wide = 1.01 * radius + 4.0 * U * abs(terms).sum() + len(terms) * TINY
        middle, wide = float(high + low), float(wide + 8.0 * U * abs(high + low))
        return (middle - wide) / self.weight, (middle + wide) / self.weight

    def losses(self, s: Any) -> Any:  # bounds on ℓ(f), and on ℓ(f) + ℓ*(s) - s·f
        at = [a if self.formula is _softmax else a[:, 0] for a in (self.z, self.e, s)]
        value, error, gap = self.formula(*at, self.y, self.ends, self.extra)
        error = error + FORMULA * (abs(value) + error)
        return value - error, value + error, gap * (1.0 + FORMULA)

    def pull(self, A: Any, sizes: Any) -> Any:  # Aᵀ(c∘s), as `_total` has it
        a, rest = _two_product(self.c, self.s)
        high, low, radius = _dot(A.T, sizes.T, a, fine=self.fine)
        if rest.any() or self.stray.any():
            more, _, wide = _dot(A.T, sizes.T, rest, fine=False)
            wide = wide + 1.01 * (sizes.T @ (self.c * self.stray))
            radius, low = radius + wide + 4.0 * U * (abs(more) + abs(low)), low + more
        return high, low, 1.01 * radius

    def audit(self, tolerance: float, *, fine: bool) -> Audit:
        high, low, radius = _dot(self.X, self.sizes, self.w, fine=fine)
        high, low, more = _total(np.stack([high, low, *self.shifts]))
        self.z, self.fine = high + low, fine
        self.e = 1.01 * (radius + more + 2.0 * U * abs(self.z))
        low, self.high, gap = self.losses(self.s)
        least, most = self.mean(low)[0], self.mean(self.high)[1]
        below, above = (self.square if self.strength else self.penalty.price)(self.w)
        floor = self.mean(self.least)[0]
        upper = min(math.inf, most + above + 4.0 * U * (abs(most) + abs(above)))
        trivial = -math.inf if self.strength else floor  # cᵀKc may be rounded below 0
        try:
            miss, charge = (self.gram if self.strength else self.linear)(upper - floor)
        except (ArithmeticError, np.linalg.LinAlgError) as why:
            return Audit(upper, trivial, tolerance, reason=f"no proof: {why}")
        miss, charge = miss + self.mean(gap)[1], 1.01 * charge
        lower = least + below - miss - charge
        lower = lower - 8.0 * U * (abs(least) + abs(below) + abs(miss) + charge)
        slack = charge + (most - least) + (above - below)
        return Audit(upper, max(trivial, lower), tolerance, slack)

    def linear(self, room: float) -> Any:  # what the penalty misses, the repair costs
        high, low, radius = self.pull(self.X, self.sizes)
        walls = np.zeros(len(high), dtype=bool)
        for _ in range(3):
            moves, charge = self.mend(walls)
            wide = 1.01 * (self.sizes.T @ (self.c * moves))
            v = -(high + low) / self.weight
            e = (radius + wide) / self.weight * (1.0 + FORMULA) + 8.0 * U * abs(v)
            v[walls], e[walls] = 0.0, 0.0
            fresh = self.penalty.walls(v, e)
            if not fresh.any():
                plain = self.penalty.miss(self.w, v, 0.0 * e, room)
                return plain, charge + self.penalty.miss(self.w, v, e, room) - plain
            walls |= fresh
        raise ArithmeticError("correlations are not on the side that the box demands")

    def mend(self, walls: Any) -> Any:  # how far slopes move, and what that costs
        s, n, soft = self.s, len(self.s), self.name == "softmax"
        if not walls.any() and not self.free:
            return 0.0 * s, 0.0
        if not walls.any() and not soft:  # the larger side, positive or not, shrinks
            total, rest, radius = self.pull(one := np.ones((n, 1)), one)
            side = max((self.c * s * (s > 0.0)).sum(), -(self.c * s * (s < 0.0)).sum())
            share = 1.01 * (abs(total + rest) + radius).max() / max(side, TINY)
            share, cost = min(1.0, float(share)), self.mean(self.high - self.least)[1]
            return share * abs(s), share * cost
        if soft:
            p = s + np.eye(s.shape[1])[self.y.astype(int)] - self.stray
            room = np.maximum(p, 0.0).min(axis=1, keepdims=True) * (1.0 - FORMULA)
            worst = np.ptp(self.z, axis=1) + 2.0 * self.e.max(axis=1) + s.shape[1]
        else:
            unit = math.sqrt(self.mean(s[:, 0] ** 2)[1]) or 1.0
            top = np.minimum(s.T + unit, self.ends[1]).T
            bottom = np.maximum(s.T - unit, self.ends[0]).T
            room = np.minimum(top - s, s - bottom) * (1.0 - FORMULA)
            worst = np.maximum(self.losses(top)[2], self.losses(bottom)[2])
        A = self.X[:, np.flatnonzero(walls)]
        A = A.toarray() if hasattr(A, "toarray") else A
        share = self.settle(np.hstack([A, np.ones((n, int(self.free)))]), room)
        return share * room + 0.0 * s, share * self.mean(worst)[1]

    def settle(self, A: Any, room: Any) -> Any:  # the share of it that zeros Aᵀ(c∘s)
        root, sizes, many = np.sqrt(self.c * room), abs(A), A.shape[1]
        N = np.linalg.inv(np.linalg.qr(root * A, mode="r"))  # any will do: what counts
        B, E = A @ N, G * (2 * many + 2) * (sizes @ abs(N))  # is that B is orthogonal
        size, error = np.linalg.norm(root * B), np.linalg.norm(root * E)
        off: Any = np.linalg.norm((root * B).T @ (root * B) - np.eye(many))
        off += 4 * G * len(A) * size**2 + (2.0 * size + error) * error
        if not (off := 1.01 * float(off)) <= 0.5:
            raise ArithmeticError("unpenalised columns are too nearly dependent")
        high, low, radius = self.pull(A, sizes)
        one, two, three = _dot(N.T, abs(N.T), high, fine=self.fine)
        rest = three + abs(N.T) @ (radius + 4 * G * (many + 1) * abs(low))
        defects = np.linalg.norm(abs(one + two + N.T @ low) + rest, axis=0)
        reach = np.linalg.norm(abs(B) + E, axis=1)[room[:, 0] > 0.0].max()
        if not (share := 1.05 * float(reach * defects.max()) / (1.0 - off)) <= 1.0:
            raise ArithmeticError("slopes have no room for a repair")
        return share

    def square(self, d: Any, far: Any = 0.0) -> Any:  # bounds on λ/2·dᵀXd, d within far
        high, low, radius = _dot(self.X, self.sizes, d, fine=self.fine)
        value, half = high + low, 0.5 * self.strength
        wide = abs(d) * (radius + G * (2 * d.size + 8) * abs(value))
        wide = 1.01 * (wide + far * (self.sizes @ (2.0 * abs(d) + far))).sum() + TINY
        middle = (d * value).sum()
        return float(half * (middle - wide)), float(half * (middle + wide))

    def gram(self, room: float) -> Any:  # as `linear`: all is λ/2·‖f + Σ qᵢsᵢkᵢ/λ‖²
        K, scale, n = np.array(self.X), self.weight * self.strength, len(self.s)
        moves, charge = self.mend(np.zeros(n, dtype=bool))
        pulled, wide = self.c * self.s / scale, self.c * (moves + self.stray) / scale
        wide = 1.01 * wide + FORMULA * (abs(self.w) + abs(pulled))
        if self.name == "poisson" or not np.array_equal(K, K.T):
            raise ArithmeticError("an asymmetric Gram matrix, or Poisson loss")
        shift = G * (n + 4) * float(abs(np.diag(K)).sum())
        np.linalg.cholesky(K + shift * np.eye(n))  # so no eigenvalue is below -2·shift
        steep = float(np.max(np.abs(self.ends)))  # of minimisers' c = -q∘s/λ, s slopes
        squares = steep**2 * self.s.shape[1] if steep < FAR else 4.0 * room
        longest = math.sqrt(float(self.c.max()) * self.weight * squares) / scale
        reach = 1.01 * (longest + float(np.linalg.norm(abs(pulled) + wide)))
        charge = charge + 1.1 * self.strength * shift * reach**2
        return self.square(self.w + pulled, wide)[1], charge
