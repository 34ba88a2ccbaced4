"""The command as `python -m armilla`: the program in C, its output and its exit codes."""
import subprocess
import sys

import armilla
import pytest


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "armilla", *arguments], capture_output=True,
                          text=True, check=False)


def test_version_is_that_of_the_package():
    result = run("--version")
    assert result.returncode == 0 and armilla.__version__ in result.stdout


@pytest.mark.parametrize("arguments", [("no-such-command",), ("info", "--no-such-option")])
def test_exit_code_of_bad_usage_comes_through(arguments):
    result = run(*arguments)
    assert result.returncode == 2 and result.stderr.startswith("armilla")
