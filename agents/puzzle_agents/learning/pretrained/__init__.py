"""The models that come with the package."""
