"""Regressors that resist outliers: Huber, quantile, SVR, RANSAC, Theil-Sen."""
