"""Notes of a user, as HTML and as Markdown that hold no HTML, no image and no script of theirs.

Both are written from the parsed notes, so neither runs on into what follows the notes, as an
unfinished comment or block of code would.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

_LINKED: Final = ("http://", "https://", "mailto:")
_DEMOTED_BY: Final = 2
_DEEPEST: Final = 6

_SYNTAX: Final = re.compile(r"[\\`*_\[\]|~#!]")

# A dash, a plus, an equals sign or a number with a dot would begin a list or underline a heading.
_START_OF_LINE: Final = re.compile(r"^(\d*)([-+=.)])", re.MULTILINE)

# Spaces that come from entities, such as `&#10;`: as they are, they would end a line or emphasis.
_OTHER_SPACE: Final = re.compile(r"[^\S ]")
_SPACE_AT_AN_END: Final = re.compile(r"^ +| +$", re.MULTILINE)


class _Parser(MarkdownIt):
    """CommonMark in which HTML is text and an image is a link."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False})
        self.disable("image")

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the parser's own name
        return url.lower().startswith(_LINKED)


def notes_as_html(notes: str) -> str:
    """The notes as HTML, below a heading of level 2.

    Examples
    --------
    >>> from polars_fairness.reporting.outputs.notes import notes_as_html
    >>> print(notes_as_html("# Made <b>twice</b>"), end="")
    <h3>Made &lt;b&gt;twice&lt;/b&gt;</h3>
    """
    parser = _Parser()
    return str(parser.renderer.render(_parsed(notes, parser), parser.options, {}))


def notes_as_markdown(notes: str) -> str:
    """The notes as Markdown, below a heading of level 2.

    Examples
    --------
    >>> from polars_fairness.reporting.outputs.notes import notes_as_markdown
    >>> notes_as_markdown("# Made <b>twice</b>")
    '### Made &lt;b&gt;twice&lt;/b&gt;'
    """
    return _blocks(SyntaxTreeNode(_parsed(notes, _Parser())).children)


def _parsed(notes: str, parser: _Parser) -> list[Token]:
    """The notes as tokens, with headings of lower levels, and the targets of links as text."""
    tokens = parser.parse(notes)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + _DEMOTED_BY, _DEEPEST)}"
        if token.children:
            token.children = _with_targets(token.children)
    return tokens


def _with_targets(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a text, with the target of each link after it, unless the link shows it."""
    shown: list[Token] = []
    target = ""
    for token in tokens:
        shown.append(token)
        if token.type == "link_open":
            is_plain = token.markup == "autolink"
            target = "" if is_plain else f" ({token.attrs['href']})"
            token.attrs = {"href": token.attrs["href"], "rel": "nofollow noopener noreferrer"}
        elif token.type == "link_close" and target:
            shown.append(Token("text", "", 0, content=target))
    return shown


def _blocks(nodes: Sequence[SyntaxTreeNode]) -> str:
    return "\n\n".join(map(_block, nodes))


def _block(node: SyntaxTreeNode) -> str:
    if node.type in ("bullet_list", "ordered_list"):
        return _blocks(node.children)
    if node.type == "list_item":
        return _indented(_blocks(node.children), f"{node.info}{node.markup} ")
    if node.type == "blockquote":
        return "\n".join(f"> {line}" for line in _blocks(node.children).split("\n"))
    if node.type in ("fence", "code_block"):
        return _code(node.content)
    if node.type == "hr":
        return "___"  # which begins no list, as dashes would
    text = _START_OF_LINE.sub(r"\1\\\2", _SPACE_AT_AN_END.sub(_as_entities, _text(node.children)))
    if node.type == "heading":
        level = int(node.tag[1:])
        return f"{'#' * level} {' '.join(text.split())}"
    return text


def _indented(text: str, marker: str) -> str:
    first, *others = text.split("\n")
    indent = " " * len(marker)
    return "\n".join([marker + first, *(line and indent + line for line in others)])


def _code(content: str) -> str:
    runs = [len(run) for run in re.findall("`+", content)]
    fence = "`" * max([3, *(run + 1 for run in runs)])
    return "\n".join([fence, content.removesuffix("\n"), fence])


def _text(nodes: Sequence[SyntaxTreeNode]) -> str:
    return "".join(map(_written, nodes))


def _written(node: SyntaxTreeNode) -> str:
    if node.type == "text":
        text = _SYNTAX.sub(r"\\\g<0>", escape(node.content, quote=False))
        return _OTHER_SPACE.sub(_as_entities, text)
    if node.type == "code_inline":
        padding = " " if "`" in node.content else ""
        return f"{node.markup}{padding}{node.content}{padding}{node.markup}"
    if node.type == "softbreak":
        return "\n"
    if node.type == "hardbreak":
        return "\\\n"
    inner = _SPACE_AT_AN_END.sub(_as_entities, _text(node.children))
    if node.type == "link":
        return f"[{inner}](<{str(node.attrs['href']).replace('&', '&amp;')}>)"
    return f"{node.markup}{inner}{node.markup}"


def _as_entities(spaces: re.Match[str]) -> str:
    return "".join(f"&#{ord(space)};" for space in spaces[0])
