"""Truncated SVD: scikit-learn's answer, nearest of its rank, sparse as it comes."""

import numpy as np
import pytest
import sklearn.decomposition
from scipy import sparse

from infimum.errors import InvalidParameterError
from infimum.models.embedding import PCA, TruncatedSVD


@pytest.mark.parametrize("shape", [(80, 40), (30, 90)], ids=str)
@pytest.mark.parametrize("count", [1, 3, 20])
@pytest.mark.parametrize("thin", [True, False])
def test_the_answer_is_scikit_learns(shape, count, thin):
    X = sparse.random_array(shape, density=0.3, rng=0, format="csr")
    X = X if thin else X.toarray()
    ours = TruncatedSVD(count, random_state=0).fit(X)
    theirs = sklearn.decomposition.TruncatedSVD(count, algorithm="arpack").fit(X)
    for name in (
        "singular_values_",
        "explained_variance_",
        "explained_variance_ratio_",
    ):
        np.testing.assert_allclose(
            getattr(ours, name), getattr(theirs, name), rtol=1e-6, err_msg=name
        )
    np.testing.assert_allclose(
        np.abs(ours.transform(X)), np.abs(theirs.transform(X)), atol=1e-6
    )


def test_no_matrix_of_its_rank_is_nearer():
    X = np.random.default_rng(0).standard_normal((30, 12)) + 2
    model = TruncatedSVD(3)
    nearest = model.inverse_transform(model.fit_transform(X))
    left = np.linalg.svd(X, compute_uv=False)[3:]
    assert np.linalg.norm(X - nearest) == pytest.approx(np.linalg.norm(left))
    centred = X - X.mean(axis=0)
    np.testing.assert_allclose(
        np.abs(TruncatedSVD(3).fit_transform(centred)),
        np.abs(PCA(3).fit_transform(X)),
        atol=1e-8,
    )
    with pytest.raises(InvalidParameterError, match="n_components"):
        TruncatedSVD(13).fit(X)
