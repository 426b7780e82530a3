"""Linear classifiers: logistic, probit, support vectors, ordered classes, centroids."""
