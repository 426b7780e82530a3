"""Generalised linear models: Poisson, gamma, Tweedie, and variances that are learnt."""
