"""Boosting: AdaBoost, gradient boosting, and histogram boosting."""
