"""The groups that several attributes define, from the cells of all of them."""
