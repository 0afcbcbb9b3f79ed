"""Tests that need TensorFlow Model Analysis: `make indicators` installs it and runs them."""
