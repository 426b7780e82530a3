"""Probabilities of support vector machines: held-out, copied, in LIBSVM's terms."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit
from sklearn import svm

from infimum.kernels import Gaussian, Spectrum
from infimum.models.kernel import SVC, NuSVC


@pytest.fixture
def counted(rng):
    """Return samples of three noisy classes, and how often each of them counts."""
    X = rng.normal(size=(45, 2))
    y = np.argmax(X @ rng.normal(size=(2, 3)) + rng.normal(size=(45, 3)), axis=1)
    return X, y, rng.integers(0, 4, size=45)


@pytest.mark.parametrize("kind", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
def test_a_weight_is_a_number_of_copies(kind, scheme, counted):
    X, y, counts = counted
    rows = np.repeat(np.arange(45), counts)
    model = SVC(
        probability=kind,
        multi_class=scheme,
        tol=1e-10,
        class_weight="balanced",
        random_state=0,
    )
    weighted = model.fit(X, y, counts).predict_proba(X)
    repeated = model.fit(X[rows], y[rows]).predict_proba(X)
    assert repeated == pytest.approx(weighted, abs=1e-6)
    assert weighted.min() >= 0.0
    assert weighted.std() > 0.05


@pytest.mark.parametrize("form", ["sparse", "precomputed", "nu", "strings"])
def test_copies_are_known_in_every_form(form, counted):
    X, y, counts = counted
    y = y == 1
    rows = np.repeat(np.arange(45), counts)
    model = SVC(probability=True, tol=1e-10, gamma=0.5, random_state=0)
    things, some = X, X[rows]
    if form == "sparse":
        things, some = sparse.csr_array(X), sparse.csr_array(X[rows])
    elif form == "precomputed":
        gram = Gaussian()(X)
        model.set_params(kernel="precomputed")
        things, some = gram, gram[np.ix_(rows, rows)]
    elif form == "nu":
        model = NuSVC(nu=0.3, probability=True, tol=1e-10, random_state=0)
    else:
        things = ["".join("abc"[int(v > 0)] for v in x) + str(x[0])[:4] for x in X]
        some = [things[i] for i in rows]
        model.set_params(kernel=Spectrum(2))
    weighted = model.fit(things, y, counts).predict_proba(things)
    model.fit(some, y[rows])
    known = things[:, rows] if form == "precomputed" else things
    assert model.predict_proba(known) == pytest.approx(weighted, abs=1e-6)


def test_a_copy_never_judges_its_twin(rng):
    # Labels are noise: whoever has seen a twin would be sure of it, nobody else is.
    X, y = np.repeat(rng.normal(size=(60, 2)), 6, axis=0), np.repeat(np.arange(60), 6)
    y = rng.uniform(size=60)[y] < 0.5
    model = SVC(C=100.0, gamma=50.0, probability=True, random_state=0).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.predict_proba(X).max() < 0.9
    lone = SVC(probability=True).fit([[0.0], [0.0], [1.0], [2.0]], [0, 0, 1, 1])
    assert lone.predict_proba([[0.0], [2.0]]).sum(axis=1) == pytest.approx(1.0)


@pytest.mark.filterwarnings("ignore:.*deprecated in .*1.9:FutureWarning")
@pytest.mark.parametrize("classes", [2, 3])
def test_slopes_and_offsets_have_libsvms_signs(classes, rng):
    y = np.arange(150) % classes
    X = 1.5 * np.array([[0, 0], [2, 1], [1, -2]])[y] + rng.normal(size=(150, 2))
    ours = SVC(kernel="linear", probability=True, random_state=0).fit(X, y)
    theirs = svm.SVC(kernel="linear", probability=True, random_state=0).fit(X, y)
    for name in ("probA_", "probB_"):
        mine, reference = getattr(ours, name), getattr(theirs, name)
        assert mine.shape == reference.shape == (classes * (classes - 1) // 2,)
        assert mine == pytest.approx(reference, rel=0.25, abs=0.2)
    assert (ours.probA_ < 0).all()
    if classes == 2:
        scores = ours.decision_function(X)
        first = 1.0 - expit(-ours.probA_[0] * scores + ours.probB_[0])
        assert ours.predict_proba(X)[:, 0] == pytest.approx(first)
    assert not SVC().fit(X, y).probA_.size
    assert not SVC(probability="isotonic").fit(X, y).probB_.size


@pytest.mark.parametrize("kind", ["sigmoid", "isotonic"])
def test_probabilities_are_near_the_true_ones_and_right_on_average(kind, rng):
    X = rng.normal(size=(1200, 2))
    truth = expit(2.0 * X[:, 0] + X[:, 1])
    y = rng.uniform(size=1200) < truth
    model = SVC(kernel="linear", probability=kind, random_state=0)
    model.fit(X[:400], y[:400])
    chances, truth = model.predict_proba(X[400:])[:, 1], truth[400:]
    assert np.sqrt(np.mean((chances - truth) ** 2)) < 0.1
    for low in (0.0, 0.25, 0.5, 0.75):  # of those told p, a share of p are positive
        told = (chances >= low) & (chances < low + 0.25)
        slack = 4 * np.sqrt(0.25 / told.sum()) + 0.1
        assert abs(chances[told].mean() - y[400:][told].mean()) < slack


@pytest.mark.parametrize("kind", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
def test_several_classes_share_a_probability_of_one(kind, scheme, rng):
    X = rng.normal(size=(1000, 2))
    scores = X @ np.array([[2.0, 0.0, -2.0], [0.0, 2.0, -1.0]])
    truth = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    y = (rng.uniform(size=(1000, 1)) > truth.cumsum(axis=1)).sum(axis=1)
    model = SVC(probability=kind, multi_class=scheme, random_state=0)
    chances = model.fit(X[:400], y[:400]).predict_proba(X[400:])
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert np.sqrt(np.mean((chances - truth[400:]) ** 2)) < 0.15


def test_a_sample_that_no_class_claims_belongs_to_all_alike(rng):
    y = np.arange(60) % 3
    corners = 10.0 * np.array([[0.0, 1.0], [-0.9, -0.5], [0.9, -0.5]])
    X = corners[y] + 0.1 * rng.normal(size=(60, 2))
    model = SVC(probability="isotonic", multi_class="ovr", random_state=0).fit(X, y)
    assert (model.decision_function([[0.0, 0.0]]) < 0).all()
    middle = model.predict_proba([[0.0, 0.0], *corners])
    assert middle[0].sum() == pytest.approx(1.0)
    assert middle[1:] == pytest.approx(np.eye(3))
