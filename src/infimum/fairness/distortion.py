"""Distorted data: unequal reporting, detection and measurement, simulated."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.parameters import check_domain, opened, whole
from infimum.typing import Vector

__all__ = [
    "Measurement",
    "Reporting",
    "simulate_detection",
    "simulate_measurement",
    "simulate_reporting",
]


@dataclass(frozen=True)
class Reporting(PlainRecord):
    """What happens in each group, and what is known of it."""

    true: Vector
    recorded: Vector


def simulate_reporting(
    rates: ArrayLike, reported: ArrayLike, n: int = 10_000, *, seed: int = 0
) -> Reporting:
    """Let events happen at true rates and be recorded with unequal probabilities.

    Potholes are alike everywhere, but fewer people of a poor or old neighbourhood have
    the telephone that reports them: repairs follow the reports.

    Parameters
    ----------
    rates : array-like
        True rate of each group.
    reported : array-like
        Probability that an event of the group is recorded.
    n : int
        Places, or people, in each group.

    Examples
    --------
    >>> from infimum.fairness import simulate_reporting
    >>> found = simulate_reporting([0.2, 0.2], [0.9, 0.3])
    >>> found.true.round(1).tolist(), found.recorded.round(2).tolist()
    ([0.2, 0.2], [0.18, 0.06])
    """
    true, known = _probabilities(rates), _probabilities(reported)
    check_domain("simulate_reporting's n", n, whole(1))
    generator = np.random.default_rng(seed)
    happened = generator.binomial(n, true)
    recorded = generator.binomial(happened, np.broadcast_to(known, true.shape))
    return Reporting(happened / n, recorded / n)


def simulate_detection(
    rates: ArrayLike,
    detected: ArrayLike,
    decisions: ArrayLike,
    n: int = 10_000,
    *,
    seed: int = 0,
) -> dict[str, Vector]:
    """Judge the same decisions by what is true and by what was detected.

    A label such as "was arrested again" is what was seen, not what was done. Where
    less is detected, decisions look as if they accused more innocents.

    Parameters
    ----------
    rates : array-like
        True base rate of each group.
    detected : array-like
        Probability that a positive of the group is labelled so.
    decisions : array-like of shape (groups, 2)
        Probability of a positive decision for true negatives and positives.

    Returns
    -------
    dict
        "true" and "recorded" base rates, and the false positive rates by both labels.

    Examples
    --------
    >>> from infimum.fairness import simulate_detection
    >>> found = simulate_detection([0.5, 0.5], [1.0, 0.5], [[0.2, 0.8]] * 2)
    >>> found["false positive rate"].round(1).tolist()
    [0.2, 0.2]
    >>> found["recorded false positive rate"].round(1).tolist()
    [0.2, 0.4]
    """
    base, seen = _probabilities(rates), _probabilities(detected)
    chances = _probabilities(decisions)
    check_domain("simulate_detection's n", n, whole(1))
    if chances.shape != (len(base), 2):
        raise DataError(
            f"simulate_detection needs two probabilities for each of {len(base)} "
            f"groups, got shape {chances.shape}."
        )
    generator = np.random.default_rng(seed)
    people = (len(base), n)
    true = generator.random(people) < base[:, None]
    known = np.broadcast_to(seen, base.shape)[:, None]
    labelled = true & (generator.random(people) < known)
    chance = np.where(true, chances[:, 1:], chances[:, :1])
    chosen = generator.random(people) < chance
    return {
        "true": true.mean(axis=1),
        "recorded": labelled.mean(axis=1),
        "false positive rate": _share(chosen, ~true),
        "recorded false positive rate": _share(chosen, ~labelled),
    }


@dataclass(frozen=True)
class Measurement(PlainRecord):
    """Who is helped if need is measured by cost, and if it is measured itself.

    Both are the share of the disadvantaged group among those selected.
    """

    by_cost: float
    by_need: float
    share: float


def simulate_measurement(
    access: float,
    *,
    share: float = 0.3,
    selected: float = 0.05,
    n: int = 100_000,
    seed: int = 0,
) -> Measurement:
    """Select those in greatest need by what their care cost, and by need itself.

    Need has the same law in both groups; a group with less `access` to care costs less
    at equal need, so that a model of costs finds it healthy.

    Parameters
    ----------
    access : float
        Cost of the disadvantaged group at equal need, as a share of the others'.
    share : float
        Its share of all people.
    selected : float
        The share of people who get help.

    References
    ----------
    Z. Obermeyer et al. (2019), Dissecting racial bias in an algorithm used to manage
    the health of populations, Science 366.

    Examples
    --------
    >>> from infimum.fairness import simulate_measurement
    >>> found = simulate_measurement(0.7)
    >>> found.by_cost < 0.2 < found.by_need
    True
    """
    for name, value in (("access", access), ("share", share), ("selected", selected)):
        domain = opened(0, 1) if name != "access" else opened(0, 10)
        check_domain(f"simulate_measurement's {name}", value, domain)
    check_domain("simulate_measurement's n", n, whole(1))
    generator = np.random.default_rng(seed)
    group = generator.random(n) < share
    need = generator.gamma(2.0, size=n)
    noise = np.exp(0.3 * generator.standard_normal(n))
    cost = need * np.where(group, access, 1.0) * noise
    most = max(1, round(selected * n))
    return Measurement(
        by_cost=float(group[np.argsort(-cost)[:most]].mean()),
        by_need=float(group[np.argsort(-need)[:most]].mean()),
        share=float(group.mean()),
    )


def _share(chosen: Any, among: Any) -> Vector:
    counts = among.sum(axis=1)
    hits = (chosen & among).sum(axis=1)
    return np.asarray(np.where(counts > 0, hits / np.maximum(counts, 1), np.nan))


def _probabilities(values: ArrayLike) -> Vector:
    told = np.asarray(values, dtype=np.float64)
    if told.size == 0 or not np.all((told >= 0) & (told <= 1)):
        raise DataError("A simulation of groups needs probabilities in [0, 1].")
    return np.asarray(told)
