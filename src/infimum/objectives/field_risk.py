"""The risk of a conditional random field over chains of tokens."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from infimum.data.doors import TokenAttributes
from infimum.decoders import Chain
from infimum.objectives.plane_risk import Plane, PlaneRisk
from infimum.penalties import Penalty
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["FieldFeatures", "FieldRisk"]

#: Chains are passed over in so many parts, each with counts of its own.
PARTS = 4
LANES = 8
#: Rows of labels are filled up to a multiple of this.
FEW = 4
#: Bundles must leave this share of the entries of all tokens, or less.
WORTH_BUNDLES = 0.8
#: Planes that a risk remembers itself: as many as a solver mixes, and two more.
REMEMBERED = 10
#: Half the distance of 1 to the next number, twice: products of two errors are in it.
UNIT = float(np.finfo(np.float64).eps)
#: Roundings of a step of a chain, beside those for each label: powers, scales, shares.
STEP = 32
#: A guess at a curvature is at least this.
LEAST_CURVATURE = 1e-8


@dataclass(frozen=True, eq=False)
class FieldFeatures:
    """Which pairs have a weight: of an attribute and a label, of two labels.

    Weights of pairs with attributes come first, by attribute and label, then those of
    transitions, by row. In the loops an attribute that most labels go with has a slot
    for all of them, filled up to blocks of four.
    """

    states: Mask
    moves: Mask

    @property
    def size(self) -> int:
        """How many weights there are."""
        return len(self.places) + int(self.moves.sum())

    @cached_property
    def table(self) -> tuple[Indices, Indices, Indices]:
        """Where slots of attributes start, the label of each, and slots of weights."""
        n_labels = self.states.shape[1]
        counts = self.states.sum(axis=1)
        dense = 2 * counts > n_labels
        sizes = np.where(dense, self.width, counts)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        rows, labels = np.nonzero(self.states)
        first = np.concatenate([[0], np.cumsum(counts)])[:-1]
        within = np.where(dense[rows], labels, np.arange(len(rows)) - first[rows])
        places = starts[rows] + within
        told = np.zeros(starts[-1], dtype=np.int32)
        told[places] = labels
        return starts, told, places

    @property
    def width(self) -> int:
        """How many slots an attribute has that goes with all labels."""
        return -(-int(self.states.shape[1]) // FEW) * FEW

    @property
    def places(self) -> Indices:
        """The slot of each weight of an attribute and a label."""
        return self.table[2]

    def unpack(self, w: Vector) -> tuple[Vector, Matrix]:
        """Return slots of attributes, and the table of transitions."""
        starts, _, places = self.table
        slots, moves = np.zeros(starts[-1]), np.zeros(self.moves.shape)
        slots[places] = w[: len(places)]
        moves[self.moves] = w[len(places) :]
        return slots, moves

    def pack(self, slots: Vector, moves: Matrix) -> Vector:
        """Return what belongs to the weights, in their order."""
        return np.concatenate([slots[self.places], moves[self.moves]])


class _Bundled(NamedTuple):
    """Tokens whose entries are attributes or bundles, and the slots of both."""

    tokens: Indices
    ids: Indices
    values: Vector
    heads: Indices
    members: Indices
    starts: Indices
    labels: Indices


def _sums_by(rows: TokenAttributes, sizes: Vector) -> Vector:
    """Return the sum over the entries of each sequence."""
    entries = np.diff(rows.tokens[rows.bounds])
    owners = np.repeat(np.arange(len(entries)), entries)
    found: Any = np.bincount(owners, sizes, minlength=len(entries))
    return np.asarray(found, dtype=np.float64)


class FieldRisk(PlaneRisk):
    r"""Mean of log Z - score of the right labels, over sequences of tokens.

    .. math:: R(w) = \sum_i q_i \bigl(\log \sum_{y'} e^{s_w(x_i, y')}
              - s_w(x_i, y_i)\bigr)

    It is smooth; the plane at w has the slope of expected minus right counts and the
    mean entropy of the labellings for its height. One pass over the data gives both.
    """

    smooth: ClassVar[bool] = True

    def __init__(
        self,
        rows: TokenAttributes,
        labels: Indices,
        features: FieldFeatures,
        penalty: Penalty,
        weights: Vector,
    ) -> None:
        self.rows, self.labels, self.features = rows, labels, features
        self.penalty, self.size = penalty, features.size
        self.shares = weights / weights.sum()
        #: The last planes that were computed here: nothing is gained by doing it again.
        self._known: deque[Plane] = deque(maxlen=REMEMBERED)

    @cached_property
    def groups(self) -> Indices:
        """Eight sequences of about the same length in a row, -1 where there is none."""
        order = np.argsort(-self.rows.lengths, kind="stable")
        order = order[self.shares[order] > 0.0]
        filled = np.full(-(-len(order) // LANES) * LANES, -1, dtype=np.int64)
        filled[: len(order)] = order
        return filled.reshape(-1, LANES)

    @cached_property
    def curvatures(self) -> Vector:  # type: ignore[override]
        """The diagonal of the Hessian as it would be with all labels alike."""
        from infimum.compiled.chains.field_parts import Pairs, Tokens
        from infimum.compiled.chains.field_scores import field_counts

        rows, n_labels = self.rows, self.features.moves.shape[0]
        starts, told, _ = self.features.table
        even = (1.0 - 1.0 / n_labels) / n_labels
        each = np.repeat(self.shares, rows.lengths)
        shares = np.tile(even * each[:, None], (1, n_labels))
        slots, squares = np.zeros(starts[-1]), rows.values**2
        tokens = Tokens(rows.tokens, rows.ids, squares)
        field_counts(tokens, Pairs(starts, told, slots), shares)
        each_move = float(self.shares @ (rows.lengths - 1.0)) * even / n_labels
        found = self.features.pack(slots, np.full((n_labels, n_labels), each_move))
        ridge = getattr(self.penalty, "elastic", (0.0, 0.0))[1]
        ridge = float(self.penalty.quadratic or ridge or 0.0)
        return np.append(np.maximum(found + ridge, LEAST_CURVATURE), 1.0)

    @cached_property
    def right(self) -> Vector:
        """The counts of the right labellings, weighted."""
        return self.counts(self.labels)

    def counts(self, labels: Indices) -> Vector:
        """Return the weighted counts of all features under given labellings."""
        from infimum.compiled.chains.field_parts import Pairs, Tokens
        from infimum.compiled.chains.field_scores import field_counts

        rows, n_labels = self.rows, self.features.moves.shape[0]
        starts, told, _ = self.features.table
        each = np.repeat(self.shares, rows.lengths)
        shares = np.zeros((len(labels), n_labels))
        shares[np.arange(len(labels)), labels] = each
        slots, moves = np.zeros(starts[-1]), np.zeros((n_labels, n_labels))
        tokens = Tokens(rows.tokens, rows.ids, rows.values)
        field_counts(tokens, Pairs(starts, told, slots), shares)
        inner = np.ones(len(labels), dtype=bool)
        inner[rows.bounds[:-1]] = False
        here = np.flatnonzero(inner)
        np.add.at(moves, (labels[here - 1], labels[here]), each[here])
        return self.features.pack(slots, moves)

    def scores(self, w: Vector) -> tuple[Matrix, Chain]:
        """Return the scores of labels at each token, and the chain between them."""
        from infimum.compiled.chains.field_parts import Pairs, Tokens
        from infimum.compiled.chains.field_scores import field_scores
        from infimum.compiled.threads import in_parts

        slots, moves = self.features.unpack(w)
        starts, told, _ = self.features.table
        rows, size = self.rows, len(self.rows.tokens) - 1
        scores = np.empty((size, len(moves)))

        def work(part: slice) -> None:
            stops = rows.tokens[part.start : part.stop + 1]
            tokens = Tokens(stops, rows.ids, rows.values)
            field_scores(tokens, Pairs(starts, told, slots), scores[part])

        in_parts(size, work, PARTS)
        return scores, Chain(moves)

    def touch(self, point: Vector) -> tuple[float, Plane]:
        w = point[:-1]
        logs, expected = self._pass(w)
        used = self.shares > 0.0
        empirical = float(self.shares[used] @ logs[used] - self.right @ w)
        slope = np.append(expected - self.right, 0.0)
        height = empirical - float(slope @ point)
        self._known.append(Plane(slope, height, point.copy()))
        return empirical, self._known[-1]

    def rebuild(self, witness: Any) -> Plane:
        known = (plane for plane in self._known if plane.witness is witness)
        plane = next(known, None)
        if plane is None:
            plane = self.touch(np.asarray(witness, dtype=np.float64))[1]
        return self._with_rounding(plane)

    def unsure(self, point: Vector, plane: Plane) -> float:
        return self._rounding(self._weights(point))[1]

    def _with_rounding(self, plane: Plane) -> Plane:
        """Return a plane with a bound on its rounding.

        A probability is off, relatively, by twice what log Z may be.
        """
        point = self._weights(plane.witness)
        lost, doubt, sums = self._rounding(point)
        blur = self._sizes * (2.0 * lost + sums)
        moved = np.abs(plane.witness[:-1])
        doubt += float(blur @ (np.abs(point[:-1]) + moved))
        doubt += UNIT * (len(moved) + STEP) * float(np.abs(plane.slope[:-1]) @ moved)
        return plane._replace(blur=np.append(blur, 0.0), doubt=doubt)

    def _rounding(self, point: Vector) -> tuple[float, float, float]:
        """Bound the rounding of any log Z, of the risk, and of a sum over tokens of 1.

        Scores of a path are off by their roundings times the sum of |value·weight|;
        log Z is off by no more than the worst path, and by the roundings of its steps.
        """
        w, rows, n_labels = np.abs(point[:-1]), self.rows, len(self.features.moves)
        moves = float(w[len(self.features.places) :].max(initial=0.0))
        highest = np.zeros(len(self.features.states))
        np.maximum.at(highest, self._attributes, w[: len(self._attributes)])
        paths = rows.lengths * (1.0 + np.log(n_labels) + 4.0 * moves)
        paths = paths + _sums_by(rows, np.abs(rows.values) * highest[rows.ids])
        longest = float(rows.lengths.max(initial=0))
        deep = float(np.diff(rows.tokens).max(initial=0)) + 2.0 * (longest + n_labels)
        lost, sums = UNIT * (deep + STEP) * paths, UNIT * (len(rows.tokens) + STEP)
        right = sums * float(self._sizes @ w)
        doubt = float(self.shares @ (lost + sums * paths)) + right
        return float(lost.max(initial=0.0)), doubt, sums

    def _weights(self, point: Vector) -> Vector:
        """Return the weights of a point."""
        return point

    @cached_property
    def _attributes(self) -> Indices:
        """The attribute of each weight of an attribute and a label."""
        return np.asarray(np.nonzero(self.features.states)[0])

    @cached_property
    def _sizes(self) -> Vector:
        """Σ q·|values| of what each weight is multiplied by, whatever the labels."""
        rows, counted = self.rows, np.diff(self.rows.tokens)
        each = np.repeat(np.repeat(self.shares, rows.lengths), counted)
        sums = np.bincount(
            rows.ids, each * np.abs(rows.values), minlength=len(self.features.states)
        )
        pairs = float(self.shares @ (rows.lengths - 1.0))
        moves = np.full(int(self.features.moves.sum()), pairs)
        return np.concatenate([sums[self._attributes], moves])

    @cached_property
    def bundled(self) -> _Bundled:
        """The tokens in terms of bundles, where that leaves fewer entries."""
        from infimum.compiled.chains.bundles import bundles

        rows, (starts, told, _) = self.rows, self.features.table
        found = bundles(rows.tokens, rows.ids, rows.values, len(starts) - 1)
        entries = len(found[1]) + len(found[4])
        if entries > WORTH_BUNDLES * np.count_nonzero(rows.values):
            none = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
            return _Bundled(*rows[:3], *none, starts, told)
        count, wide = len(found[3]) - 1, self.features.width
        ends = starts[-1] + wide * np.arange(1, count + 1)
        row = np.arange(wide, dtype=np.int32) % self.features.states.shape[1]
        return _Bundled(
            *found, np.concatenate([starts, ends]),
            np.concatenate([told, np.tile(row, count)]),
        )  # fmt: skip

    @cached_property
    def _slots(self) -> Matrix:
        """Room for the weights of all slots, and for what each part counts."""
        return np.zeros((1 + PARTS, self.bundled.starts[-1]))

    def _pass(self, w: Vector) -> tuple[Vector, Vector]:
        """Return log Z of every sequence, and the expected counts, weighted."""
        from infimum.compiled.chains.bundles import add_members, share_out
        from infimum.compiled.chains.field_parts import Pairs, Tokens
        from infimum.compiled.chains.field_pass import field_pass
        from infimum.compiled.threads import in_parts

        features, rows, room = self.features, self.bundled, self._slots
        places, moves = features.places, np.zeros(features.moves.shape)
        room[0, places], moves[features.moves] = w[: len(places)], w[len(places) :]
        held = rows.heads, rows.members, rows.starts, rows.labels
        add_members(*held, room[0])
        bounds, top = self.rows.bounds, float(moves.max(initial=0.0))
        across = np.exp(moves - top)
        logs = np.zeros(len(self.rows.lengths))

        def work(part: slice) -> Matrix:
            counts, pairs = room[1 + part.start], np.zeros(moves.shape)
            counts[:] = 0.0
            # Long groups come first: parts take every fourth of them.
            field_pass(
                np.ascontiguousarray(self.groups[part.start :: PARTS]), bounds,
                Tokens(rows.tokens, rows.ids, rows.values),
                Pairs(rows.starts, rows.labels, room[0]),
                self.shares, across, counts, pairs, logs,
            )  # fmt: skip
            return pairs

        pairs: Any = sum(in_parts(PARTS, work, PARTS))
        logs += top * (self.rows.lengths - 1)
        counts = room[1:].sum(axis=0)
        share_out(*held, counts)
        lost = np.flatnonzero(np.isnan(logs) & (self.shares > 0.0))
        if len(lost):
            self._slowly(w, lost, logs, counts, pairs)
        return logs, features.pack(counts, pairs)

    def _slowly(
        self, w: Vector, lost: Indices, logs: Vector, counts: Any, pairs: Any
    ) -> None:
        """Add what scaled passes could not tell, by passes in logarithms."""
        from infimum.compiled.chains.field_parts import Pairs, Tokens
        from infimum.compiled.chains.field_scores import field_counts

        scores, chain = self.scores(w)
        starts, told, _ = self.features.table
        rows, bounds = self.rows, self.rows.bounds
        for k in lost:
            part = slice(bounds[k], bounds[k + 1])
            found = chain.marginals(scores[part])
            logs[k] = found.log_partition[0]
            pairs += self.shares[k] * found.pairs
            tokens = rows.tokens[bounds[k] : bounds[k + 1] + 1]
            shares = found.labels * self.shares[k]
            held = Tokens(tokens, rows.ids, rows.values)
            field_counts(held, Pairs(starts, told, counts), shares)
