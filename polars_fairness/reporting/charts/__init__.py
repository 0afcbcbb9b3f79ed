"""The charts of a report and of answers, described for Vega-Lite."""
