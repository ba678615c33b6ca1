"""Receipts: a result that names its files can be reproduced, by anybody, to the last digit."""
