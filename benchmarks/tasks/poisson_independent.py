"""The Poisson model where L-BFGS has it easiest: independent features."""

from benchmarks.tasks.poisson import PoissonGLM

TASK = PoissonGLM("independent features", 0.0)
