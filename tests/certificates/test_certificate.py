"""A certificate is two numbers with the optimum between them."""

import math

import pytest

from infimum.certificates import Certificate


def test_the_gap_is_the_distance_between_the_bounds():
    proof = Certificate(primal=3.0, dual=2.5, scale=2.0, tolerance=0.1)
    assert proof.gap == 0.5
    assert proof.relative_gap == 0.25
    assert not proof.closed
    assert "NOT proved" in str(proof)


def test_rounding_that_puts_the_dual_above_is_a_gap_of_zero():
    proof = Certificate(primal=1.0, dual=1.0 + 1e-16)
    assert proof.gap == proof.relative_gap == 0.0
    assert proof.closed


@pytest.mark.parametrize("slack", [0.0, 0.1])
@pytest.mark.parametrize("value", [1e-12, 0.0, 1e12])
def test_bounds_that_contradict_each_other_beyond_rounding_prove_nothing(value, slack):
    proof = Certificate(value, value + 0.5 + 1e-3 * value, slack=slack)
    assert proof.invalid
    assert proof.gap == proof.relative_gap == math.inf
    assert not proof.closed
    assert "contradict" in str(proof)


@pytest.mark.parametrize("value", [1e-12, 1.0, 1e12])
def test_a_gap_below_the_resolution_of_floating_point_is_none(value):
    proof = Certificate(primal=value, dual=value * (1 - 2e-16), scale=1e-30 * value)
    assert proof.relative_gap == 0.0


def test_without_a_scale_only_a_vanishing_gap_is_closed():
    assert Certificate(primal=1.0, dual=0.5, scale=0.0).relative_gap == math.inf
    assert Certificate(primal=0.0, dual=0.0, scale=0.0).closed


def test_an_infinite_gap_is_open_and_says_so():
    proof = Certificate(primal=1.0, dual=-math.inf)
    assert proof.gap == math.inf
    assert not proof.closed
    assert "relative gap inf" in str(proof)


def test_the_sentence_names_both_bounds_the_gap_and_the_reason():
    text = str(Certificate(1.25, 1.0, 5.0, tolerance=0.1, reason="gap closed"))
    for word in ("1.25", "below 1", "5.0e-02", "proved", "gap closed"):
        assert word in text
