"""Feedback loops: predictions that make the data they will be learned from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.parameters import check_domain, whole
from infimum.typing import Matrix

__all__ = ["FeedbackLoop", "simulate_feedback"]


@dataclass(frozen=True)
class FeedbackLoop(PlainRecord):
    """How attention was shared out between places, round by round.

    `shares` has a row a round and a column a place; the last row is where it led.
    """

    shares: Matrix
    recorded: Matrix


def simulate_feedback(
    rates: ArrayLike,
    *,
    start: ArrayLike | None = None,
    rounds: int = 500,
    visits: int = 10,
    corrected: bool = False,
    seed: int = 0,
) -> FeedbackLoop:
    """Send patrols where crime was recorded, and record crime where patrols are.

    In each round a number of patrols goes out; each visits a place with the probability
    that the records of the past suggest, and records a crime there with the true rate.
    Places that were visited by chance look worse and are visited more. The correction
    divides what is recorded by the probability of having looked.

    Parameters
    ----------
    rates : array-like
        True rate of each place.
    start : array-like, optional
        Records at the beginning; None is 1 everywhere.
    rounds, visits : int
    corrected : bool, default=False

    References
    ----------
    D. Ensign et al. (2018), Runaway feedback loops in predictive policing, FAT*.

    Examples
    --------
    >>> from infimum.fairness import simulate_feedback
    >>> simulate_feedback([0.5, 0.5], rounds=3).shares.shape
    (3, 2)
    """
    check_domain("simulate_feedback's rounds", rounds, whole(1))
    check_domain("simulate_feedback's visits", visits, whole(1))
    true = np.asarray(rates, dtype=np.float64)
    records = np.ones_like(true) if start is None else np.array(start, dtype=np.float64)
    if np.any((true < 0) | (true > 1)) or np.any(records <= 0):
        raise DataError("simulate_feedback needs rates in [0, 1] and positive records.")
    generator = np.random.default_rng(seed)
    shares, history = [], []
    for _ in range(rounds):
        share = records / records.sum()
        seen = generator.multinomial(visits, share)
        found = generator.binomial(seen, true)
        records = records + (found / share if corrected else found)
        shares.append(share)
        history.append(records.copy())
    return FeedbackLoop(np.array(shares), np.array(history))
