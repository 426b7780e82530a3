"""Kinds of inputs and of outputs: what is admitted, and how it is recognised."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.pipeline import FeatureUnion, make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.multiclass import type_of_target

from infimum.errors import DataError
from infimum.kernels import Spectrum
from infimum.models.kernel import SVC
from infimum.models.linear import LogisticRegression, Ridge
from infimum.models.sequence import CRF, CategoricalHMM
from infimum.models.structured import StructuredSVM
from infimum.penalties import Simplex

RNG = np.random.default_rng(0)


def halved(image):
    """Return the means of blocks of two by two."""
    h, w = image.shape
    return image.reshape(h // 2, 2, w // 2, 2).mean(axis=(1, 3))


@pytest.mark.syllabus("S0A-015")
def test_images_cohere_in_space_and_keep_their_statistics_when_halved():
    smooth = np.cumsum(np.cumsum(RNG.standard_normal((64, 64)), axis=0), axis=1)
    beside = np.corrcoef(smooth[:, :-1].ravel(), smooth[:, 1:].ravel())[0, 1]
    far = np.corrcoef(smooth[:, :-32].ravel(), smooth[:, 32:].ravel())[0, 1]
    assert beside > 0.95 > far
    small = halved(smooth)
    assert small.mean() == pytest.approx(smooth.mean())
    assert small.std() == pytest.approx(smooth.std(), rel=0.05)
    # A model of neighbouring cells uses the coherence that one of single cells lacks.
    masks = [(halved(halved(smooth[a : a + 16, a : a + 16])) > 0) for a in (0, 16, 32)]
    noisy = [(2.0 * m - 1 + RNG.standard_normal(m.shape))[:, :, None] for m in masks]
    labels = [mask.astype(int) for mask in masks]
    model = StructuredSVM("grid", C=1.0, tol=1e-2).fit(noisy, labels)
    assert model.score(noisy, labels) >= 0.7
    video = np.stack([smooth + 0.01 * t for t in range(3)])  # coherent in time as well
    assert np.corrcoef(video[0].ravel(), video[1].ravel())[0, 1] > 0.99


@pytest.mark.syllabus("S0A-017")
def test_strings_are_inputs_and_outputs_and_compound_things_are_unions_of_features():
    spam = ["buy gold now", "gold and cash now", "see you at noon", "lunch at noon"]
    assert SVC(kernel=Spectrum(3)).fit(spam, [1, 1, 0, 0]).predict(["gold now"]) == [1]
    words = [[{"w": word} for word in text.split()] for text in spam]
    tags = [["X" if word == "gold" else "O" for word in text.split()] for text in spam]
    assert CRF(c2=0.01).fit(words, tags).predict(words[:1]) == [["O", "X", "O"]]
    # A page of text, pictures and links is the union of what each of them says.
    pages = np.array([(len(t), t.count("gold"), t.count("noon")) for t in spam], float)
    joined = FeatureUnion([("all", FunctionTransformer()), ("axes", PCA(1))])
    model = make_pipeline(joined, LogisticRegression()).fit(pages, [1, 1, 0, 0])
    assert model.predict(pages).tolist() == [1, 1, 0, 0]
    assert make_union(PCA(1), FunctionTransformer()).fit(pages).transform(
        pages
    ).shape == (4, 4)


@pytest.mark.syllabus("S1-198")
def test_inputs_are_vectors_shares_of_one_strings_of_an_alphabet_and_products():
    assert Ridge().fit(RNG.standard_normal((5, 2)), np.arange(5.0)).coef_.shape == (2,)
    simplex = Simplex()
    assert simplex.value(np.array([0.2, 0.8])) == 0.0
    for outside in ([0.5, 0.6], [-0.1, 1.1]):
        assert simplex.value(np.array(outside)) == np.inf
    words = [np.array([0, 1, 0]), np.array([1, 1])]
    model = CategoricalHMM(2, n_features=2, random_state=0).fit(words)
    assert np.isfinite(model.score(words))
    assert model.score([np.array([0, 5])]) == -np.inf  # no letter of the alphabet
    with pytest.raises(DataError, match="symbols"):
        CategoricalHMM(2).fit([np.array([0.5, 1.0])])
    pairs = sparse.hstack([sparse.eye_array(3), np.ones((3, 1))], format="csr")
    assert Ridge().fit(pairs, [1.0, 2.0, 3.0]).coef_.shape == (4,)  # a product of two


@pytest.mark.syllabus("S1-199")
@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (np.array([0.5, 1.5, 2.25]), "continuous"),
        (np.array([-1, 1, 1]), "binary"),
        (np.array([0, 1, 1]), "binary"),
        (np.array([[0.5, 1.0], [2.5, 3.0], [1.5, 2.0]]), "continuous-multioutput"),
        (np.array([1, 2, 3]), "multiclass"),
        (np.array([[0, 1], [1, 1], [1, 0]]), "multilabel-indicator"),
    ],
)
def test_outputs_are_told_apart_as_scikit_learn_does(y, kind):
    assert type_of_target(y) == kind
    X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
    if kind.startswith("continuous"):
        assert Ridge().fit(X, y).predict(X).shape == y.shape
        with pytest.raises(ValueError, match="Unknown label type: continuous"):
            LogisticRegression().fit(X, y[:, 0] if y.ndim > 1 else y)
    elif kind == "multilabel-indicator":
        model = StructuredSVM("multilabel").fit(X, y)
        assert np.shape(model.predict(X)) == y.shape
    else:
        model = LogisticRegression().fit(X, y)
        assert model.classes_.tolist() == sorted(set(y.tolist()))
