"""One module per rule, named after the problem it finds. `codemods.registry` lists them."""
