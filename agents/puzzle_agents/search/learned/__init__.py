"""Search that learns: policies of table entries, Levin tree search and PHS*, bootstrapping."""
