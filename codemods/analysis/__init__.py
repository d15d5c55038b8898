"""What the program means: names, values, loops, and which functions XLA compiles.

Read in this order: `tree` and `scopes` (one module), `index` (a project), `values` and `evaluate`
(what an expression may be), `callers`, `roots` and `compiled` (who is compiled, and why), `linear`,
`loops`, `taint` and `arrays` (what the rules ask).
"""
