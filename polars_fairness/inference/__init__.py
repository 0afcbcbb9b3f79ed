"""How sure a number is: intervals and p-values."""
