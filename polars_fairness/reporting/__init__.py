"""Reports: an audit as a page, as Markdown and as a dictionary, with its tables and charts."""
