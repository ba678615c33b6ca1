"""Shared tasks: the manifest, all responses scored and ranked, tables, figures, pages, bundles."""
