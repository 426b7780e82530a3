"""Declared states of kernel machines: samples, and a coefficient for each."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State, check_state
from infimum.models._kernel_door import is_precomputed
from infimum.models.linear._states import PROOF, SLOPES, check_scores

__all__ = ["MACHINE", "STATES"]

_THINGS = "finite[samples, features] | sparse[samples, features] | list[samples] of any"
_CLASSES = {"classes_": "label[classes]"}
_SCORES = {"dual_coef_": "float[scores, samples]", "intercept_": "float[scores]"}


def _check_supports(model: Any) -> None:
    """Raise DataError unless the supports are samples of the fit."""
    owner, support = type(model).__name__, model.support_
    if len(support) and not 0 <= support.min() <= support.max() < model.shape_fit_[0]:
        raise DataError(f"{owner}.support_ names a sample that was not there.")
    if model.n_support_.min() < 0 or model.n_support_.sum() != len(support):
        raise DataError(f"{owner}.n_support_ must count the supports.")


def _check_pairs(model: Any) -> None:
    """Raise DataError unless there is a machine for each pair of classes."""
    classes, rows = len(model.classes_), model.dual_coef_.shape[0]
    machines, wanted = classes * (classes - 1) // 2, classes - 1
    if classes > 2 and getattr(model, "multi_class", "ovo") == "ovr":  # noqa: PLR2004
        machines = wanted = classes
    if classes < 2 or len(model.intercept_) != machines or rows != wanted:  # noqa: PLR2004
        owner = type(model).__name__
        raise DataError(f"{owner} needs a machine for each pair of classes.")


def _check_members(model: Any) -> None:
    if len(model.kernels_) != len(model.modes_):
        raise DataError("GaussianProcessClassifier needs a kernel for each mode.")
    count = len(model.classes_)
    if len(model.modes_) != (count if count > 2 else 1):  # noqa: PLR2004
        raise DataError("GaussianProcessClassifier needs a mode for each class.")


def _check_machine(model: Any) -> None:
    features = getattr(model, "n_features_in_", None)
    if getattr(model.machine_, "n_features_in_", None) != features:
        raise DataError("MultipleKernelLearner.machine_ takes other columns.")


def check_given(model: Any) -> None:
    """Raise DataError unless there are samples, or as many columns of kernel values."""
    owner, coef = type(model).__name__, model.dual_coef_
    samples = coef.shape[-1] if hasattr(model, "intercept_") else len(coef)
    if not is_precomputed(model):
        if model.X_fit_ is None:
            raise DataError(f"{owner}.X_fit_ must be its samples.")
    elif getattr(model, "n_features_in_", None) != samples:
        raise DataError(f"{owner} needs a kernel value for each of {samples} samples.")


def _check_columns(model: Any) -> None:
    if is_precomputed(model) and (
        getattr(model, "n_features_in_", None) != model.shape_fit_[0]
    ):
        raise DataError(f"{type(model).__name__} needs a kernel value for each sample.")


def _check_calibration(model: Any) -> None:
    if model.probability not in ("deprecated", False) and not (
        hasattr(model, "calibration_")
    ):
        raise DataError(f"{type(model).__name__} lacks its calibration_.")
    found = getattr(model, "calibration_", None)
    if found is not None and not _is_calibration(found, len(model.intercept_)):
        raise DataError(f"{type(model).__name__}.calibration_ must have a map each.")


def _is_calibration(found: dict[str, Any], machines: int) -> bool:
    maps = found.get("maps")
    if found.keys() != {"kind", "maps"} or not isinstance(maps, list):
        return False
    kind = State({"pair": _MAPS.get(str(found["kind"]), "'none'")})
    for pair in maps:
        check_state("calibration_", kind, {"pair": pair}, set())
    return len(maps) == machines


def _check_process(model: Any) -> None:
    """Raise DataError unless given kernel values are those with the samples."""
    given = is_precomputed(model)
    used = getattr(model, "kernels_", [getattr(model, "kernel_", None)])
    if any(isinstance(kernel, str) != given for kernel in used):
        raise DataError(f"{type(model).__name__}: it was fitted with another kernel.")
    columns = getattr(model, "n_features_in_", 0)
    kept = getattr(model, "_kept", np.arange(len(model.X_train_)))
    if not given:
        return
    if kept.min(initial=0) < 0 or kept.max(initial=-1) >= columns:
        raise DataError(f"{type(model).__name__} needs a kernel value for each sample.")


def _check_factors(model: Any) -> None:
    """Raise DataError unless factors are triangular, and can be solved with."""
    factors = [mode.factor for mode in getattr(model, "modes_", ())]
    factors += [model.L_] if hasattr(model, "L_") else []
    for factor in factors:
        if factor is not None and not (
            np.isfinite(factor).all() and (np.abs(np.diag(factor)) > TINY).all()
        ):
            raise DataError(f"{type(model).__name__}: a factor is singular.")


#: What maps a score to a probability, for each kind of calibration.
_MAPS = {"sigmoid": "tuple[2] of number", "isotonic": "tuple[2] of finite[steps]"}
#: A pivot of a factor below this counts as 0.
TINY = 1e-150
#: What support vector machines share.
MACHINE = State(
    {
        "shape_fit_": "tuple of count",
        "_gamma": "number",
        "_single": "flag",
        "_definite": "flag",
        "fit_status_": "count",
        "support_": "int[supports]",
        "support_vectors_": "finite[supports, features] | sparse[supports, features] | "
        "list[supports] of any | finite[0, 0] | float[0]",
        "n_support_": "int[*]",
    },
    also=(_check_supports, _check_columns),
)
_PAIRS = State(
    {
        **_CLASSES,
        "class_weight_": "float[classes]",
        "n_iter_": "int[pairs]",
        "margins_": "float[pairs]",
        "n_support_": "int[classes]",
        "intercept_": "float[pairs]",
        "dual_coef_": "float[*, supports] | sparse[*, supports]",
        "history_": "tuple of Record",
        "calibration_?": "dict of plain",
    },
    base=MACHINE,
    also=(_check_pairs, _check_calibration),
)
_PROVED_PAIRS = State(
    {"certificate_": "Certificate", "certificates_": "list[pairs] of Certificate"},
    base=_PAIRS,
)
_NUMBER = State(
    {
        "n_support_": "int[1]",
        "intercept_": "float[1]",
        "dual_coef_": "float[1, supports] | sparse[1, supports]",
        **PROOF,
    },
    base=MACHINE,
)
_LABELS = State(
    {"X_fit_": f"{_THINGS} | none", **_CLASSES, **_SCORES},
    also=(check_scores, check_given),
)
_PROVED_LABELS = State(PROOF, base=_LABELS)
_NUMBERS = State(
    {
        "X_fit_": f"{_THINGS} | none",
        "dual_coef_": "float[samples] | float[samples, *]",
        **PROOF,
    },
    also=check_given,
)
_RISK = State(
    {"dual_coef_": "float[samples]", "intercept_": "number", **SLOPES}, base=_NUMBERS
)
_SLOPED_LABELS = State(SLOPES, base=_PROVED_LABELS)
_CHOSEN = {"cv_errors_": "float[*]", "alpha_": "number", "best_score_": "number"}

STATES = {
    "NuProperty": State(
        dict.fromkeys(("margin_errors", "nu", "support_vectors"), "number | float[*]")
    ),
    "LaplaceMode": State(
        {
            "scores": "float[samples]",
            "weights": "float[samples]",
            "slopes": "float[samples]",
            "roots": "float[samples]",
            "factor": "none | float[samples, samples]",
            "evidence": "number",
            "certificate": "Certificate",
            "uncertainty": "number",
        }
    ),
    "SVC": State({"leave_one_out_bound_": "number"}, base=_PROVED_PAIRS),
    "NuSVC": State(
        {
            "equivalent_C_": "float[pairs] | float[0]",
            "nu_": "float[pairs] | float[0]",
            "nu_property_": "NuProperty",
        },
        base=_PROVED_PAIRS,
    ),
    "RampSVC": State(
        {"stationarity_": "Certificate", "objectives_": "float[*]"}, base=_PAIRS
    ),
    "SVR": _NUMBER,
    "NuSVR": State({"epsilon_": "number", "nu_property_": "NuProperty"}, base=_NUMBER),
    "GaussianProcessClassifier": State(
        {
            "X_train_": _THINGS,
            "codes_": "int[samples]",
            "_counts": "float[samples]",
            "kernels_": "tuple of text / Kernel / estimator",
            "modes_": "tuple of LaplaceMode",
            **_CLASSES,
            "n_classes_": "size classes",
        },
        also=(_check_members, _check_factors, _check_process),
    ),
    "GaussianProcessRegressor": State(
        {
            "X_train_": "finite[samples, *] | list[samples] of any",
            "_kept": "int[samples]",
            "y_train_": "float[samples] | float[samples, targets]",
            "_alphas": "float[samples]",
            "_counts": "float[samples]",
            "kernel_": "text | Kernel | estimator",
            "L_": "none | float[samples, samples]",
            "alpha_": "float[samples] | float[samples, targets]",
            "log_marginal_likelihood_value_": "number",
            "log_marginal_likelihood_error_": "number",
            **PROOF,
            "_train_mean": "number | float[targets] | float[]",
            "_train_scale": "number | float[targets] | float[]",
        },
        also=(_check_factors, _check_process),
    ),
    "KernelFisherDiscriminant": State(
        {
            "priors_": "float[classes]",
            "separations_": "float[directions]",
            "_n_features_out": "size directions",
            "directions_": "float[directions, samples]",
        },
        base=_LABELS,
    ),
    "KernelKMeans": State(
        {
            "X_fit_": f"{_THINGS} | none",
            "labels_": "int[samples]",
            "objectives_": "float[*]",
            "inertia_": "number",
            "n_iter_": "count",
            "dual_coef_": "float[clusters, samples]",
            "intercept_": "float[clusters]",
        },
        also=check_given,
    ),
    "KernelLogisticRegression": _SLOPED_LABELS,
    "KernelMeanClassifier": _LABELS,
    "KernelPerceptron": State(
        {
            "updates_": "list[scores] of int[*]",
            "n_iter_": "count",
            "separated_": "flag",
        },
        base=_LABELS,
    ),
    "KernelQuantileRegressor": _RISK,
    "KernelRegressor": _RISK,
    "KernelRidge": _NUMBERS,
    "KernelRidgeCV": State(_CHOSEN, base=_NUMBERS),
    "KernelRidgeClassifier": _PROVED_LABELS,
    "KernelRidgeClassifierCV": State(_CHOSEN, base=_PROVED_LABELS),
    "MulticlassSVC": _SLOPED_LABELS,
    "MultipleKernelLearner": State(
        {
            "weights_": "float[*]",
            **PROOF,
            "kernel_": "ConicCombination",
            "machine_": "RiskMinimizer",
            "classes_?": "label[*]",
        },
        also=_check_machine,
    ),
}
