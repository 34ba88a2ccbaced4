"""Counts calls of armilla.healpy; the test that looks at the count comes last. Says which tests run
in the same process where there are several."""
import pathlib

import called_names
import pytest

LAST = "test_every_public_name_is_called"


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: measures time; no other test runs beside it")
    called_names.watch()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With several processes (pytest-xdist) a file runs in one of them, which makes its plans and
    judges once, and all files of armilla.healpy run in the same one, which counts calls."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduler(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.split("::")[0]
            return "healpy" if "/test_healpy" in file else file

    return Scheduler(config, log)


def pytest_collection_modifyitems(session, config, items):
    """The last test needs all the others of armilla.healpy: without them it is left out."""
    here = {path.name for path in pathlib.Path(__file__).parent.glob("test_healpy*.py")}
    is_whole = (here <= {item.path.name for item in items} and not config.option.keyword
                and config.option.markexpr in ("", "not alone")
                and not any("::" in arg for arg in config.args))
    last = [item for item in items if item.name == LAST]
    items[:] = [item for item in items if item.name != LAST] + (last if is_whole else [])
