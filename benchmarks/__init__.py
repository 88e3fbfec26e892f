"""Speed of the engines compared with others: run from the root of a checkout, not installed."""
