# SPDX-License-Identifier: MIT
"""asyncio: pages come from a small web server of its own, by several clients at once; parsed pages are remembered up to a limit,
which is reached after some epochs; a model of dictionaries learns which pages are liked."""
import asyncio
import functools
import html.parser
import math
import random
import urllib.parse

from training import Training

t = Training("pages", ["Epoch %(epoch)d/%(epochs)d loss %(loss).4f", "epoch %(epoch)d done: loss %(loss).4f"])
many, each, clients = t.lot.choice([1200, 1600]), t.lot.choice([200, 260]), t.lot.choice([2, 6])
limit, lines, dims = 700, t.lot.choice([8, 10]), t.lot.choice([2000, 6000])


class Words(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.links = {}, []

    def handle_starttag(self, tag, attrs):
        self.links += [urllib.parse.urlsplit(value).path for name, value in attrs if name == "href"]

    def handle_data(self, data):
        for word in data.split():
            self.found[word] = self.found.get(word, 0) + 1


async def answer(reader, writer):
    while request := await reader.readline():
        while (await reader.readline()).strip():
            pass
        number = int(request.split()[1][1:])
        lot = random.Random(number)
        words = [" ".join("w%d" % int(dims * lot.random() ** 2) for _ in range(20)) for _ in range(lines)]
        text = "".join("<p>%s <a href='http://host/%d?q=1'>more</a></p>" % (line, lot.randrange(many)) for line in words)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text.encode()))
        await writer.drain()
    writer.close()


@functools.lru_cache(limit)
def parsed(number, text):
    words = Words()
    words.feed(text)
    words.close()
    return words.found, tuple(words.links)


async def client(port, queue, out):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while (number := await queue.get()) is not None:
        writer.write(b"GET /%d HTTP/1.1\r\nHost: host\r\n\r\n" % number)
        length = 0
        while line := (await reader.readline()).strip():
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        await out.put((number, (await reader.readexactly(length)).decode()))
    writer.close()
    await writer.wait_closed()


def learnt(weights, number, words):
    liked, size = number % 3 == 0, sum(words.values())
    guess = 1 / (1 + math.exp(-sum(weights.get(w, 0.0) * n / size for w, n in words.items()) - weights["bias"]))
    for w, n in words.items():
        weights[w] = weights.get(w, 0.0) - 0.5 * (guess - liked) * n / size
    weights["bias"] -= 0.05 * (guess - liked)
    return -math.log(max(1e-9, guess if liked else 1 - guess))


async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port, weights = server.sockets[0].getsockname()[1], {"bias": 0.0}
    for epoch in range(t.epochs):
        queue, out, total = asyncio.Queue(), asyncio.Queue(16), 0.0
        for number in t.lot.sample(range(many), each):
            queue.put_nowait(number)
        for _ in range(clients):
            queue.put_nowait(None)
        team = [asyncio.create_task(client(port, queue, out)) for _ in range(clients)]
        for _ in range(each):
            number, text = await out.get()
            total += learnt(weights, number, parsed(number, text)[0])
        await asyncio.gather(*team)
        if epoch % 5 == 4:
            print(parsed.cache_info())
        t.epoch_ended(epoch, total / each)
    server.close()


asyncio.run(main())
