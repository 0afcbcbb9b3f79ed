"""The questions that a user asks, one function each."""
