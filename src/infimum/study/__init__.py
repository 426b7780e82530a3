"""The study: what one computes to learn or to teach, one shelf a topic.

No model, solver or command needs anything here. The study may import every room; no
room imports the study.

- `convexity`: convex sets and functions, duality, and plain descent on functions.
- `matrices`: linear algebra with evidence: ranks, spectra, projections, norms.
- `solvers`: solvers that neither `choose` nor a model takes, their rates and traces.
- `features`: words, images, purchases, graphs and bases as vectors.
- `completion`: when a matrix can be completed: coherence, sample sizes, experiments.
- `sensing`: theorems of compressed sensing, sampling, the single-pixel camera.
- `graphs`: families of graphs, cuts by enumeration, Cheeger's inequality.
- `probability`: conjugate and gridded posteriors, joint tables, conditional families.
- `estimation`: the James–Stein estimator.
- `networks`: networks whose error or optimum is known.
- `reviewing`: how many reviewers a conference needs.
"""
