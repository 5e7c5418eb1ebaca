#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""screen.py TITLE <CAPTURE >FILE.svg: what `tmux capture-pane -ep` printed as a picture, with its colours."""
import html
import re
import sys

PX, LINE, SIZE = 7.9, 15, 13
# Of a dark terminal: black, red, green, yellow, blue, magenta, cyan, white; told apart by colour-blind eyes.
COLOURS = ["#59636e", "#ff8b4a", "#3fcf9e", "#f0b429", "#5ab4ef", "#b9a3f2", "#56c7d6", "#e8ecf0"]
GROUND, TEXT = "#0f1419", "#e8ecf0"


class Pen:
    def __init__(self):
        self.take([0])

    def take(self, codes):
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.colour, self.ground, self.bold, self.dim, self.turned = TEXT, None, False, False, False
            elif code in (1, 2, 7):
                setattr(self, {1: "bold", 2: "dim", 7: "turned"}[code], True)
            elif code == 22:
                self.bold = self.dim = False
            elif code == 27:
                self.turned = False
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.colour = COLOURS[code % 10]
            elif code == 39:
                self.colour = TEXT
            elif 40 <= code <= 47:
                self.ground = COLOURS[code % 10]
            elif code == 49:
                self.ground = None
            elif code in (38, 48):
                del codes[: 2 if codes[:1] == [5] else 4]

    def style(self):
        colour, ground = (self.ground or GROUND, self.colour) if self.turned else (self.colour, self.ground)
        weight = ' font-weight="700"' if self.bold else ""
        dim = ' opacity="0.6"' if self.dim else ""
        return f'fill="{colour}"{weight}{dim}', ground


def pieces(line, pen):
    """(column, text, style, ground) of each run of letters that look alike."""
    column = 0
    for escape, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
        if text:
            yield column, text, *pen.style()
            column += len(text)
        else:
            pen.take([int(c or 0) for c in escape.split(";")])


def main():
    title = html.escape(sys.argv[1])
    lines = sys.stdin.read().rstrip("\n").split("\n")
    pen, body, widest = Pen(), [], 0
    for row, line in enumerate(lines):
        for column, text, style, ground in pieces(line, pen):
            x, y = 16 + PX * column, 30 + LINE * row
            widest = max(widest, column + len(text))
            if ground:
                body.append(f'<rect x="{x:.1f}" y="{y - 13}" width="{PX * len(text):.1f}" height="{LINE}" fill="{ground}"/>')
            if text.strip():
                body.append(f'<text x="{x:.1f}" y="{y}" {style} textLength="{PX * len(text):.1f}" xml:space="preserve">{html.escape(text)}</text>')
    width, height = 32 + PX * widest, 32 + LINE * len(lines)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" role="img" aria-label="{title}">')
    print(f"<title>{title}</title>")
    print(f'<rect width="100%" height="100%" rx="6" fill="{GROUND}"/>')
    print(f'<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="{SIZE}" lengthAdjust="spacingAndGlyphs">')
    print("\n".join(body))
    print("</g>\n</svg>")


main()
