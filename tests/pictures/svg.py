#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""svg.py FILE: checks that it is a picture for all eyes, then prints its texts and, by class, how often each thing is drawn."""
import collections
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"

root = ET.parse(sys.argv[1]).getroot()
assert root.tag == SVG + "svg"
width, height = map(float, root.get("viewBox").split()[2:])
assert root.get("role") == "img"
ids = {e.get("id"): e for e in root.iter() if e.get("id")}
for name in root.get("aria-labelledby").split():
    assert ids[name].text.strip(), name
style = root.find(SVG + "style").text
assert "prefers-color-scheme:dark" in style and "url(" not in style and "@import" not in style
for e in root.iter():
    assert e.tag in {SVG + t for t in "svg title desc style g clipPath rect polyline polygon text".split()}, e.tag
    for point in (e.get("points") or "").split():
        x, y = map(float, point.split(","))
    if e.tag == SVG + "text":
        assert 0 <= float(e.get("x")) <= width and 0 <= float(e.get("y")) <= height
count = collections.Counter(e.get("class") for e in root.iter() if e.get("class"))
print(f"size {width:.0f} {height:.0f}")
for name, n in sorted(count.items()):
    print("class", name, n)
for e in root.iter(SVG + "text"):
    print("text", e.text)
