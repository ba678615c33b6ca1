"""The command line: `app` knows the commands; each is a module, which loads when it is called."""
