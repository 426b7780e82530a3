"""Linear models as scikit-learn estimators; the convex ones carry a certificate."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand
from infimum.moved import found_elsewhere

if TYPE_CHECKING:
    from infimum.models.linear._greedy_pursuit import ColumnFits, column_fits
    from infimum.models.linear.ard_regression import ARDRegression
    from infimum.models.linear.bayesian_ridge import BayesianRidge
    from infimum.models.linear.best_subset import BestSubsetRegressor
    from infimum.models.linear.coefficient_table import (
        CoefficientTable,
        coefficient_table,
    )
    from infimum.models.linear.counted_rows import counted_rows
    from infimum.models.linear.elastic_net import ElasticNet
    from infimum.models.linear.elastic_net_cv import ElasticNetCV
    from infimum.models.linear.enet_path import enet_path, lasso_path
    from infimum.models.linear.gamma_regressor import GammaRegressor
    from infimum.models.linear.group_lasso_classifier import GroupLassoClassifier
    from infimum.models.linear.group_lasso_regressor import GroupLassoRegressor
    from infimum.models.linear.heteroscedastic_regressor import HeteroscedasticRegressor
    from infimum.models.linear.huber_regressor import HuberRegressor
    from infimum.models.linear.l1_min_c import l1_min_c
    from infimum.models.linear.lars import Lars
    from infimum.models.linear.lars_cv import LarsCV
    from infimum.models.linear.lars_path import lars_path, lars_path_gram
    from infimum.models.linear.lasso import Lasso
    from infimum.models.linear.lasso_cv import LassoCV
    from infimum.models.linear.lasso_homotopy import LassoPath, lasso_homotopy
    from infimum.models.linear.lasso_lars import LassoLars
    from infimum.models.linear.lasso_lars_cv import LassoLarsCV
    from infimum.models.linear.lasso_lars_ic import LassoLarsIC
    from infimum.models.linear.least_squares import LinearRegression
    from infimum.models.linear.linear_svc import LinearSVC
    from infimum.models.linear.linear_svr import LinearSVR
    from infimum.models.linear.logistic_regression import LogisticRegression
    from infimum.models.linear.logistic_regression_cv import LogisticRegressionCV
    from infimum.models.linear.matching_pursuit import MatchingPursuit
    from infimum.models.linear.multi_task_elastic_net import MultiTaskElasticNet
    from infimum.models.linear.multi_task_elastic_net_cv import MultiTaskElasticNetCV
    from infimum.models.linear.multi_task_lasso import MultiTaskLasso
    from infimum.models.linear.multi_task_lasso_cv import MultiTaskLassoCV
    from infimum.models.linear.nearest_centroid import NearestCentroid
    from infimum.models.linear.ordinal_logistic_regression import (
        OrdinalLogisticRegression,
    )
    from infimum.models.linear.orthogonal_matching_pursuit import (
        OrthogonalMatchingPursuit,
    )
    from infimum.models.linear.orthogonal_matching_pursuit_cv import (
        OrthogonalMatchingPursuitCV,
    )
    from infimum.models.linear.orthogonal_mp import orthogonal_mp, orthogonal_mp_gram
    from infimum.models.linear.poisson_regressor import PoissonRegressor
    from infimum.models.linear.probit_regression import ProbitRegression
    from infimum.models.linear.quantile_regressor import QuantileRegressor
    from infimum.models.linear.ransac_regressor import RANSACRegressor
    from infimum.models.linear.regularization_path import (
        RegularizationPath,
        regularization_path,
    )
    from infimum.models.linear.ridge import Ridge
    from infimum.models.linear.ridge_classifier import RidgeClassifier
    from infimum.models.linear.ridge_classifier_cv import RidgeClassifierCV
    from infimum.models.linear.ridge_cv import RidgeCV
    from infimum.models.linear.ridge_path import RidgePath, ridge_path
    from infimum.models.linear.ridge_regression import ridge_regression
    from infimum.models.linear.ridge_spectrum import RidgeSpectrum
    from infimum.models.linear.risk_minimizer import RiskMinimizer
    from infimum.models.linear.theil_sen_regressor import TheilSenRegressor
    from infimum.models.linear.tweedie_regressor import TweedieRegressor


__all__ = [
    "ARDRegression",
    "BayesianRidge",
    "BestSubsetRegressor",
    "CoefficientTable",
    "ColumnFits",
    "ElasticNet",
    "ElasticNetCV",
    "GammaRegressor",
    "GroupLassoClassifier",
    "GroupLassoRegressor",
    "HeteroscedasticRegressor",
    "HuberRegressor",
    "Lars",
    "LarsCV",
    "Lasso",
    "LassoCV",
    "LassoLars",
    "LassoLarsCV",
    "LassoLarsIC",
    "LassoPath",
    "LinearRegression",
    "LinearSVC",
    "LinearSVR",
    "LogisticRegression",
    "LogisticRegressionCV",
    "MatchingPursuit",
    "MultiTaskElasticNet",
    "MultiTaskElasticNetCV",
    "MultiTaskLasso",
    "MultiTaskLassoCV",
    "NearestCentroid",
    "OrdinalLogisticRegression",
    "OrthogonalMatchingPursuit",
    "OrthogonalMatchingPursuitCV",
    "PoissonRegressor",
    "ProbitRegression",
    "QuantileRegressor",
    "RANSACRegressor",
    "RegularizationPath",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "RidgePath",
    "RidgeSpectrum",
    "RiskMinimizer",
    "TheilSenRegressor",
    "TweedieRegressor",
    "coefficient_table",
    "column_fits",
    "counted_rows",
    "enet_path",
    "l1_min_c",
    "lars_path",
    "lars_path_gram",
    "lasso_homotopy",
    "lasso_path",
    "orthogonal_mp",
    "orthogonal_mp_gram",
    "regularization_path",
    "ridge_path",
    "ridge_regression",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__, found_elsewhere(__name__))
