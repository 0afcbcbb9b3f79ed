"""What a person looks at: an audit as a page, as Markdown and as a dictionary."""
