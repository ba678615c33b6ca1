"""Pages: self-contained HTML files, made of scripts and styles that stand here as files."""
