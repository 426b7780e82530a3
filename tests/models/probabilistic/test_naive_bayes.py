"""Naive Bayes: the same laws as scikit-learn's, in batches, with weights, in logs."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import naive_bayes as theirs
from sklearn.feature_extraction.text import CountVectorizer

from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import roc_curve
from infimum.models.probabilistic import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MultinomialNB,
)

CASES = [
    (MultinomialNB, {}),
    (MultinomialNB, {"alpha": 0.3, "fit_prior": False}),
    (MultinomialNB, {"class_prior": [0.2, 0.5, 0.3]}),
    (BernoulliNB, {}),
    (BernoulliNB, {"alpha": 0.01, "binarize": 1.0}),
    (ComplementNB, {}),
    (ComplementNB, {"norm": True, "alpha": 0.5}),
    (CategoricalNB, {"min_categories": 9}),
    (GaussianNB, {}),
    (GaussianNB, {"priors": [0.2, 0.5, 0.3], "var_smoothing": 1e-3}),
]
MODELS = pytest.mark.parametrize(
    ("kind", "how"), CASES, ids=[f"{kind.__name__}-{how}" for kind, how in CASES]
)
COUNTING = [MultinomialNB, BernoulliNB, ComplementNB]


@pytest.fixture
def counts(rng):
    classes = rng.integers(3, size=120)
    rates = rng.gamma(1.0, 1.0, size=(3, 6))
    return np.minimum(rng.poisson(rates[classes]), 8), np.array(list("abc"))[classes]


@pytest.mark.syllabus("S0A-074")
@MODELS
def test_posteriors_of_several_classes_are_scikit_learns(kind, how, counts):
    X, y = counts
    ours = kind(**how).fit(X, y)
    reference = getattr(theirs, kind.__name__)(**how).fit(X, y)
    np.testing.assert_allclose(
        ours.predict_log_proba(X), reference.predict_log_proba(X), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(X),
        reference.predict_joint_log_proba(X),
        rtol=1e-9,
        atol=1e-9,
    )
    assert (ours.predict(X) == reference.predict(X)).all()
    joint = ours.predict_joint_log_proba(X)
    assert (ours.predict(X) == ours.classes_[joint.argmax(axis=1)]).all()


@MODELS
def test_batches_in_any_order_add_up_to_the_whole(kind, how, counts, rng):
    X, y = counts
    whole = kind(**how).fit(X, y)
    model = kind(**how)
    for rows in np.array_split(rng.permutation(len(y)), 7):
        model.partial_fit(X[rows], y[rows], classes=["a", "b", "c"])
    np.testing.assert_allclose(
        model.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-9, atol=1e-9
    )


@MODELS
def test_a_weight_is_a_number_of_copies(kind, how, counts, rng):
    X, y = counts
    copies = rng.integers(0, 3, size=len(y))
    weighted = kind(**how).fit(X, y, sample_weight=copies)
    repeated = kind(**how).fit(np.repeat(X, copies, axis=0), np.repeat(y, copies))
    np.testing.assert_allclose(
        weighted.predict_log_proba(X), repeated.predict_log_proba(X), rtol=1e-9
    )


@pytest.mark.parametrize("kind", COUNTING)
@pytest.mark.parametrize("hold", [sparse.csr_array, sparse.csc_array])
def test_sparse_counts_give_the_same_model(kind, hold, counts):
    X, y = counts
    dense, held = kind().fit(X, y), kind().fit(hold(X.astype(np.float32)), y)
    np.testing.assert_allclose(
        held.predict_proba(hold(X)), dense.predict_proba(X), rtol=1e-12, atol=1e-300
    )


@pytest.mark.syllabus("S0A-041")
def test_without_smoothing_a_word_has_its_frequency_within_the_class(rng):
    X, y = 1 + rng.poisson(2.0, size=(40, 5)), rng.integers(2, size=40)
    model = MultinomialNB(alpha=0.0).fit(X, y)
    frequency = np.array([X[y == k].sum(axis=0) / X[y == k].sum() for k in (0, 1)])
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), frequency, rtol=1e-12)
    # Words are independent within a class: log p(x|y) adds up word by word.
    joint = X @ np.log(frequency).T + np.log(np.bincount(y) / 40)
    np.testing.assert_allclose(model.predict_joint_log_proba(X), joint, rtol=1e-12)


@pytest.mark.syllabus("S0A-042")
@pytest.mark.parametrize("c", [0.2, 1.0, 30.0])
def test_spam_is_filtered_by_one_pass_of_counts_and_an_offset(c, rng):
    words = np.array(["meeting", "report", "lunch", "prize", "cash", "now"])
    spam = rng.uniform(size=60) < 0.4
    law = np.where(spam[:, None], [1, 1, 1, 4, 4, 3], [4, 4, 3, 1, 1, 1]) / 14
    mails = [" ".join(rng.choice(words, size=8, p=row)) for row in law]
    X = CountVectorizer().fit_transform(mails)
    model = MultinomialNB(threshold=c).fit(X, np.where(spam, "spam", "ham"))
    # The algorithm as it is told: all counts begin at 1, totals at the dictionary.
    n = X.shape[1]
    p, total, offset = np.ones((2, n)), np.array([n, n]), np.log(c)
    offset += np.log((~spam).sum()) - np.log(spam.sum())
    for row, is_spam in zip(X.toarray(), spam, strict=True):
        p[0 if is_spam else 1] += row
        total[0 if is_spam else 1] += row.sum()
    p /= total[:, None]
    t = X @ (np.log(p[0]) - np.log(p[1])) - offset
    np.testing.assert_allclose(model.log_odds(X), t, rtol=1e-10, atol=1e-10)
    assert (model.predict(X) == np.where(t > 0, "spam", "ham")).all()
    plain = theirs.MultinomialNB().fit(X, spam)
    logs = plain.predict_log_proba(X)
    np.testing.assert_allclose(t + np.log(c), logs[:, 1] - logs[:, 0], rtol=1e-9)


@pytest.mark.syllabus("S0A-042")
def test_long_documents_do_not_underflow():
    X = np.array([[3, 1], [1, 3]])
    model = MultinomialNB().fit(X, ["ham", "spam"])
    long = 1_000_000 * np.array([[2, 3], [3, 2]])
    assert model.predict(long).tolist() == ["spam", "ham"]
    assert (np.exp(model.predict_joint_log_proba(long)) == 0).all()  # the products
    assert np.isfinite(model.log_odds(long)).all()


@pytest.mark.syllabus("S0A-040")
def test_a_larger_threshold_never_flags_more(rng):
    X, y = rng.poisson(1.5, size=(200, 8)), rng.integers(2, size=200)
    X[y == 1, :3] += rng.poisson(0.8, size=((y == 1).sum(), 3))
    thresholds = np.exp(np.linspace(-6, 6, 41))
    flagged = [MultinomialNB(threshold=c).fit(X, y).predict(X) for c in thresholds]
    counts = np.array([flags.sum() for flags in flagged])
    assert (np.diff(counts) <= 0).all()
    assert counts[0] > counts[-1]
    # L(x) > c, with L from the posterior, decides; the sweep runs along the ROC curve.
    shares = MultinomialNB().fit(X, y).predict_proba(X)
    for c, flags in zip(thresholds, flagged, strict=True):
        assert (flags == (shares[:, 1] / shares[:, 0] > c)).all()
    curve = roc_curve(y, MultinomialNB().fit(X, y).log_odds(X))
    corners = np.column_stack([curve.false_positive_rate, curve.true_positive_rate])
    for flags in flagged:
        point = np.array([flags[y == 0].mean(), flags[y == 1].mean()])
        sides = np.linalg.norm(corners - point, axis=1)
        edges = np.linalg.norm(np.diff(corners, axis=0), axis=1)
        assert np.min(sides[1:] + sides[:-1] - edges) == pytest.approx(0, abs=1e-12)


def test_without_smoothing_what_was_never_seen_is_impossible():
    X, y = [[2, 0], [0, 2]], [0, 1]
    for model in (MultinomialNB(alpha=0.0), BernoulliNB(alpha=0.0)):
        model.fit(X, y)
        assert model.predict_proba([[1, 0]]).tolist() == [[1.0, 0.0]]
        assert np.isfinite(model.predict_proba([[1, 1]])).all()


def test_a_word_that_no_other_class_has_speaks_loudly_but_not_infinitely():
    X, y = [[2, 0, 1], [0, 2, 1], [1, 0, 3]], [0, 1, 2]
    model = ComplementNB(alpha=0.0).fit(X, y)
    shares = model.predict_proba([[0, 1, 0], [1, 1, 1]])
    assert shares[0].argmax() == 1
    assert np.isfinite(shares).all()


def test_one_class_is_always_the_answer(counts):
    X, _ = counts
    for kind in (*COUNTING, CategoricalNB, GaussianNB):
        model = kind().fit(X, np.full(len(X), "only"))
        assert (model.predict(X) == "only").all()
        assert (model.predict_proba(X) == 1.0).all()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (MultinomialNB(alpha=-1.0), r"MultinomialNB\.alpha must be"),
        (MultinomialNB(alpha=[1.0]), r"alpha must have an entry for each of 6"),
        (MultinomialNB(class_prior=[1.0]), r"class_prior must be 3"),
        (GaussianNB(priors=[0.5, 0.5, 0.5]), r"sum of the priors should be 1"),
        (GaussianNB(threshold=2.0), r"threshold weighs two classes"),
        (BernoulliNB(threshold=0.0), r"threshold must be in \(0, inf\)"),
        (CategoricalNB(min_categories=[2, 2]), r"min_categories must be"),
    ],
)
def test_parameters_outside_their_domain_are_named(model, message, counts):
    with pytest.raises(InvalidParameterError, match=message):
        model.fit(*counts)


def test_data_that_cannot_be_understood_are_refused_in_one_sentence(counts):
    X, y = counts
    with pytest.raises(DataError, match="Negative values"):
        MultinomialNB().fit(-X - 1, y)
    with pytest.raises(DataError, match="labels that are not in classes"):
        GaussianNB().partial_fit(X, y, classes=["a", "b"])
    with pytest.raises(DataError, match="only 9 were known; raise min_categories"):
        CategoricalNB(min_categories=9).fit(X, y).predict(X + 9)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (MultinomialNB(alpha="much"), "MultinomialNB.alpha"),
        (BernoulliNB(class_prior="even"), "BernoulliNB.class_prior"),
        (GaussianNB(priors="even"), "GaussianNB.priors"),
    ],
    ids=["alpha", "class_prior", "priors"],
)
def test_words_in_the_place_of_numbers_are_named(model, name):
    X, y = np.eye(4), [0, 1, 0, 1]
    sentence = f"{name} must be (numbers|a number or an array of numbers), got"
    with pytest.raises(InvalidParameterError, match=sentence):
        model.fit(X, y)


@pytest.mark.parametrize("level", [1e8, 1e200])
def test_numbers_that_are_no_categories_are_refused_before_they_are_counted(level):
    with pytest.raises(DataError, match="OrdinalEncoder"):
        CategoricalNB().fit(np.array([[0.0], [level]]), [0, 1])
