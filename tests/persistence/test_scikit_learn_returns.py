"""Every admitted scikit-learn object returns fitted, and transforms bit for bit."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.feature_selection import VarianceThreshold
from sklearn.gaussian_process import kernels
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    LabelBinarizer,
    LabelEncoder,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

import infimum
from infimum.errors import ModelFileError
from infimum.models.kernel import GaussianProcessRegressor
from infimum.persistence.allow_list import SCIKIT_LEARN, name_of

rng = np.random.default_rng(0)
X = rng.standard_normal((40, 3))
HOLES = np.where(rng.random((40, 3)) < 0.2, np.nan, X)
TABLE = pd.DataFrame(
    {
        "income": HOLES[:, 0],
        "rooms": rng.integers(1, 5, 40),
        "town": rng.choice(["Ayr", "Bath", "Deal"], 40),
        "grade": pd.Categorical(rng.choice(["low", "high"], 40)),
    }
)
WORDS = rng.choice(["a", "b", "c", "d"], (40, 2), p=[0.5, 0.3, 0.15, 0.05])
MIXED = np.array([["a"], [None], ["b"], [np.nan]] * 10, dtype=object)
TEXTS = ["the proof is short", "the gap is closed", "a short gap"]
TARGET = (X[:, 0] > 0).astype(int)

CASES = [
    (StandardScaler(), X),
    (StandardScaler(), HOLES),
    (StandardScaler(with_mean=False), sp.csr_matrix(X)),
    (StandardScaler(), X.astype(np.float32)),
    (MinMaxScaler((-1, 1), clip=True), X),
    (MaxAbsScaler(), X),
    (RobustScaler(quantile_range=(10.0, 90.0)), X),
    (OneHotEncoder(), WORDS),
    (OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=8), WORDS),
    (OneHotEncoder(drop="first", sparse_output=False, dtype=np.float32), WORDS),
    (OneHotEncoder(handle_unknown="ignore"), MIXED),
    (OneHotEncoder(categories=[["Ayr", "Bath", "Deal", "Ely"]]), TABLE[["town"]]),
    (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), MIXED),
    (OrdinalEncoder(max_categories=2), WORDS),
    (OrdinalEncoder(), TABLE[["grade"]]),
    (SimpleImputer(add_indicator=True), HOLES),
    (SimpleImputer(strategy="most_frequent", missing_values=None), MIXED[:3]),
    (
        SimpleImputer(strategy="constant", fill_value="?", missing_values=None),
        MIXED[:3],
    ),
    (MissingIndicator(features="all"), HOLES),
    (PolynomialFeatures(3, interaction_only=True), X),
    (Normalizer("l1"), X),
    (VarianceThreshold(0.5), X),
    (KBinsDiscretizer(4, quantile_method="averaged_inverted_cdf"), X),
    (KBinsDiscretizer(3, encode="ordinal", strategy="uniform", dtype=np.float32), X),
    (TargetEncoder(), TABLE[["town"]]),
    (FunctionTransformer(), X),
    (CountVectorizer(ngram_range=(1, 2), stop_words=["the"]), TEXTS),
    (TfidfVectorizer(stop_words="english", sublinear_tf=True), TEXTS),
    (FeatureUnion([("s", StandardScaler()), ("p", "passthrough")]), X),
    (Pipeline([("impute", SimpleImputer()), ("scale", StandardScaler())]), HOLES),
    (StandardScaler().set_output(transform="pandas"), TABLE[["rooms"]]),
]


KERNELS = [
    kernels.ConstantKernel(2.0),
    kernels.DotProduct(0.5),
    kernels.ExpSineSquared(1.0, 3.0),
    kernels.Exponentiation(kernels.RBF(2.0), 2),
    kernels.Matern([1.0, 2.0, 3.0], nu=2.5),
    kernels.RBF(1.5, length_scale_bounds="fixed"),
    kernels.RationalQuadratic(1.0, 0.3),
    kernels.WhiteKernel(0.2),
    2.0 * kernels.RBF(1.0),
    kernels.RBF(1.0) + kernels.WhiteKernel(0.1),
]


def bits(result):
    """Return what tells two results apart: type, labels, data type and bytes."""
    if sp.issparse(result):
        return type(result), *map(bits, (result.data, result.indices, result.indptr))
    if isinstance(result, pd.DataFrame):
        return list(result.columns), bits(result.to_numpy())
    values = result.tolist() if result.dtype == object else result.tobytes()
    return result.dtype, result.shape, repr(values)


def there_and_back(model, folder):
    infimum.save(model, folder / "first.infimum")
    loaded = infimum.load(folder / "first.infimum")
    infimum.save(loaded, folder / "second.infimum")
    first, second = (folder / f"{name}.infimum" for name in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()
    return loaded


@pytest.mark.parametrize("step, data", CASES, ids=lambda case: type(case).__name__)
def test_a_step_returns_and_transforms_bit_for_bit(step, data, tmp_path):
    step.fit(data, TARGET[: data.shape[0] if hasattr(data, "shape") else len(data)])
    loaded = there_and_back(step, tmp_path)
    assert type(loaded) is type(step)
    assert repr(loaded.get_params()) == repr(step.get_params())
    assert bits(loaded.transform(data)) == bits(step.transform(data))
    if hasattr(step, "get_feature_names_out"):
        assert list(loaded.get_feature_names_out()) == list(
            step.get_feature_names_out()
        )


@pytest.mark.parametrize("labels", [TABLE["town"], TARGET, ["x", "y", "z"]], ids=type)
@pytest.mark.parametrize("coder", [LabelEncoder, LabelBinarizer])
def test_label_coders_return_and_code_both_ways(coder, labels, tmp_path):
    fitted = coder().fit(labels)
    loaded = there_and_back(fitted, tmp_path)
    codes = fitted.transform(labels)
    assert bits(loaded.transform(labels)) == bits(codes)
    assert list(loaded.inverse_transform(codes)) == list(labels)


def preparation():
    numbers = make_pipeline(SimpleImputer(add_indicator=True), RobustScaler())
    words = OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=5)
    return ColumnTransformer(
        [
            ("numbers", numbers, ["income", "rooms"]),
            ("words", words, make_column_selector(dtype_exclude=[np.number])),
            ("grades", OrdinalEncoder(), TABLE.columns[[3]]),
            ("kept", "passthrough", ["rooms"]),
            ("gone", "drop", ["town"]),
        ],
        remainder=StandardScaler(),
    )


def test_a_column_transformer_returns_with_everything_in_it(tmp_path):
    fitted = preparation().fit(TABLE)
    loaded = there_and_back(fitted, tmp_path)
    assert bits(loaded.transform(TABLE)) == bits(fitted.transform(TABLE))
    assert list(loaded.feature_names_in_) == list(TABLE.columns)
    assert loaded.output_indices_ == fitted.output_indices_
    with pytest.raises(ValueError, match="columns are missing"):
        loaded.transform(TABLE.drop(columns="town"))


@pytest.mark.parametrize(
    "columns", [slice(0, 2), [0, 2], np.array([True, False, True]), [-1]], ids=str
)
def test_columns_chosen_by_position_mask_or_slice_return(columns, tmp_path):
    chosen = [("scale", StandardScaler(), columns)]
    fitted = ColumnTransformer(chosen, remainder="passthrough").fit(X)
    loaded = there_and_back(fitted, tmp_path)
    assert bits(loaded.transform(X)) == bits(fitted.transform(X))


def test_a_model_not_yet_fitted_returns_and_can_be_fitted(tmp_path):
    loaded = there_and_back(preparation(), tmp_path)
    expected = preparation().fit_transform(TABLE)
    assert bits(loaded.fit_transform(TABLE)) == bits(expected)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_a_kernel_of_a_gaussian_process_returns_in_its_model(kernel, tmp_path):
    model = GaussianProcessRegressor(kernel, alpha=5.0, optimizer=None)
    loaded = there_and_back(model.fit(X, TARGET), tmp_path)
    assert loaded.kernel_ == model.kernel_
    assert bits(loaded.predict(X)) == bits(model.predict(X))


def test_every_admitted_scikit_learn_class_is_tried_here():
    tried = {name_of(type(step)) for step, _ in CASES}
    tried |= {name_of(type(kernel)) for kernel in KERNELS}
    apart = {"LabelEncoder", "LabelBinarizer", "ColumnTransformer"}
    inside = {"make_column_selector", "TfidfTransformer"}
    admitted = {
        f"{room}.{name}" for room, names in SCIKIT_LEARN.items() for name in names
    }
    left = {name.rpartition(".")[2] for name in admitted - tried}
    assert left == apart | inside


@pytest.mark.parametrize(
    "model, words",
    [
        (
            make_pipeline(FunctionTransformer(np.log1p)),
            r"^Pipeline\.steps\[0\]\[1\]\.func holds a numpy.ufunc \(log1p\)",
        ),
        (make_pipeline("passthrough", memory="/tmp"), r"^Pipeline\.memory holds a str"),
        (CountVectorizer(tokenizer=str.split), r"^CountVectorizer\.tokenizer holds"),
        (KBinsDiscretizer(random_state=np.random.RandomState(0)), "random_state holds"),
    ],
    ids=["function", "memory", "tokenizer", "generator"],
)
def test_a_step_that_carries_code_is_refused_by_its_address(model, words, tmp_path):
    with pytest.raises(ModelFileError, match=words):
        infimum.save(model, tmp_path / "m.infimum")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "model", [{"a": 1}, None, StandardScaler, np.ones(2)], ids=type
)
def test_only_a_model_can_be_saved(model, tmp_path):
    with pytest.raises(
        ModelFileError, match=r"^save cannot keep a .*pipelines of them"
    ):
        infimum.save(model, tmp_path / "m.infimum")
