"""Committees of any estimators: bagging, stacking and voting."""
