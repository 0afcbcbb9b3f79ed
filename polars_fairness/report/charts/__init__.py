"""The charts of a report; altair is brought by the extra, and imported when one is drawn."""
