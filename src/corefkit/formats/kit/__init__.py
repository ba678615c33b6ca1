"""What formats share: files, detection, building, conversion, characters and tokens."""
