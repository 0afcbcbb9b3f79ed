"""The same questions to other engines, started here."""
