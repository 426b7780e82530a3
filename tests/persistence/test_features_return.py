"""Infimum's own transformers return fitted, and transform bit for bit."""

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp

import infimum
from infimum import features
from infimum.errors import ModelFileError

rng = np.random.default_rng(1)
X = rng.standard_normal((12, 3))
ROWS = pl.DataFrame(
    {
        "age": [20.5, None, 31.0, 44.0] * 6,
        "job": ["smith", "baker", None, "été"] * 6,
        "owner": [True, False, True, None] * 6,
        "since": pl.Series(["1990-01-02", "1991-05-06"] * 12).str.to_date(),
        "note": ["a long proof of it", "no proof", "the gap was closed", "why"] * 6,
    }
)
KINDS = {
    "age": "numeric",
    "job": "categorical",
    "owner": "boolean",
    "since": "date",
    "note": "text",
}
TEXTS = ["the proof is short", "the gap is closed", "a short gap"]

CASES = [
    (features.TableEncoder(KINDS, min_count=2), ROWS),
    (features.TableEncoder(KINDS, sparse_output=True), ROWS),
    (features.Standardizer(), X),
    (features.InterceptColumn(), X),
    (features.QuadraticMonomials(), X),
    (features.SineBasis(4), X),
    (features.PolynomialBasis(2), X),
    (features.BagOfWords(), TEXTS),
    (features.BagOfWords(stop_words={"gap", "the"}), TEXTS),
    (features.SubstringCounts(2), TEXTS),
    (features.ImageVectors(), rng.random((3, 4, 5))),
]


def bits(result):
    if sp.issparse(result):
        return type(result), *map(bits, (result.data, result.indices, result.indptr))
    return result.dtype, result.shape, result.tobytes()


@pytest.mark.parametrize("step, data", CASES, ids=lambda case: type(case).__name__)
def test_a_transformer_returns_and_transforms_bit_for_bit(step, data, tmp_path):
    step.fit(data)
    infimum.save(step, tmp_path / "m.infimum")
    loaded = infimum.load(tmp_path / "m.infimum")
    assert type(loaded) is type(step)
    assert repr(loaded.get_params()) == repr(step.get_params())
    assert bits(loaded.transform(data)) == bits(step.transform(data))


def test_a_map_made_of_functions_is_refused(tmp_path):
    mapped = features.FeatureMap([len, str.isupper])
    with pytest.raises(ModelFileError, match=r"^FeatureMap\.functions\[0\] holds a"):
        infimum.save(mapped, tmp_path / "m.infimum")
