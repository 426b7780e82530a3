"""Inference about laws: conjugate priors, MAP estimates, efficiency, decisions."""
