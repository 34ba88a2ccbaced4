"""The page of questions: what each answer points to exists, and has the words that answer. The
page on trouble: messages that depend on what is installed are in the sources, since no program on
the page can show them; test_site_pages.py compares the others."""
import re

import pytest
from test_site_pages import SITE

ROW = re.compile(r"^\| (?P<question>.*?) \| (?P<answer>.*) \|$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https:)(?P<page>[^)#]+)(?:#(?P<anchor>[^)]+))?\)")
BOLD = re.compile(r"\*\*(?P<words>.+?)\*\*")


def plain(text):
    """A text as it is compared: without the marks of code, its spaces one by one, lower case."""
    return re.sub(r"\s+", " ", text.replace("`", "")).lower()


def anchors(text):
    """The anchors of a page's headings, as GitHub and the site make them."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def rows():
    found = ROW.findall((SITE / "questions.md").read_text())
    return [(q, a) for q, a in found if q != "question" and not set(q) <= set("-|")]


def test_there_are_twenty_with_their_sources():
    assert len(rows()) == 20
    for question, _ in rows():
        assert "](https://" in question, question


@pytest.mark.parametrize("question, answer", rows(), ids=[q.split(" (")[0][:40] for q, _ in rows()])
def test_answer_is_on_its_pages(question, answer):
    pages = {}
    for found in LINK.finditer(answer):
        pages[found["page"]] = (SITE / found["page"]).read_text()
        assert found["anchor"] is None or found["anchor"] in anchors(pages[found["page"]]), found
    words = [found["words"] for found in BOLD.finditer(question + answer)]
    assert pages and words
    for word in words:
        assert any(plain(word) in plain(text) for text in pages.values()), word


def leads_to(page):
    """The pages that a page's contents, cards and links lead to."""
    text = page.read_text()
    names = re.findall(r"^:link: (\S+)$|\]\(([^)#:]+)\.md", text, re.MULTILINE)
    found = [card or link for card, link in names]
    for contents in re.findall(r"^```{toctree}$(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        found += [line for line in contents.split() if not line.startswith(":")]
    return {path.resolve() for name in found for path in page.parent.glob(f"{name}.md")}


def test_page_is_two_clicks_from_home():
    once = leads_to(SITE / "index.md")
    assert SITE / "questions.md" in once.union(*map(leads_to, once))


def test_messages_of_installations_are_said():
    root = SITE.parents[1]
    paths = [*(root / "python" / "armilla").glob("*.py"), *(root / "src" / "cuda").rglob("*.c")]
    said = [re.sub(r'"\s*\n\s*"', "", path.read_text()) for path in paths]
    messages = re.findall(r"^- `([^`]+)`:", (SITE / "howto" / "trouble.md").read_text(), re.M)
    assert len(messages) == 2
    for message in messages:
        assert any(message in text for text in said), message
