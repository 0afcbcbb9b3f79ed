"""A page on which a person moves the threshold."""
