"""Pages of tables that a rule or a practice prescribes, for hiring and for lending."""
