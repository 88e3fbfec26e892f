"""The loops over episodes: what single and vector environments run."""
