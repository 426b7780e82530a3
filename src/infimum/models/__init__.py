"""Models: the estimators, by family, in scikit-learn's protocol."""
