"""Declared states of scikit-learn's admitted classes.

Their parameters are checked by scikit-learn's own constraints. Here stand the fitted
attributes, and those parameters that decide what a method reads.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils._param_validation import validate_parameter_constraints

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_parameters(model: Any) -> None:
    """Raise DataError unless scikit-learn would take the parameters."""
    rules = getattr(type(model), "_parameter_constraints", {})
    given = {name: item for name, item in vars(model).items() if name in rules}
    try:
        validate_parameter_constraints(rules, given, type(model).__name__)
    except (ValueError, TypeError) as error:
        raise DataError(" ".join(str(error).split())[:300]) from None


def _check_vocabulary(model: Any) -> None:
    _check_parameters(model)
    _check_dtype(model)
    owner, words = type(model).__name__, getattr(model, "vocabulary_", {})
    known = all(isinstance(word, str) for word in words)
    if not known or sorted(words.values()) != list(range(len(words))):
        raise DataError(f"{owner}.vocabulary_ must number its columns.")
    low, high = model.ngram_range
    if model.input != "content" or not 1 <= low <= high <= 2**10:
        raise DataError(f"{owner} must read texts, in runs of 1 to 1024 words.")
    if callable(model.analyzer):
        raise DataError(f"{owner}.analyzer must be a name.")
    inner = getattr(model, "_tfidf", None)
    if inner is not None and len(getattr(inner, "idf_", words)) != len(words):
        raise DataError(f"{owner}: every word needs a weight.")


def _check_categories(model: Any) -> None:
    """Raise DataError unless what is known of each column suits its categories."""
    _check_parameters(model)
    _check_dtype(model)
    if model._infrequent_enabled and not hasattr(model, "_infrequent_indices"):
        raise DataError(f"{type(model).__name__} lacks its _infrequent_indices.")
    counts = [len(each) for each in model.categories_]
    for name in ("_infrequent_indices", "_default_to_infrequent_mappings"):
        for size, places in zip(counts, getattr(model, name, counts), strict=True):
            if isinstance(places, np.ndarray):
                _check_places(f"{type(model).__name__}.{name}", places, size)
    for place, gap in getattr(model, "_missing_indices", {}).items():
        if place not in range(len(counts)) or gap not in range(counts[place]):
            raise DataError("OrdinalEncoder._missing_indices leads out of its columns.")


def _check_dtype(model: Any) -> None:
    """Raise DataError unless the entries of a table are to be numbers."""
    try:
        right = np.dtype(getattr(model, "dtype", None)).kind in "biuf"
    except TypeError:
        right = False
    if not right:
        raise DataError(f"{type(model).__name__}.dtype must be a type of numbers.")


def _check_places(name: str, places: Any, size: int) -> None:
    if places.size > size or not ((places >= 0) & (places < size)).all():
        raise DataError(f"{name} names a category that is not there.")


def _check_outputs(model: Any) -> None:
    """Raise DataError unless a one-hot encoder's columns are as many as it says."""
    counts = [len(each) for each in model.categories_]
    rare = getattr(model, "_infrequent_indices", [None] * len(counts))
    for column, few in enumerate(rare):
        counts[column] -= 0 if few is None else len(few) - 1
    if model._drop_idx_after_grouping is not None:
        for column, place in enumerate(model._drop_idx_after_grouping):
            if place is not None and place not in range(counts[column]):
                raise DataError("OneHotEncoder.drop_idx_ leads out of its categories.")
            counts[column] -= place is not None
    if counts != model._n_features_outs:
        raise DataError("OneHotEncoder._n_features_outs must count its columns.")


def _check_encodings(model: Any) -> None:
    _check_parameters(model)
    counts = [len(each) for each in model.categories_]
    rows = [len(each) for each in model.encodings_]
    classes = len(model.classes_) if model.target_type_ == "multiclass" else 1
    if rows != counts * (classes if model.target_type_ == "multiclass" else 1):
        raise DataError("TargetEncoder needs a number for each category.")


def _check_bins(model: Any) -> None:
    _check_parameters(model)
    for edges, count in zip(model.bin_edges_, model.n_bins_, strict=True):
        right = isinstance(edges, np.ndarray) and edges.dtype.kind == "f"
        if not right or edges.shape != (count + 1,):
            raise DataError("KBinsDiscretizer needs an edge more than bins.")
    if hasattr(model, "_encoder"):
        known = [len(each) for each in model._encoder.categories_]
        if known != model.n_bins_.tolist() or any(
            not np.array_equal(each, np.arange(len(each)))
            for each in model._encoder.categories_
        ):
            raise DataError("KBinsDiscretizer._encoder must know its bins.")


def _check_powers(model: Any) -> None:
    """Raise DataError unless the numbers of columns are those of the powers."""
    _check_parameters(model)
    if not hasattr(model, "n_output_features_"):
        return
    low, high, d = model._min_degree, model._max_degree, model.n_features_in_
    if not 0 <= low <= high <= 64 or d > 2**16:  # noqa: PLR2004
        raise DataError("PolynomialFeatures cannot have such powers.")
    options = {
        "n_features": d,
        "interaction_only": model.interaction_only,
        "include_bias": model.include_bias,
    }
    wanted = model._num_combinations(min_degree=low, max_degree=high, **options)
    full = model._num_combinations(min_degree=0, max_degree=high, **options)
    if model.n_output_features_ != wanted or model._n_out_full != full:
        raise DataError("PolynomialFeatures must count its columns.")


def _check_indicator(model: Any) -> None:
    _check_parameters(model)
    if model.n_features_in_ != model._n_features:
        raise DataError("MissingIndicator must count its columns.")


def _check_imputer(model: Any) -> None:
    _check_parameters(model)
    indicator = model.indicator_
    if (indicator is None) == bool(model.add_indicator):
        raise DataError("SimpleImputer.indicator_ is there if it is asked for.")
    if indicator is not None and indicator.n_features_in_ != model.n_features_in_:
        raise DataError("SimpleImputer.indicator_ has other columns.")


def _check_steps(model: Any) -> None:
    """Raise DataError unless the steps are pairs of a name and an estimator."""
    _check_parameters(model)
    listed = model.steps if hasattr(model, "steps") else model.transformer_list
    for step in listed:
        pair = isinstance(step, tuple | list) and len(step) == 2  # noqa: PLR2004
        if not pair or not isinstance(step[0], str) or not _is_step(step[1]):
            raise DataError(f"{type(model).__name__} needs named steps.")
    if len({step[0] for step in listed}) < len(listed) or not listed:
        raise DataError(f"{type(model).__name__} needs steps of different names.")


def _is_step(value: Any) -> bool:
    named = isinstance(value, str) and value in {"passthrough", "drop"}
    return value is None or named or hasattr(value, "get_params")


def _check_columns(model: Any) -> None:
    _check_parameters(model)
    for steps in (model.transformers, model.transformers_):
        for step in steps:
            triple = isinstance(step, tuple | list) and len(step) == 3  # noqa: PLR2004
            if not triple or not isinstance(step[0], str) or not _is_step(step[1]):
                raise DataError("ColumnTransformer needs a name, a step and columns.")
    for place in model.output_indices_.values():
        if not isinstance(place, slice):
            raise DataError("ColumnTransformer.output_indices_ must be slices.")


def _check_sparse_labels(model: Any) -> None:
    if model.sparse_input_ and model.classes_.dtype.kind not in "biuf":
        raise DataError("LabelBinarizer: only numbers can have been sparse.")


def _check_kernel(kernel: Any) -> None:
    for name in ("k1", "k2", "kernel"):
        if hasattr(kernel, name) and not hasattr(getattr(kernel, name), "theta"):
            raise DataError(f"{type(kernel).__name__}.{name} must be a kernel.")


_KIN = {
    "copy?": "flag",
    "n_samples_seen_?": "number | number[features]",
    "n_features_in_?": "size features",
}


def _scaler(**lines: str) -> State:
    return State({**_KIN, **lines}, also=_check_parameters)


def _kernel(**lines: str) -> State:
    bounds = {f"{name}_bounds?": "text | tuple of any | number[*, *]" for name in lines}
    return State({**lines, **bounds}, also=_check_kernel)


_ENCODER = {
    "n_features_in_": "size features",
    "_infrequent_enabled": "flag",
    "categories_": "list[features] of label[*]",
    "_infrequent_indices?": "list[features] of none / int[*]",
    "_default_to_infrequent_mappings?": "list[features] of none / int[*]",
}
_WORDS = {
    "fixed_vocabulary_": "flag",
    "vocabulary_": "dict of count",
    "stop_words_?": "any",
    "_stop_words_id?": "any",
}
_PRE, _GP = "sklearn.preprocessing", "sklearn.gaussian_process.kernels"
_SCALE = "positive | nonnegative[*] | list of positive"
_TEXT = "sklearn.feature_extraction.text"

_CLASSES: dict[str, State] = {
    f"{_PRE}.FunctionTransformer": State({}, also=_check_parameters),
    f"{_PRE}.Normalizer": State(
        {"n_features_in_": "size features"}, also=_check_parameters
    ),
    f"{_PRE}.LabelEncoder": State({"classes_": "label[*]"}),
    f"{_PRE}.LabelBinarizer": State(
        {
            "y_type_": "'binary' | 'multiclass' | 'multilabel-indicator'",
            "sparse_input_": "flag",
            "classes_": "label[classes]",
        },
        also=(_check_parameters, _check_sparse_labels),
    ),
    f"{_PRE}.MaxAbsScaler": _scaler(
        max_abs_="float[features]", scale_="float[features]"
    ),
    f"{_PRE}.MinMaxScaler": _scaler(
        scale_="float[features]",
        min_="float[features]",
        data_min_="float[features]",
        data_max_="float[features]",
        data_range_="float[features]",
    ),
    f"{_PRE}.RobustScaler": _scaler(
        center_="none | float[features]", scale_="none | float[features]"
    ),
    f"{_PRE}.StandardScaler": State(
        {
            **_KIN,
            "mean_": "none | float[features]",
            "var_?": "none | float[features]",
            "scale_?": "none | float[features]",
        },
        also=_check_parameters,
    ),
    f"{_PRE}.KBinsDiscretizer": State(
        {
            "n_features_in_": "size features",
            "bin_edges_": "any",
            "n_bins_": "int[features]",
            "_encoder?": "OneHotEncoder",
        },
        also=_check_bins,
    ),
    f"{_PRE}.OneHotEncoder": State(
        {
            **_ENCODER,
            "_drop_idx_after_grouping": "none | label[features]",
            "drop_idx_": "none | label[features]",
            "_n_features_outs": "list[features] of count",
        },
        also=(_check_categories, _check_outputs),
    ),
    f"{_PRE}.OrdinalEncoder": State(
        {**_ENCODER, "_missing_indices": "dict of count"}, also=_check_categories
    ),
    f"{_PRE}.TargetEncoder": State(
        {
            **_ENCODER,
            "target_type_": "'continuous' | 'binary' | 'multiclass'",
            "classes_": "none | label[classes]",
            "target_mean_": "number | float[*]",
            "encodings_": "list of float[*]",
            "_label_encoder?": "any",
            "_label_binarizer?": "any",
        },
        also=(_check_categories, _check_encodings),
    ),
    f"{_PRE}.PolynomialFeatures": State(
        {
            "n_features_in_": "size features",
            "_min_degree": "count",
            "_max_degree": "count",
            "n_output_features_": "count",
            "_n_out_full": "count",
        },
        also=_check_powers,
    ),
    "sklearn.impute.SimpleImputer": State(
        {
            "n_features_in_": "size features",
            "_fit_dtype": "dtype",
            "_fill_dtype": "dtype",
            "indicator_": "none | MissingIndicator",
            "statistics_": "label[features]",
        },
        also=_check_imputer,
    ),
    "sklearn.impute.MissingIndicator": State(
        {
            "n_features_in_": "size features",
            "_precomputed": "flag",
            "_n_features": "size features",
            "features_": "index[*] of features",
        },
        also=_check_indicator,
    ),
    "sklearn.feature_selection.VarianceThreshold": State(
        {"n_features_in_": "size features", "variances_": "float[features]"},
        also=_check_parameters,
    ),
    f"{_TEXT}.CountVectorizer": State(_WORDS, also=_check_vocabulary),
    f"{_TEXT}.TfidfVectorizer": State(
        {**_WORDS, "_tfidf": "TfidfTransformer"}, also=_check_vocabulary
    ),
    f"{_TEXT}.TfidfTransformer": State(
        {"n_features_in_?": "size features", "idf_?": "float[features]"},
        also=_check_parameters,
    ),
    "sklearn.pipeline.Pipeline": State({}, also=_check_steps),
    "sklearn.pipeline.FeatureUnion": State({}, also=_check_steps),
    "sklearn.compose.ColumnTransformer": State(
        {
            "n_features_in_": "size features",
            "transformers_": "list of any",
            "_columns": "list of any",
            "_transformer_to_input_indices": "dict of any",
            "_remainder": "tuple of any",
            "sparse_output_": "flag",
            "_name_to_fitted_passthrough?": "dict of any",
            "output_indices_": "dict of any",
            "_transformed_feature_names?": "any",
            "_n_features?": "any",
        },
        also=_check_columns,
    ),
    "sklearn.compose.make_column_selector": State(
        {"dtype_include?": "any", "dtype_exclude?": "any", "pattern?": "none | text"}
    ),
    f"{_GP}.ConstantKernel": _kernel(constant_value="positive"),
    f"{_GP}.DotProduct": _kernel(sigma_0="number"),
    f"{_GP}.ExpSineSquared": _kernel(length_scale="positive", periodicity="positive"),
    f"{_GP}.Exponentiation": State(
        {"kernel": "any", "exponent": "number"}, also=_check_kernel
    ),
    f"{_GP}.Matern": _kernel(length_scale=_SCALE, nu="positive | number"),
    f"{_GP}.Product": State({"k1": "any", "k2": "any"}, also=_check_kernel),
    f"{_GP}.RBF": _kernel(length_scale=_SCALE),
    f"{_GP}.RationalQuadratic": _kernel(length_scale="positive", alpha="positive"),
    f"{_GP}.Sum": State({"k1": "any", "k2": "any"}, also=_check_kernel),
    f"{_GP}.WhiteKernel": _kernel(noise_level="positive | number"),
}
#: Other releases of scikit-learn have other attributes besides.
STATES = {name: replace(state, open=True) for name, state in _CLASSES.items()}
