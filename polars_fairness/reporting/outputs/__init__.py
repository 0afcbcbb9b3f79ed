"""A document as a page, a PDF, Markdown, a model card, records or a dictionary."""
