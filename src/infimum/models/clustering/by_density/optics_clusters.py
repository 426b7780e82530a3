"""Clusters read off the order of OPTICS: below a level, or between steep flanks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.parameters import Interval, check_domain, positive, whole
from infimum.typing import Indices, Mask, Vector

__all__ = ["STEEPNESS", "cluster_optics_dbscan", "cluster_optics_xi", "share_of"]

#: By what share a steep step changes the reachability.
STEEPNESS = Interval(0, 1, open_high=True)


def cluster_optics_dbscan(
    *, reachability: Any, core_distances: Any, ordering: Any, eps: float
) -> Indices:
    """Return the clusters that DBSCAN would find within `eps`, from one OPTICS order.

    Border samples may be noise here, and the other way round.

    Parameters
    ----------
    reachability, core_distances, ordering : ndarray of shape (n_samples,)
        Attributes of a fitted `OPTICS`.
    eps : float

    Examples
    --------
    >>> from infimum.models.clustering import OPTICS
    >>> model = OPTICS(min_samples=2).fit([[0.0], [0.1], [5.0], [5.1], [9.0]])
    >>> cluster_optics_dbscan(reachability=model.reachability_,
    ...                       core_distances=model.core_distances_,
    ...                       ordering=model.ordering_, eps=0.5)
    array([ 0,  0,  1,  1, -1])
    """
    check_domain("cluster_optics_dbscan eps", eps, positive)
    order = np.asarray(ordering)
    far = np.asarray(reachability)[order] > eps
    dense = np.asarray(core_distances)[order] <= eps
    labels: Indices = np.empty(len(order), dtype=np.intp)
    labels[order] = np.where(far & ~dense, -1, np.cumsum(far & dense) - 1)
    return labels


def cluster_optics_xi(
    *,
    reachability: Any,
    predecessor: Any,
    ordering: Any,
    min_samples: float,
    min_cluster_size: float | None = None,
    xi: float = 0.05,
    predecessor_correction: bool = True,
) -> tuple[Indices, Indices]:
    """Return clusters between a steep fall and a steep rise of the reachability.

    Parameters
    ----------
    reachability, predecessor, ordering : ndarray of shape (n_samples,)
        Attributes of a fitted `OPTICS`.
    min_samples : int or share
        A flank holds no more samples in a row that are not steep.
    min_cluster_size : int or share, optional
        `min_samples` by default.
    xi : float, default=0.05
        A step is steep that changes the reachability by this share.
    predecessor_correction : bool, default=True
        Drop samples at the end that were reached from outside of the cluster.

    Returns
    -------
    labels : ndarray of shape (n_samples,)
        The smallest cluster of each sample, -1 for noise.
    clusters : ndarray of shape (n_clusters, 2)
        First and last place of each in the order; those inside others come first.

    Examples
    --------
    >>> from infimum.models.clustering import OPTICS
    >>> model = OPTICS(min_samples=2).fit([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> labels, clusters = cluster_optics_xi(reachability=model.reachability_,
    ...                                      predecessor=model.predecessor_,
    ...                                      ordering=model.ordering_, min_samples=2)
    >>> labels, clusters.tolist()
    (array([0, 0, 0, 1, 1, 1]), [[0, 2], [3, 5], [0, 5]])
    """
    check_domain("cluster_optics_xi xi", xi, STEEPNESS)
    order, n = np.asarray(ordering), len(ordering)
    gap = share_of("cluster_optics_xi min_samples", min_samples, n)
    least = min_samples if min_cluster_size is None else min_cluster_size
    least = share_of("cluster_optics_xi min_cluster_size", least, n)
    plot = np.append(np.asarray(reachability, dtype=np.float64)[order], np.inf)
    origin = np.asarray(predecessor)[order]
    places = np.empty(n, dtype=np.intp)
    places[order] = np.arange(n)
    # Where each sample was reached from, as a place in the order.
    came = np.where(origin >= 0, places[np.maximum(origin, 0)], -1)
    reader = _Reader(plot, came, xi, gap, least, correct=predecessor_correction)
    clusters = np.array(reader.clusters(), dtype=np.intp).reshape(-1, 2)
    found: Indices = np.full(n, -1, dtype=np.intp)
    label = 0
    for first, last in clusters:
        if (found[first : last + 1] == -1).all():
            found[first : last + 1] = label
            label += 1
    labels = np.empty_like(found)
    labels[order] = found
    return labels, clusters


def share_of(owner: str, value: Any, n: int) -> int:
    """Return a number of samples, which may be given as a share of n."""
    if isinstance(value, float) and 0.0 < value < 1.0:
        return max(2, int(value * n))
    check_domain(owner, value, whole(2))
    if value > n:
        raise InvalidParameterError(
            f"{owner} must be at most the number of samples, {n}, got {value!r}."
        )
    return int(value)


@dataclass
class _Flank:
    """A steep way down: its places, and the greatest reachability seen since."""

    start: int
    end: int
    since: float = 0.0


class _Reader:
    """Walks along the plot and pairs ways down with ways up (Ankerst et al., 1999)."""

    def __init__(
        self,
        plot: Vector,
        came: Indices,
        xi: float,
        gap: int,
        least: int,
        *,
        correct: bool,
    ) -> None:
        self.plot, self.came, self.keep = plot, came, 1.0 - xi
        self.gap, self.least, self.correct = gap, least, correct
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = plot[:-1] / plot[1:]
        self.up, self.down = ratio < 1.0, ratio > 1.0
        self.steep_up, self.steep_down = ratio <= self.keep, ratio >= 1.0 / self.keep

    def clusters(self) -> list[tuple[int, int]]:
        """Return first and last places, inner clusters before outer ones."""
        found: list[tuple[int, int]] = []
        flanks: list[_Flank] = []
        at, highest = 0, 0.0
        for place in np.flatnonzero(self.steep_up | self.steep_down).tolist():
            if place < at:
                continue
            highest = max(highest, float(self.plot[at : place + 1].max()))
            flanks = self._still_open(flanks, highest)
            if self.steep_down[place]:
                end = self._extend(self.steep_down, self.up, place)
                flanks.append(_Flank(place, end))
            else:
                end = self._extend(self.steep_up, self.down, place)
                pairs = [self._between(flank, place, end) for flank in flanks]
                found += [pair for pair in reversed(pairs) if pair is not None]
            at = end + 1
            highest = float(self.plot[at])
        return found

    def _still_open(self, flanks: list[_Flank], highest: float) -> list[_Flank]:
        if np.isinf(highest):
            return []
        kept = [one for one in flanks if highest <= self.plot[one.start] * self.keep]
        for one in kept:
            one.since = max(one.since, highest)
        return kept

    def _extend(self, steep: Mask, against: Mask, start: int) -> int:
        """Return the last steep place of a flank with few that are not steep."""
        end, flat = start, 0
        for at in range(start, len(steep)):
            if steep[at]:
                end, flat = at, 0
            elif against[at]:
                break
            else:
                flat += 1
                if flat > self.gap:
                    break
        return end

    def _between(self, flank: _Flank, rise: int, last: int) -> tuple[int, int] | None:
        """Return the cluster between a way down and a way up, if there is one."""
        plot, first = self.plot, flank.start
        after, top = plot[last + 1], plot[flank.start]
        if after * self.keep < flank.since:
            return None
        if top * self.keep >= after:
            while plot[first + 1] > after and first < flank.end:
                first += 1
        elif after * self.keep >= top:
            while plot[last - 1] > top and last > rise:
                last -= 1
        if self.correct:
            last = self._corrected(first, last)
        large = last - first + 1 >= self.least
        return (first, last) if large and first <= flank.end and last >= rise else None

    def _corrected(self, first: int, last: int) -> int:
        """Return the last place reached from inside, or one before the first."""
        while first < last and not self._belongs(first, last):
            last -= 1
        return last if first < last else first - 1

    def _belongs(self, first: int, last: int) -> bool:
        if self.plot[first] > self.plot[last]:
            return True
        return bool(first <= self.came[last] < last)
