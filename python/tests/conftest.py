"""Counts calls of armilla.healpy; the test that looks at the count comes last."""
import pathlib

import called_names

LAST = "test_every_public_name_is_called"


def pytest_configure(config):
    called_names.watch()


def pytest_collection_modifyitems(session, config, items):
    """The last test needs all the others of armilla.healpy: without them it is left out."""
    here = {path.name for path in pathlib.Path(__file__).parent.glob("test_healpy*.py")}
    is_whole = (here <= {item.path.name for item in items} and not config.option.keyword
                and not config.option.markexpr and not any("::" in arg for arg in config.args))
    last = [item for item in items if item.name == LAST]
    items[:] = [item for item in items if item.name != LAST] + (last if is_whole else [])
