"""healpy.utils: empty, as in healpy."""
