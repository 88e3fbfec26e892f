"""The paper on Skyscraper: its genetic algorithm and its tables."""
