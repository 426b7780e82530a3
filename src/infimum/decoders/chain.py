"""Chains: labels in a row, each of them scored alone and with the one before."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Chain", "ChainMarginals"]

#: Bytes of backpointers beyond which they are computed twice, a block at a time.
ENOUGH_POINTERS = 1 << 28
BLOCK = 4096
#: Parts of many sequences, and steps for which waking a thread is worth it.
PARTS, WORTH_THREADS = 8, 4096
#: Steps of a long chain that are counted together.
STRETCH = 1024
#: States beyond which BLAS would wake threads for pairs, and parts have the cores.
WIDE = 64


class ChainMarginals(NamedTuple):
    """What the law exp(score)/Z of labellings says of single labels and of pairs."""

    #: Probability of each label at each step.
    labels: Matrix
    #: Expected number of each pair of neighbours, summed over all steps with weights.
    pairs: Matrix
    #: Logarithm of the partition sum of each sequence.
    log_partition: Vector


@dataclass(frozen=True, eq=False)
class Chain:
    r"""Labellings y of a sequence, scored step by step.

    .. math:: s(y) = a_{y_1} + \sum_t u_{t, y_t} + \sum_{t>1} A_{y_{t-1}, y_t}
              + e_{y_T}

    The scores u come with each question; a chain holds the others. Scores of -inf
    forbid. Sequences stand one below the other, `lengths` says where they end. All
    three verbs take time T·K² and are exact: `decode` finds the best labelling,
    `log_partition` sums over all of them, `marginals` counts labels and pairs.

    Parameters
    ----------
    transitions : ndarray of shape (n_labels, n_labels)
        A, from the label of a row to that of a column.
    first, last : ndarray of shape (n_labels,), optional
        What it is worth to begin and to end with a label; 0 by default.

    Examples
    --------
    >>> import numpy as np
    >>> stay = Chain(np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> scores = np.array([[2.0, 0.0], [0.0, 0.5], [2.0, 0.0]])
    >>> stay.decode(scores)[0]
    array([0, 0, 0])
    >>> stay.marginals(scores).labels.sum(axis=1)
    array([1., 1., 1.])
    """

    transitions: Matrix
    first: Any = None
    last: Any = None

    def __post_init__(self) -> None:
        table = np.ascontiguousarray(self.transitions, dtype=np.float64)
        object.__setattr__(self, "transitions", table)
        for name in ("first", "last"):
            ends = getattr(self, name)
            ends = np.zeros(len(table)) if ends is None else np.array(ends, float)
            object.__setattr__(self, name, ends)
        square = table.ndim == 2 and table.shape[0] == table.shape[1] > 0  # noqa: PLR2004
        if not square or not (len(self.first) == len(self.last) == len(table)):
            raise DataError(
                "Chain needs a square table of transitions and ends of the same "
                f"length, got shape {table.shape}."
            )
        for name in ("transitions", "first", "last"):
            if not np.max(getattr(self, name)) < np.inf:
                raise DataError(f"Chain.{name} must be numbers below infinity.")

    def score(self, scores: Matrix, labels: Indices, lengths: Any = None) -> Vector:
        """Return the score of given labellings, one number for each sequence."""
        u, bounds = self._read(scores, lengths)
        labels = np.asarray(labels)
        gains = u[np.arange(len(u)), labels]
        gains[1:] += self.transitions[labels[:-1], labels[1:]]
        starts, ends = bounds[:-1], bounds[1:] - 1
        gains[starts] = u[starts, labels[starts]]
        gains[starts] += self.first[labels[starts]]
        gains[ends] += self.last[labels[ends]]
        return np.asarray(np.add.reduceat(gains, starts))

    def decode(self, scores: Matrix, lengths: Any = None) -> tuple[Indices, Vector]:
        """Return the best labelling, and its score for each sequence.

        Where every labelling is forbidden the score is -inf.
        """
        u, bounds = self._read(scores, lengths)
        labels, longest = np.zeros(len(u), dtype=np.intp), int(np.diff(bounds).max())
        n = u.shape[1]
        kind = np.uint8 if n <= 1 << 8 else np.uint16 if n <= 1 << 16 else np.int64
        if longest * n * np.dtype(kind).itemsize <= ENOUGH_POINTERS:
            return labels, self._decode_all(u, bounds, labels, kind)
        values = np.zeros(len(bounds) - 1)
        for k, (a, b) in enumerate(pairwise(bounds)):
            values[k] = self._decode_one(u[a:b], labels[a:b], kind)
        return labels, values

    def _decode_all(
        self, u: Matrix, bounds: Indices, labels: Indices, kind: type
    ) -> Vector:
        from infimum.compiled.chains.chain_labels import chain_labels

        longest = int(np.diff(bounds).max())

        def work(part: slice) -> Vector:
            pointers: Indices = np.empty((longest, u.shape[1]), dtype=kind)
            cut = bounds[part.start : part.stop + 1]
            return np.asarray(
                chain_labels(
                    u, self.first, self.transitions, self.last, cut, pointers, labels
                )
            )

        return np.concatenate(_shared(len(bounds) - 1, len(u), work))

    def log_partition(self, scores: Matrix, lengths: Any = None) -> Vector:
        """Return log Σ exp(score) over all labellings, for each sequence."""
        u, bounds = self._read(scores, lengths)
        return np.asarray(_Passes(self, u, bounds).log_partition)

    def marginals(
        self, scores: Matrix, lengths: Any = None, weights: Vector | None = None
    ) -> ChainMarginals:
        """Return probabilities of labels and expected numbers of pairs.

        They are the derivatives of `log_partition` in the scores and in the
        transitions. `weights` of sequences count for the pairs. An impossible sequence
        has zeros.
        """
        u, bounds = self._read(scores, lengths)
        passes = _Passes(self, u, bounds)
        return ChainMarginals(*passes.counts(weights), passes.log_partition)

    def draw(
        self, scores: Matrix, lengths: Any = None, random_state: Any = None
    ) -> Indices:
        """Draw a labelling of each sequence from the law exp(score)/Z."""
        u, bounds = self._read(scores, lengths)
        passes = _Passes(self, u, bounds)
        if np.isneginf(passes.log_partition).any():
            raise DataError("Chain.draw: every labelling of a sequence is forbidden.")
        rng, ends = np.random.default_rng(random_state), {*(bounds[1:] - 1).tolist()}
        labels = np.zeros(len(u), dtype=np.intp)
        for t in range(len(u) - 1, -1, -1):
            ahead = self.last if t in ends else self.transitions[:, labels[t + 1]]
            logs = passes.log_alpha(t) + ahead
            chances = np.exp(logs - logs.max())
            labels[t] = rng.choice(len(chances), p=chances / chances.sum())
        return labels

    def best(self, scores: Matrix, k: int) -> tuple[Indices, Vector]:
        """Return the k best labellings of one sequence, best first, and their scores.

        There may be fewer. Time T·K²·k·log k.
        """
        u, _ = self._read(scores, None)
        n = u.shape[1]
        values = (self.first + u[0])[:, None]
        origins: list[Indices] = []
        for row in u[1:]:
            reach = (values[:, :, None] + self.transitions[:, None, :]).reshape(-1, n)
            kept = np.argsort(-reach, axis=0, kind="stable")[:k]
            values = np.take_along_axis(reach, kept, axis=0).T + row[:, None]
            origins.append(kept.T)
        final = (values + self.last[:, None]).ravel()
        order = np.argsort(-final, kind="stable")[:k]
        order = order[final[order] > -np.inf]
        width = values.shape[1]
        paths = np.zeros((len(order), len(u)), dtype=np.intp)
        for place, end in enumerate(order):
            label, rank = divmod(int(end), width)
            for t in range(len(u) - 1, 0, -1):
                paths[place, t] = label
                before = 1 if t == 1 else origins[t - 2].shape[1]
                label, rank = divmod(int(origins[t - 1][label, rank]), before)
            paths[place, 0] = label
        return paths, final[order]

    def _read(self, scores: Matrix, lengths: Any) -> tuple[Matrix, Indices]:
        u = np.ascontiguousarray(scores, dtype=np.float64)
        if u.ndim != 2 or u.shape[1] != len(self.transitions) or len(u) == 0:  # noqa: PLR2004
            raise DataError(
                f"Chain needs a row of {len(self.transitions)} scores for each step, "
                f"got shape {u.shape}."
            )
        if not u.max() < np.inf:
            raise DataError("Chain needs scores below infinity, without NaN.")
        sizes = np.array([len(u)]) if lengths is None else np.asarray(lengths)
        if sizes.sum() != len(u) or sizes.min(initial=1) < 1:
            raise DataError(
                f"Chain: lengths must be positive and sum to the {len(u)} steps."
            )
        return u, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def _decode_one(self, u: Matrix, labels: Indices, kind: type) -> float:
        """Write the best labels of one long sequence, a block at a time."""
        from infimum.compiled.chains.chain_best import chain_best
        from infimum.compiled.chains.chain_trace import chain_trace

        steps, n = u.shape
        value = self.first + u[0]
        corners = range(1, steps, BLOCK)
        starts = []
        pointers = np.empty((min(BLOCK, steps), n), dtype=kind)
        for a in corners:
            starts.append(value.copy())
            chain_best(u[a : a + BLOCK], self.transitions, value, pointers)
        value = value + self.last
        labels[-1] = label = int(value.argmax())
        best = float(value[label])
        for a, known in zip(reversed(corners), reversed(starts), strict=True):
            chain_best(u[a : a + BLOCK], self.transitions, known, pointers)
            label = chain_trace(
                pointers, label, labels[a - 1 : min(a + BLOCK, steps) - 1]
            )
        return best


def _shared(count: int, steps: int, work: Callable[[slice], Any]) -> list[Any]:
    """Call `work` on parts of the sequences, on all cores where that is worth it."""
    from infimum.compiled.threads import in_parts

    parts = PARTS if count >= PARTS and steps >= WORTH_THREADS else 1
    return in_parts(count, work, parts) if parts > 1 else [work(slice(0, count))]


def _in_rows(steps: int, work: Callable[[slice], Any]) -> None:
    """Call `work` on parts of all steps, whatever sequences they are of."""
    from infimum.compiled.threads import in_parts

    in_parts(steps, work, PARTS) if steps >= WORTH_THREADS else work(slice(0, steps))


class _Passes:
    """Both passes over all sequences: scaled, or in logarithms where scales fail."""

    def __init__(self, chain: Chain, u: Matrix, bounds: Indices) -> None:
        self.chain, self.u, self.bounds = chain, u, bounds
        self.tops, factors = np.empty(len(u)), np.empty_like(u)
        _in_rows(len(u), lambda part: self._power(factors, part))
        top = _finite(chain.transitions.max())
        edge = _finite(np.max(chain.first)), _finite(np.max(chain.last))
        self.across = np.exp(chain.transitions - top)
        self.last = np.exp(chain.last - edge[1])
        self.scales, self.back_scales = np.empty(len(u)), np.empty(len(u))
        self.alpha, self.beta = np.empty_like(u), np.empty_like(u)
        self.messages = np.empty_like(u)
        self._walk(factors, np.exp(chain.first - edge[0]))
        starts, ends = bounds[:-1], bounds[1:] - 1
        self.final = self.alpha[ends] @ self.last
        with np.errstate(divide="ignore"):
            logs = np.log(self.scales) + self.tops
            logs[ends] += np.log(self.final) + edge[1]
        logs[starts] += edge[0]
        steps = np.diff(bounds)
        self.log_partition = np.add.reduceat(logs, starts) + top * (steps - 1)
        self.slow: dict[int, tuple[Matrix, Matrix]] = {}
        lost = np.add.reduceat(~(self.scales > TINY), starts) + (self.final < TINY)
        for k in np.flatnonzero(lost):
            self._in_logarithms(int(k))

    def _power(self, factors: Matrix, part: slice) -> None:
        from infimum.compiled.chains.chain_powers import chain_powers

        chain_powers(self.u[part], self.tops[part], factors[part])

    def _walk(self, factors: Matrix, first: Vector) -> None:
        """Go forwards and backwards: both at once, or parts of many sequences."""
        from infimum.compiled.chains.chain_backward import chain_backward
        from infimum.compiled.chains.chain_forward import chain_forward
        from infimum.compiled.threads import side_by_side

        back, n = np.ascontiguousarray(self.across.T), len(self.bounds) - 1

        def pass_over(direction: int, part: slice = slice(0, n)) -> None:
            a, b = self.bounds[part.start], self.bounds[part.stop]
            cut, rows = self.bounds[part.start : part.stop + 1] - a, slice(a, b)
            if direction == 0:
                self.scales[rows] = chain_forward(
                    factors[rows], first, self.across, cut, self.alpha[rows]
                )
            else:
                self.back_scales[rows] = chain_backward(
                    factors[rows], back, self.last, cut, self.messages[rows],
                    self.beta[rows],
                )  # fmt: skip

        def both(part: slice) -> None:
            pass_over(0, part)
            pass_over(1, part)

        if n >= PARTS and len(self.u) >= WORTH_THREADS:
            _shared(n, len(self.u), both)
        elif len(self.u) >= WORTH_THREADS:
            side_by_side(2, pass_over)
        else:
            pass_over(0)
            pass_over(1)

    def _in_logarithms(self, k: int) -> None:
        from infimum.compiled.chains.chain_logarithms import chain_logarithms

        rows = slice(self.bounds[k], self.bounds[k + 1])
        u, chain = self.u[rows], self.chain
        alpha, beta = np.empty_like(u), np.empty_like(u)
        chain_logarithms(u, chain.first, chain.transitions, alpha)
        back = np.ascontiguousarray(chain.transitions.T)
        chain_logarithms(np.ascontiguousarray(u[::-1]), chain.last, back, beta)
        alpha, beta = alpha + u, np.ascontiguousarray(beta[::-1])
        self.log_partition[k] = logsumexp(alpha[-1] + beta[-1])
        self.slow[k] = alpha, beta

    def counts(self, weights: Vector | None) -> tuple[Matrix, Matrix]:
        """Return the probability of each label at each step, and expected pairs."""
        from infimum.compiled.chains.chain_counts import chain_counts
        from infimum.compiled.threads import one_blas_thread

        n = len(self.bounds) - 1
        given = np.ones(n) if weights is None else np.asarray(weights, np.float64)
        kept = given.copy()
        kept[list(self.slow)] = 0.0
        # Long chains are cut: what a step counts does not depend on the others.
        cuts = np.unique(np.append(self.bounds, np.arange(0, len(self.u), STRETCH)))
        owners = np.searchsorted(self.bounds, cuts[:-1], side="right") - 1
        labels, least = np.empty_like(self.u), np.empty(len(owners))
        shares = kept[owners]

        def work(part: slice) -> Matrix:
            return np.asarray(
                chain_counts(
                    self.alpha, self.beta, self.messages, self.back_scales,
                    cuts[part.start : part.stop + 1], shares[part], self.across,
                    labels, least[part],
                )
            )  # fmt: skip

        with one_blas_thread() if labels.shape[1] > WIDE else nullcontext():
            pairs: Any = sum(_shared(len(owners), len(self.u), work))
        lost = set(owners[~(least > TINY)].tolist()) - set(self.slow)
        if lost:
            for place in lost:
                self._in_logarithms(place)
            return self.counts(weights)
        for k, (alpha, beta) in self.slow.items():
            total = self.log_partition[k]
            rows = slice(self.bounds[k], self.bounds[k + 1])
            labels[rows] = np.exp(alpha + beta - total) if total > -np.inf else 0.0
            pairs = pairs + given[k] * self._slow_pairs(rows, alpha, beta, total)
        return labels, np.asarray(pairs)

    def _slow_pairs(
        self, rows: slice, alpha: Matrix, beta: Matrix, total: float
    ) -> Matrix:
        out: Matrix = np.zeros(self.across.shape)
        if total == -np.inf:
            return out
        u = self.u[rows]
        for t in range(len(u) - 1):
            ahead = u[t + 1] + beta[t + 1] - total
            out += np.exp(alpha[t][:, None] + self.chain.transitions + ahead)
        return out

    def log_alpha(self, t: int) -> Vector:
        """Return the logarithms of the forward pass at a step, up to a constant."""
        k = int(np.searchsorted(self.bounds, t, side="right")) - 1
        if k in self.slow:
            return np.asarray(self.slow[k][0][t - self.bounds[k]])
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.alpha[t]))


#: Scales below this share of the largest factor have lost digits, or everything.
TINY = 1e-200


def _finite(top: Any) -> Any:
    """Return the largest score, or 0 where everything is forbidden."""
    return np.where(np.isfinite(top), top, 0.0)
