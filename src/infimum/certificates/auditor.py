"""The auditor: an upper bound on one risk, a lower bound on all, rounding counted.

The risk is P(w, b) = Σ qᵢ ℓ(yᵢ, xᵢ·w + b + oᵢ) + Ω(w) with qᵢ = cᵢ/Σc. Slopes s, with
Σ q s = 0 where the intercept is free, and v = -Xᵀ(q∘s) prove by the inequality of
Fenchel and Young that no (w', b') is better than (w, b) by more than
    Σ q [ℓ(f) + ℓ*(s) - s·f]  +  Ω(w) - ⟨v, w⟩ + sup [⟨v, w'⟩ - Ω(w')].
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Audit", "audit"]
#: The relative error of a rounding, of k roundings (k·G), and of a formula of at most
#: 32, of which exp, log and log1p, within four units in the last place, are eight each;
#: more than underflow takes from a formula; infinity where its product with 0 is 0.
U, G, FORMULA, TINY, FAR = 2.0**-53, 1.01 * 2.0**-53, 2.0**-48, 2.0**-1000, 1e300


@dataclass(frozen=True)
class Audit:
    """What is proved: the risk of the point is at most `upper`, none is below `lower`.

    Of the difference, `slack` is rounding and repairs; `reason` says what failed.
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
        With ``blur`` g, of shape (n,), k is a kernel, within gᵢgⱼ of what X has of it:
        the columns of the ``members``, samples outside of which c and slopes are 0.

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
        for fine in (0, 1, 4):
            found = posed.audit(tolerance, fine=fine)
            if found.verdict == "proved" or found.slack < 1e-4 * tolerance:
                break
        return found


def _total(terms: Any) -> Any:  # along the first axis: rounded, the rest, its radius
    count, lacks, wide = len(terms), 0.0 * terms[0], 0.0 * terms[0]
    while (half := len(terms) // 2) > 0:
        a, b = terms[:half], terms[half : 2 * half]
        second = (sums := a + b) - a
        errors = (a - (sums - second)) + (b - second)  # exact (Knuth)
        lacks, wide = lacks + errors.sum(axis=0), wide + np.abs(errors).sum(axis=0)
        terms = np.concatenate([sums, terms[2 * half :]])
    return terms[0], lacks, G * (2 * count + 2) * wide


def _dot(A: Any, sizes: Any, V: Any, *, fine: int) -> Any:  # A @ V, as `_total` is
    (n, many), terms, cuts, rests = A.shape, [], [], [V]
    if not fine:  # whatever the order of summation
        radius = G * (2 * many + 2) * (sizes @ np.abs(V)) + many * TINY
        return A @ V, 0.0 * radius, radius
    if (step := max(1, (1 << 17) // many)) < n:
        parts = [_dot(A[i : i + step], None, V, fine=fine) for i in range(0, n, step)]
        return [np.concatenate(each) for each in zip(*parts, strict=True)]
    A = A.toarray() if hasattr(A, "toarray") else A
    # Slices of few bits have exact products: |A| is at most tall·wide, |V| most/wide.
    tall = np.ldexp(1.0, np.frexp(abs(A).max(axis=1))[1].clip(-200))[:, None]
    wide = np.ldexp(1.0, np.frexp((abs(A) / tall).max(axis=0))[1].clip(-200))
    most = (np.ldexp(1.0, np.frexp(V)[1]).T * wide).max(axis=1).clip(2.0**-600)
    unit, power = 1.5 * 2.0**52, 0.5 ** ((53 - many.bit_length()) // 2)
    left, right = unit * power * tall * wide, unit * power * (most / wide[:, None])
    for i in range(fine):
        cuts.append((rests[i] + right * power**i) - right * power**i)
        rests.append(rests[i] - cuts[i])
    for i in range(fine, 0, -1):
        high = (A + left) - left
        A, left = A - high, left * power
        terms += [high @ each for each in (*cuts[:i], rests[i])]
    high, low, radius = _total(np.stack([*terms, A @ V]))
    lost = 12 * G * fine * many**2 * power**fine * bool(A.any() or rests[1].any())
    return high, low, 1.01 * (radius + lost * tall * most) + many * TINY


# Losses: ℓ(f), its error, and a bound on ℓ(f) + ℓ*(s) - s·f from above, for every f
# within e of z + y (z alone: logistic, Poisson, softmax) and slopes within `ends`, but
# for relative errors of FORMULA. Squared hinge is twice one side of a bowl.


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
    right, slip = np.eye(z.shape[1])[y.astype(int)], FORMULA + 32.0 * U * z.shape[1]
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

    def upper(self, terms: Any) -> Any:  # not below the sum
        return math.nextafter(math.fsum(terms.flat) + terms.size * TINY, math.inf)

    def price(self, w: Any) -> Any:  # bounds on Ω(w)
        inside = bool(np.all((w >= self.low) & (w <= self.high)))
        total = float(self.prices @ self.lengths(w) + 0.5 * self.l2 * (w * w).sum())
        error = self.slip * total + w.size * TINY
        return max(total - error, 0.0), total + error if inside else math.inf

    def miss(self, w: Any, v: Any, e: Any, room: float) -> Any:
        """Bound Ω(w) - ⟨v, w⟩ + sup [⟨v, w'⟩ - Ω(w')], v within e, Ω(w') <= room."""
        size = v if self.low == 0.0 else abs(v)
        if not len(self.prices):
            up = np.where(v + e > 0.0, (v + e) * (self.high - w), 0.0)
            down = np.where(v - e < 0.0, (e - v) * (w - self.low), 0.0)
            return self.upper(np.maximum(up, down) * (1.0 + FORMULA))
        if self.l2 > 0.0:
            l1 = self.prices[0]
            e = e + FORMULA * (abs(v) + l1 + self.l2 * abs(w))
            # The part of v within ±l1 meets l1·|w|, the rest meets l2/2·w².
            rest = np.sign(v) * np.maximum(size - l1, 0.0)
            part = np.where(size > l1, np.sign(v) * l1, v)
            off = abs(rest - self.l2 * w)
            bent = (0.5 * off * off + e * (off + e)) / self.l2
            return self.upper((l1 * abs(w) + bent) * (1.0 + FORMULA) - part * w)
        e = e + FORMULA * abs(v)
        reach = self.lengths(np.maximum(size + e, 0.0)) * (1.0 + self.slip)
        excess = max(float((reach / self.prices).max()) - 1.0 + FORMULA, 0.0)
        flat = float(self.prices @ self.lengths(w)) * (1.0 + self.slip)
        return flat + self.upper(e * abs(w) - v * w) + excess * room * (1.0 + FORMULA)


class _Case:  # an audit: numbers come with a radius; `docs/auditor.md` has the lemmas
    def __init__(self, X: Any, y: Any, s: Any, **given: Any) -> None:
        self.X = X if hasattr(X, "toarray") else np.asarray(X, dtype=np.float64)
        self.sizes, self.y = abs(self.X), np.asarray(y, dtype=np.float64)
        loss, penalty, (n, d) = given["loss"], given["penalty"], self.X.shape
        self.members = given.get("members", slice(None))
        self.g = 1.01 * np.reshape(given.get("blur", 0.0), (-1, 1))
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
        self.s[(abs(self.s) < 2.0**-500) | (self.c < 2.0**-400)] = 0.0
        self.s[np.delete(np.arange(n), self.members)] = 0.0
        # The slopes of the proof are a/c: these, nearer to 0 by at most a share of 8·U.
        self.a = self.c * self.s * (1.0 - 4.0 * U)
        wrong = (self.name in _SIGNS) & (abs(self.y) != 1.0) | (counts < 0.0)
        wrong |= ~((c == 0.0) | (self.c > TINY))[:, 0]
        wrong |= (self.name == "softmax") & ~np.isin(self.y, np.arange(self.w.shape[1]))
        largest = sum(abs(each).max() for each in (self.X, self.w, self.y, self.shifts))
        self.wrong = wrong.any() or not largest < 2.0**70

    def admit(self, s: Any) -> Any:  # slopes in the domain, and how far exact ones are
        if self.name != "softmax":
            return np.clip(s.T, *self.ends).T, 0.0 * s
        right, slip = np.eye(s.shape[1])[self.y.astype(int)], 16 * G * s.shape[1]
        s = np.maximum(s, 0.0) * (1.0 - right)  # the right class takes from the others
        s = s * (1.0 - slip) / np.maximum(s.sum(axis=1, keepdims=True), 1.0 - slip)
        sums = s.sum(axis=1, keepdims=True) * right
        return s - sums, slip * sums + 2.0**-490 * right

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
        high, low, radius = _dot(A.T, sizes.T, self.a, fine=self.fine)
        return high, low, 1.02 * (radius + sizes.T @ (self.c * self.stray))

    def audit(self, tolerance: float, *, fine: int) -> Audit:
        high, low, radius = _dot(self.X, self.sizes, self.w, fine=fine)
        high, low, more = _total(np.stack([high, low, *self.shifts]))
        self.z, self.fine = high + low, fine
        self.e = 1.01 * (radius + more + 2.0 * U * abs(self.z))
        self.e += self.g * (self.g[self.members] * abs(self.w)).sum(axis=0)
        low, self.high, gap = self.losses(self.s)
        least, most = self.mean(low)[0], self.mean(self.high)[1]
        below, above = (self.square if self.strength else self.penalty.price)(self.w)
        floor = self.mean(self.least)[0]
        upper = min(math.inf, most + above + 4.0 * U * (abs(most) + abs(above)))
        trivial = -math.inf if self.strength else floor  # cᵀKc may be rounded below 0
        try:
            miss, charge = (self.gram if self.strength else self.linear)(upper - floor)
        except (ArithmeticError, ValueError, np.linalg.LinAlgError) as why:
            return Audit(upper, trivial, tolerance, reason=f"no proof: {why}")
        miss += self.mean(gap + 9.0 * U * (self.high - self.least))[1]  # as `self.a` is
        lower = least + below - miss - (charge := 1.01 * charge)
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
            fresh = (v + e > 0) & (self.penalty.high == math.inf)  # an infinite sup
            fresh |= (v - e < 0) & (self.penalty.low == -math.inf)
            if not (fresh := (fresh & (self.penalty.labels < 0)).any(axis=1)).any():
                plain = self.penalty.miss(self.w, v, 0.0 * e, room)
                return plain, charge + self.penalty.miss(self.w, v, e, room) - plain
            walls |= fresh
        raise ArithmeticError("correlations are not on the side that the box demands")

    def mend(self, walls: Any) -> Any:  # how far slopes move, and what that costs
        s, soft = self.s, self.name == "softmax"
        if not walls.any() and not (soft and self.free):  # the larger side shrinks
            (a, b), (c, d) = (self.mean(x.clip(0.0)) for x in (s[:, 0], -s[:, 0]))
            off = 1.01 * (max(b - c, d - a) + 8.0 * U * max(b, d))
            share = min(1.0, off / max(a, c, TINY)) * self.free
            return share * abs(s), share * self.mean(self.high - self.least)[1]
        if soft:
            p = s + np.eye(s.shape[1])[self.y.astype(int)] - self.stray
            room = np.maximum(p, 0.0).min(axis=1, keepdims=True) * (1.0 - FORMULA)
            worst = np.ptp(self.z, axis=1) + 2.0 * self.e.max(axis=1) + s.shape[1]
        else:
            unit = (math.sqrt(self.mean(s[:, 0] ** 2)[1]) or 1.0) + abs(s.T)
            top = np.minimum(s.T + unit, self.ends[1]).T
            bottom = np.maximum(s.T - unit, self.ends[0]).T
            room = np.minimum(top - s, s - bottom) * (1.0 - FORMULA)
            worst = np.maximum(self.losses(top)[2], self.losses(bottom)[2])
        A = self.X[:, np.flatnonzero(walls)] @ np.eye(walls.sum())
        share = self.settle(np.hstack([A, np.ones((len(s), int(self.free)))]), room)
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

    def square(self, d: Any, far: Any = 0.0) -> Any:  # bounds on λ/2·dᵀkd, d within far
        some, half = self.members, 0.5 * self.strength
        high, low, radius = _dot(self.X[some], self.sizes[some], d, fine=self.fine)
        wide = abs(d) * (radius + G * (2 * d.size + 8) * abs(value := high + low))
        wide = wide + far * (self.sizes[some] @ (2.0 * abs(d) + far))
        blurred = ((self.g[some] * (abs(d) + far)).sum(axis=0) ** 2).sum()
        middle, wide = (d * value).sum(), 1.01 * (wide.sum() + blurred) + TINY
        return float(half * (middle - wide)), float(half * (middle + wide))

    def gram(self, room: float) -> Any:  # as `linear`: all is λ/2·‖f + Σ qᵢsᵢkᵢ/λ‖²
        scale, (n, k), some = self.weight * self.strength, self.s.shape, self.members
        moves, charge = self.mend(np.zeros(n, dtype=bool))
        pulled, wide = self.a / scale, self.c * (moves + self.stray) / scale
        wide = 1.01 * wide[some] + FORMULA * (abs(self.w) + abs(pulled := pulled[some]))
        if not self.g.any():  # so nobody has said that X comes from a kernel
            if self.name == "poisson" or not np.array_equal(self.X, self.X.T):
                raise ArithmeticError("an asymmetric Gram matrix, or Poisson loss")
            shift = G * (n + 4) * float(abs(np.diag(self.X)).sum())
            np.linalg.cholesky(self.X + shift * np.eye(n))  # eigenvalues >= -2·shift
            steep = float(np.max(np.abs(self.ends)))  # of minimisers' -q∘s/λ, s slopes
            far = self.weight * (steep**2 * k if steep < FAR else 4.0 * room)
            far = math.sqrt(far) / scale + float(np.linalg.norm(abs(pulled) + wide))
            charge = charge + 1.2 * self.strength * shift * far**2
        return self.square(self.w + pulled, wide)[1], charge
