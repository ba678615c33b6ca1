"""Shared tasks: what was published about them, and what a campaign needs."""
