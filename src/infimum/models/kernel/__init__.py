"""Kernel machines: functions learnt as weighted sums of similarities to the samples."""

from infimum.models.kernel.aligned_kernel import aligned_kernel
from infimum.models.kernel.kernel_fisher_discriminant import KernelFisherDiscriminant
from infimum.models.kernel.kernel_k_means import KernelKMeans
from infimum.models.kernel.kernel_logistic_regression import KernelLogisticRegression
from infimum.models.kernel.kernel_mean_classifier import KernelMeanClassifier
from infimum.models.kernel.kernel_perceptron import KernelPerceptron, mistake_bound
from infimum.models.kernel.kernel_quantile_regressor import KernelQuantileRegressor
from infimum.models.kernel.kernel_regressor import KernelRegressor
from infimum.models.kernel.kernel_ridges.kernel_ridge import KernelRidge
from infimum.models.kernel.kernel_ridges.kernel_ridge_classifier import (
    KernelRidgeClassifier,
)
from infimum.models.kernel.kernel_ridges.kernel_ridge_classifier_cv import (
    KernelRidgeClassifierCV,
)
from infimum.models.kernel.kernel_ridges.kernel_ridge_cv import KernelRidgeCV
from infimum.models.kernel.kernel_ridges.kernel_ridge_path import KernelRidgePath
from infimum.models.kernel.multiple_kernel_learner import MultipleKernelLearner
from infimum.models.kernel.processes._laplace import LaplaceMode
from infimum.models.kernel.processes.gaussian_process_classifier import (
    GaussianProcessClassifier,
)
from infimum.models.kernel.processes.gaussian_process_regressor import (
    GaussianProcessRegressor,
)
from infimum.models.kernel.support_vectors.multiclass_svc import MulticlassSVC
from infimum.models.kernel.support_vectors.nu_property import NuProperty
from infimum.models.kernel.support_vectors.nu_svc import NuSVC
from infimum.models.kernel.support_vectors.nu_svr import NuSVR
from infimum.models.kernel.support_vectors.ramp_svc import RampSVC
from infimum.models.kernel.support_vectors.svc import SVC
from infimum.models.kernel.support_vectors.svr import SVR

__all__ = [
    "SVC",
    "SVR",
    "GaussianProcessClassifier",
    "GaussianProcessRegressor",
    "KernelFisherDiscriminant",
    "KernelKMeans",
    "KernelLogisticRegression",
    "KernelMeanClassifier",
    "KernelPerceptron",
    "KernelQuantileRegressor",
    "KernelRegressor",
    "KernelRidge",
    "KernelRidgeCV",
    "KernelRidgeClassifier",
    "KernelRidgeClassifierCV",
    "KernelRidgePath",
    "LaplaceMode",
    "MulticlassSVC",
    "MultipleKernelLearner",
    "NuProperty",
    "NuSVC",
    "NuSVR",
    "RampSVC",
    "aligned_kernel",
    "mistake_bound",
]
