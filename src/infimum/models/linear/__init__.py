"""Linear models as scikit-learn estimators; the convex ones carry a certificate."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand
from infimum.moved import found_elsewhere

if TYPE_CHECKING:
    from infimum.models.linear.classification.l1_min_c import l1_min_c
    from infimum.models.linear.classification.linear_svc import LinearSVC
    from infimum.models.linear.classification.logistic_regression import (
        LogisticRegression,
    )
    from infimum.models.linear.classification.logistic_regression_cv import (
        LogisticRegressionCV,
    )
    from infimum.models.linear.classification.nearest_centroid import NearestCentroid
    from infimum.models.linear.classification.ordinal_logistic_regression import (
        OrdinalLogisticRegression,
    )
    from infimum.models.linear.classification.probit_regression import ProbitRegression
    from infimum.models.linear.closed_form.ard_regression import ARDRegression
    from infimum.models.linear.closed_form.bayesian_ridge import BayesianRidge
    from infimum.models.linear.closed_form.least_squares import LinearRegression
    from infimum.models.linear.closed_form.ridge import Ridge
    from infimum.models.linear.closed_form.ridge_classifier import RidgeClassifier
    from infimum.models.linear.closed_form.ridge_classifier_cv import RidgeClassifierCV
    from infimum.models.linear.closed_form.ridge_cv import RidgeCV
    from infimum.models.linear.closed_form.ridge_path import RidgePath, ridge_path
    from infimum.models.linear.closed_form.ridge_regression import ridge_regression
    from infimum.models.linear.closed_form.ridge_spectrum import RidgeSpectrum
    from infimum.models.linear.coefficient_table import (
        CoefficientTable,
        coefficient_table,
    )
    from infimum.models.linear.counted_rows import counted_rows
    from infimum.models.linear.generalized.gamma_regressor import GammaRegressor
    from infimum.models.linear.generalized.heteroscedastic_regressor import (
        HeteroscedasticRegressor,
    )
    from infimum.models.linear.generalized.poisson_regressor import PoissonRegressor
    from infimum.models.linear.generalized.tweedie_regressor import TweedieRegressor
    from infimum.models.linear.greedy._greedy_pursuit import ColumnFits, column_fits
    from infimum.models.linear.greedy.best_subset import BestSubsetRegressor
    from infimum.models.linear.greedy.lars import Lars
    from infimum.models.linear.greedy.lars_cv import LarsCV
    from infimum.models.linear.greedy.lars_path import lars_path, lars_path_gram
    from infimum.models.linear.greedy.lasso_homotopy import LassoPath, lasso_homotopy
    from infimum.models.linear.greedy.lasso_lars import LassoLars
    from infimum.models.linear.greedy.lasso_lars_cv import LassoLarsCV
    from infimum.models.linear.greedy.lasso_lars_ic import LassoLarsIC
    from infimum.models.linear.greedy.matching_pursuit import MatchingPursuit
    from infimum.models.linear.greedy.orthogonal_matching_pursuit import (
        OrthogonalMatchingPursuit,
    )
    from infimum.models.linear.greedy.orthogonal_matching_pursuit_cv import (
        OrthogonalMatchingPursuitCV,
    )
    from infimum.models.linear.greedy.orthogonal_mp import (
        orthogonal_mp,
        orthogonal_mp_gram,
    )
    from infimum.models.linear.lassos.elastic_net import ElasticNet
    from infimum.models.linear.lassos.elastic_net_cv import ElasticNetCV
    from infimum.models.linear.lassos.enet_path import enet_path, lasso_path
    from infimum.models.linear.lassos.group_lasso_classifier import GroupLassoClassifier
    from infimum.models.linear.lassos.group_lasso_regressor import GroupLassoRegressor
    from infimum.models.linear.lassos.lasso import Lasso
    from infimum.models.linear.lassos.lasso_cv import LassoCV
    from infimum.models.linear.lassos.multi_task_elastic_net import MultiTaskElasticNet
    from infimum.models.linear.lassos.multi_task_elastic_net_cv import (
        MultiTaskElasticNetCV,
    )
    from infimum.models.linear.lassos.multi_task_lasso import MultiTaskLasso
    from infimum.models.linear.lassos.multi_task_lasso_cv import MultiTaskLassoCV
    from infimum.models.linear.regularization_path import (
        RegularizationPath,
        regularization_path,
    )
    from infimum.models.linear.risk_minimizer import RiskMinimizer
    from infimum.models.linear.robust.huber_regressor import HuberRegressor
    from infimum.models.linear.robust.linear_svr import LinearSVR
    from infimum.models.linear.robust.quantile_regressor import QuantileRegressor
    from infimum.models.linear.robust.ransac_regressor import RANSACRegressor
    from infimum.models.linear.robust.theil_sen_regressor import TheilSenRegressor


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
