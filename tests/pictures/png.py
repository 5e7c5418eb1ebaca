#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""png.py FILE: width and height of an image without alpha, then its colours, the most frequent first."""
import collections
import struct
import sys
import zlib


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        crc = struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0]
        assert crc == zlib.crc32(kind + body), kind
        yield kind, body
        at += 12 + size


def paeth(left, above, corner):
    distances = [abs(left + above - corner - v) for v in (left, above, corner)]
    return (left, above, corner)[distances.index(min(distances))]


def unfiltered(raw, width):
    """Lines of RGB bytes, as section 9 of the PNG specification says."""
    step, line = 3, bytes(3 * width)
    for at in range(0, len(raw), 1 + 3 * width):
        how, now = raw[at], bytearray(raw[at + 1 : at + 1 + 3 * width])
        for i in range(len(now) if how else 0):
            left, corner = (now[i - step], line[i - step]) if i >= step else (0, 0)
            now[i] = now[i] + (0, left, line[i], (left + line[i]) // 2, paeth(left, line[i], corner))[how] & 255
        line = now
        yield bytes(line)


def main():
    found = collections.defaultdict(bytes)
    with open(sys.argv[1], "rb") as f:
        for kind, body in chunks(f.read()):
            found[kind] += body
    width, height, depth, colours = struct.unpack(">IIBB", found[b"IHDR"][:10])
    assert (depth, colours) == (8, 2)
    count = collections.Counter()
    for line in list(unfiltered(zlib.decompress(found[b"IDAT"]), width)):
        count.update(line[i : i + 3].hex() for i in range(0, len(line), 3))
    print(width, height)
    for colour, _ in count.most_common(40):
        print(colour)


main()
