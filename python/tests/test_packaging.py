"""What tools/wheel_check.py says of a wheel, and the description that pyproject.toml makes of
README for the package index."""
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
METADATA = "Name: armilla-sht\nLicense-Expression: BSD-3-Clause AND Zlib\n\n"


def wheel_check():
    made = importlib.util.spec_from_file_location("wheel_check", ROOT / "tools" / "wheel_check.py")
    module = importlib.util.module_from_spec(made)
    made.loader.exec_module(module)
    return module


def complaints(description):
    files = {f"armilla/licenses/{name}.txt": b"" for name in ("cfitsio", "png", "zlib", "bz2")}
    files["armilla_sht-1.0.data/scripts/armilla"] = b"\x7fELF"
    files["armilla_sht-1.0.dist-info/METADATA"] = (METADATA + description).encode()
    return wheel_check().complaints("armilla_sht-1.0-cp39-abi3-linux_x86_64.whl", files, False)


def test_wheel_check_wants_links_in_full():
    whole = "See [there](https://example.org/a.md) and [below](#more), `map[2]`.\n"
    assert complaints(whole) == []
    for link in ("docs/site/index.md", "../LICENSE", "docs/figures/front.png"):
        found = complaints(f"{whole}![a](https://example.org/a.png) [here]({link})\n")
        assert found == [f"the description has a relative link, {link}"]
    found = complaints('<img alt="a" src="docs/a.png">')
    assert found == ["the description has a relative link, docs/a.png"]
    assert complaints("") == ["the metadata have no description"]


def test_description_has_links_in_full():
    tomllib = pytest.importorskip("tomllib")
    written = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "readme" in written["project"]["dynamic"]
    made = written["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    text = "".join((ROOT / part["path"]).read_text() for part in made["fragments"])
    assert wheel_check().relative_links(text)
    for one in made["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"], text)
    assert wheel_check().relative_links(text) == []
    home = written["project"]["urls"]["Homepage"]
    linked = re.findall(rf"\({home}/blob/main/([^)#]*)", text)
    assert "LICENSE" in linked and all((ROOT / path).exists() for path in linked)
    assert "![" not in text and "int main(void)" in text
