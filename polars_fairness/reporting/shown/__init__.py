"""An answer on its own, as a table or as charts."""
