"""Random projections, and how many directions they need."""
