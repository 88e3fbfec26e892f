"""How fast the engines are, beside others: run from the root of a checkout, not installed."""
