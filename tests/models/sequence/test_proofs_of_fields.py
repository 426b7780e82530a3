"""Proofs of fields and structured machines in long doubles, rounding counted."""

from itertools import pairwise, product

import numpy as np
import pytest

from infimum.models.sequence import CRF
from infimum.models.structured import StructuredSVM

pytestmark = pytest.mark.filterwarnings("ignore")
LONG = np.longdouble
#: Limits that a problem is fitted with: each bound is held against every risk.
LIMITS = ((1e-6, 300), (1e-10, 2000), (1e-3, 3))


def log_sum(table, axis):
    top = table.max(axis=axis, keepdims=True)
    return (top + np.log(np.exp(table - top).sum(axis=axis, keepdims=True))).squeeze(
        axis
    )


def field_risk(model, tables, labels, weights, price):
    """Return the risk of a field, by the forward recursion in long doubles."""
    names = [str(label) for label in model.classes_]
    W = np.zeros((len(names), tables[0].shape[1]), LONG)
    A = np.zeros((len(names), len(names)), LONG)
    for (attribute, label), value in model.state_features_.items():
        W[names.index(label), int(attribute[1:])] = value
    for (before, after), value in model.transition_features_.items():
        A[names.index(before), names.index(after)] = value
    total, shares = LONG(0), weights.astype(LONG) / weights.astype(LONG).sum()
    for table, said, share in zip(tables, labels, shares, strict=True):
        scores, codes = table.astype(LONG) @ W.T, [names.index(each) for each in said]
        ahead = scores[0]
        for row in scores[1:]:
            ahead = log_sum(ahead[:, None] + A, 0) + row
        right = scores[np.arange(len(codes)), codes].sum()
        right += sum(A[a, b] for a, b in pairwise(codes))
        total += share * (log_sum(ahead, 0) - right)
    square = (model.coef_.astype(LONG) ** 2).sum()
    return total + LONG(price) * square / weights.astype(LONG).sum()


@pytest.mark.parametrize("seed", range(8))
def test_the_risk_of_a_field_lies_within_its_slack_and_above_every_bound(seed):
    rng = np.random.default_rng(seed)
    size, shift = 10.0 ** rng.integers(-3, 4), (0.0, 1e3)[seed % 2]
    tables = [
        size * rng.standard_normal((rng.integers(1, 9), 3)) + shift for _ in range(6)
    ]
    plane = rng.standard_normal((3, 3))
    labels = [
        [str(k) for k in np.argmax((table - shift) @ plane, axis=1)] for table in tables
    ]
    weights = 10.0 ** rng.uniform(-3, 3, len(tables))
    price = 10.0 ** rng.integers(-7, 1)
    X = [
        [{f"a{j}": float(v) for j, v in enumerate(row)} for row in table]
        for table in tables
    ]
    risks, bounds = [], []
    for tol, most in LIMITS:
        model = CRF(c1=0.0, c2=price, tol=tol, max_iterations=most)
        model.fit(X, labels, sample_weight=weights)
        risks.append(field_risk(model, tables, labels, weights, price))
        for proof in (
            model.certificate_,
            model.certify(X, labels, sample_weight=weights),
        ):
            assert abs(risks[-1] - LONG(proof.primal)) <= LONG(proof.slack)
            bounds.append(LONG(proof.dual))

    assert max(bounds) <= min(risks)


def chain_risk(model, tables, labels, weights):
    """Return the structured risk over chains, over all labellings, in long doubles."""
    k, d = len(model.classes_), tables[0].shape[1]
    w, q = model.coef_.astype(LONG), weights.astype(LONG)
    W, A = w[: k * d].reshape(k, d), w[k * d :].reshape(k, k)
    total = LONG(0)
    for table, said, share in zip(tables, labels, q / q.sum(), strict=True):
        scores = table.astype(LONG) @ W.T
        worth = {
            path: sum(scores[t, label] for t, label in enumerate(path))
            + sum(A[a, b] for a, b in pairwise(path))
            for path in product(range(k), repeat=len(table))
        }
        right = tuple(model.classes_.index(label) for label in said)
        cost = {path: sum(a != b for a, b in zip(path, right, strict=True))
                for path in worth}  # fmt: skip
        total += share * max(worth[p] + cost[p] - worth[right] for p in worth)
    return total + (w**2).sum() / (2 * LONG(model.C) * q.sum())


@pytest.mark.parametrize("seed", range(8))
def test_the_risk_of_a_structured_machine_lies_within_its_slack(seed):
    rng = np.random.default_rng(seed)
    size, shift = 10.0 ** rng.integers(-3, 4), (0.0, 1e3)[seed % 2]
    tables = [
        size * rng.standard_normal((rng.integers(1, 5), 2)) + shift for _ in range(6)
    ]
    labels = [rng.integers(0, 3, len(table)).tolist() for table in tables]
    labels[0][0], labels[1][0], labels[2][0] = 0, 1, 2
    weights = 10.0 ** rng.uniform(-3, 3, len(tables))
    risks, bounds = [], []
    for tol, most in LIMITS:
        price = 1e-2 if seed < 4 else 10.0
        model = StructuredSVM(C=price, tol=tol, max_iter=most)
        model.fit(tables, labels, sample_weight=weights)
        risks.append(chain_risk(model, tables, labels, weights))
        for proof in (
            model.certificate_,
            model.certify(tables, labels, sample_weight=weights),
        ):
            assert abs(risks[-1] - LONG(proof.primal)) <= LONG(proof.slack)
            bounds.append(LONG(proof.dual))

    assert max(bounds) <= min(risks)
