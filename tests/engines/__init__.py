"""The same question asked of other engines, started here."""
