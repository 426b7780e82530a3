"""What kernel machines refuse, they refuse in one sentence; and weights are copies."""

import numpy as np
import pytest
from sklearn import svm

from infimum.errors import DataError, InvalidParameterError
from infimum.losses import Binomial
from infimum.models.kernel import SVC, MultipleKernelLearner, NuSVC, RampSVC
from infimum.models.linear import LogisticRegression, RiskMinimizer


@pytest.fixture
def samples(rng):
    X = rng.normal(size=(40, 2))
    return X, (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (SVC(class_weight={0: -1}), r"SVC.class_weight must be in \[0, inf\)"),
        (
            LogisticRegression(class_weight={0: np.nan}),
            r"LogisticRegression.class_weight must be in \[0, inf\)",
        ),
        (SVC(kernel="poly", degree=2.5), "SVC.degree must be a whole number"),
        (SVC(kernel="poly", coef0=-1.0), r"SVC.coef0 must be in \[0, inf\)"),
        (MultipleKernelLearner([]), r"kernels must be kernels, one or more, got \[\]"),
        (MultipleKernelLearner(3), "kernels must be kernels, one or more, got 3"),
    ],
    ids=["class", "linear-class", "degree", "coef0", "no-kernel", "number"],
)
def test_parameters_out_of_their_domain_are_named(model, words, samples):
    with pytest.raises(InvalidParameterError, match=words):
        model.fit(*samples)


def test_a_function_that_is_no_kernel_is_told_what_shape_was_wanted(samples):
    flat = SVC(kernel=lambda X, _: np.ones(len(X)))
    with pytest.raises(DataError, match=r"shape \(40, 40\) here, got \(40,\)"):
        flat.fit(*samples)


def test_fractions_out_of_range_are_refused(samples):
    with pytest.raises(DataError, match=r"Binomial reads fractions in \[0, 1\]"):
        RiskMinimizer(Binomial()).fit(samples[0], samples[0][:, 0])


def test_missing_values_are_refused_without_a_paragraph(samples):
    X, y = samples
    model = SVC().fit(X, y)
    X[3, 1] = np.nan
    for call in (lambda: model.fit(X, y), lambda: model.predict(X)):
        with pytest.raises(DataError, match=r"contains NaN: SVC takes no") as caught:
            call()
        assert "\n" not in str(caught.value)


def test_linear_weights_have_a_row_for_each_pair_of_classes(rng):
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 4
    ours = SVC(kernel="linear", tol=1e-8).fit(X, y)
    theirs = svm.SVC(kernel="linear", tol=1e-8).fit(X, y)
    assert ours.coef_.shape == (6, 3)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-5)


def test_the_leave_one_out_bound_counts_copies(samples):
    X, y = samples
    plain = SVC().fit(X, y)
    assert plain.leave_one_out_bound_ == len(plain.support_) / 40
    doubled = SVC(C=0.5, class_weight={0: 3.0, 1: 3.0}).fit(X, y, np.full(40, 2.0))
    weights = np.where(np.isin(np.arange(40), plain.support_), 1.0, 5.0)
    heavy = SVC().fit(X, y, weights)
    share = weights[heavy.support_].sum() / weights.sum()
    assert heavy.leave_one_out_bound_ == pytest.approx(share)
    assert doubled.leave_one_out_bound_ == len(doubled.support_) / 40


@pytest.mark.parametrize("machine", [NuSVC, RampSVC])
def test_machines_that_an_idle_sample_changes_give_no_leave_one_out_bound(
    machine, samples
):
    # The number of samples is part of the one problem; to the other, a sample it has
    # given up on is no support vector and yet a mistake.
    assert not hasattr(machine().fit(*samples), "leave_one_out_bound_")


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_learning_the_kernel_takes_weights_as_copies(loss, samples, rng):
    X, y = samples
    y = y if loss == "logistic" else X[:, 0] ** 2
    counts = rng.integers(0, 3, size=40)
    rows = np.repeat(np.arange(40), counts)
    weighted = MultipleKernelLearner(loss=loss).fit(X, y, counts)
    repeated = MultipleKernelLearner(loss=loss).fit(X[rows], y[rows])
    assert weighted.certificate_.closed
    assert weighted.certificate_.primal == pytest.approx(
        repeated.certificate_.primal, rel=1e-3
    )
    assert weighted.weights_ == pytest.approx(repeated.weights_, abs=0.05)
