"""Newton's method and L-BFGS: directions, line searches, preconditioners."""
