"""tests/peers/run.py tells failures that nobody expects, and passes that nobody expects."""
import importlib.util
import pathlib

import pytest

HERE = pathlib.Path(__file__).resolve().parents[2] / "tests" / "peers"


@pytest.fixture
def run():
    spec = importlib.util.spec_from_file_location("peers_run", HERE / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_known_failure_has_a_test_and_a_reason(run):
    names = {peer.name for peer in run.PEERS}
    for pattern, reason in run.known_failures():
        assert pattern.count("/") == 2 and pattern.split("/")[0] in names and len(reason) > 10


REPORT = """<testsuites><testsuite>
<testcase classname="tests.test_a.TestB" name="test_c" file="tests/test_a.py"/>
<testcase classname="tests.test_a" name="test_d[1-x]" file="tests/test_a.py"><failure/></testcase>
<testcase classname="tests.test_a" name="test_e" file="tests/test_a.py"><skipped/></testcase>
<testcase classname="" name="tests.test_f"><error/></testcase>
</testsuite></testsuites>"""


@pytest.mark.parametrize("listed, told", [
    (["test_a.py/test_d[1-x]", "test_f.py/tests.test_f"], []),
    (["test_a.py/test_d*", "test_f.py/*", "test_a.py/test_e"], []),
    (["test_a.py/test_d[1-x]"],
     ["fails, and is not in known_failures.txt: pixell/test_f.py/tests.test_f"]),
    (["test_a.py/test_d*", "test_f.py/*", "test_a.py/TestB.test_c", "test_z.py/test_not_run"],
     ["passes, or is gone, but is in known_failures.txt: pixell/test_a.py/TestB.test_c"])])
def test_surprises(run, monkeypatch, tmp_path, listed, told):
    (tmp_path / "results.xml").write_text(REPORT)
    (tmp_path / "known_failures.txt").write_text(
        "# PACKAGE/FILE/TEST  reason\n\n" + "".join(f"pixell/{line}  why\n" for line in listed))
    monkeypatch.setattr(run, "HERE", tmp_path)
    peer = next(peer for peer in run.PEERS if peer.name == "pixell")
    counts = run.results(peer, tmp_path)
    assert counts[("pixell", "test_a.py")] == {
        "passed": ["TestB.test_c"], "failed": ["test_d[1-x]"], "skipped": ["test_e"]}
    assert run.surprises(counts) == told
    assert "| pixell | 0.32.9 | test_a.py | 1 | 1 | 1 |" in run.table(counts)
