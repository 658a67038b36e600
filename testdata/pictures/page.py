"""Turns a captured terminal screen, colours as escape sequences, into a page of HTML.

    page.py dark|light <screen >page.html     draws it on that background
    page.py size page.html                    prints the size of the window that shows all of it: WIDTH,HEIGHT
"""
import html
import re
import sys

GROUND = {"dark": ("#16181d", "#d6dae0"), "light": ("#fafafa", "#24292f")}
CELL, LINE, SIZE, EDGE = 9.632, 19, 16, 10  # of a character of DejaVu Sans Mono at that size, in pixels
NAMED = ["#000000", "#cd3131", "#0dbc79", "#c5a332", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
         "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"]


def of256(number):
    """Returns the colour of the 256 by its number."""
    if number < 16:
        return NAMED[number]
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return f"#{grey:02x}{grey:02x}{grey:02x}"
    steps, number = [0, 95, 135, 175, 215, 255], number - 16
    return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6], steps[number % 6])


def restyle(style, codes):
    """Returns the style after a sequence that sets colours."""
    style, codes = dict(style), list(codes)
    while codes:
        code = codes.pop(0)
        if code == 0:
            style = {}
        elif code in (1, 2, 3, 4, 7):
            style[code] = True
        elif code in (22, 23, 24, 27):
            for gone in {22: (1, 2), 23: (3,), 24: (4,), 27: (7,)}[code]:
                style.pop(gone, None)
        elif code in (38, 48):
            kind = codes.pop(0)
            colour = of256(codes.pop(0)) if kind == 5 else "#%02x%02x%02x" % (codes.pop(0), codes.pop(0), codes.pop(0))
            style["ink" if code == 38 else "back"] = colour
        elif code in (39, 49):
            style.pop("ink" if code == 39 else "back", None)
        else:
            for first, place, bright in ((30, "ink", 0), (40, "back", 0), (90, "ink", 8), (100, "back", 8)):
                if first <= code < first + 8:
                    style[place] = NAMED[code - first + bright]
    return style


def css(style, ground):
    """Writes a style for a span."""
    back, ink = style.get("back"), style.get("ink", ground[1])
    if style.get(7):
        back, ink = ink, back or ground[0]
    text = f"color:{ink};" + (f"background:{back};" if back else "")
    return text + ("font-weight:bold;" if style.get(1) else "") + ("text-decoration:underline;" if style.get(4) else "")


def draw(screen, ground):
    """Draws the lines of a screen."""
    style, lines = {}, []
    for line in screen.rstrip("\n").split("\n"):
        out = ""
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            sequence = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
            if sequence:
                style = restyle(style, [int(code or 0) for code in sequence.group(1).split(";")])
            elif part:
                out += f'<span style="{css(style, ground)}">{html.escape(part)}</span>'
        lines.append(out)
    return lines


def main():
    """Draws or measures."""
    if sys.argv[1] == "size":
        with open(sys.argv[2], encoding="utf-8") as page:
            print(re.search(r"size (\d+,\d+)", page.read()).group(1))
        return
    ground = GROUND[sys.argv[1]]
    screen = sys.stdin.buffer.read().decode("utf-8")
    lines = draw(screen, ground)
    columns = max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in screen.split("\n"))
    print(f"<!-- size {round(columns * CELL) + 2 * EDGE},{len(lines) * LINE + 2 * EDGE} -->")
    print(f'<meta charset="utf-8"><body style="margin:0;background:{ground[0]}"><pre style="margin:{EDGE}px;'
          f'font:{SIZE}px/{LINE}px \'DejaVu Sans Mono\',monospace;color:{ground[1]}">' + "\n".join(lines) + "</pre>")


main()
