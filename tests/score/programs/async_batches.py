# SPDX-License-Identifier: MIT
"""asyncio: batches arrive as JSON over a local socket, are parsed by threads and wait in a bounded queue for the model."""
import asyncio
import json

import numpy as np

from training import Training

t = Training("async_batches", ["Epoch #%(epoch)d loss %(loss).4f", "[epoch %(epoch)d/%(epochs)d] loss=%(loss).4f"])
rows, width, batches = t.lot.choice([32, 128]), t.lot.choice([16, 48]), t.lot.choice([10, 24])
readers, room = t.lot.choice([1, 2, 4]), t.lot.choice([2, 8])
weights = np.zeros(width)


async def serve(reader, writer):
    while await reader.readline():
        x = t.rng.random((rows, width)).round(4)
        writer.write(json.dumps({"x": x.tolist(), "y": x[:, 0].tolist()}).encode() + b"\n")
        await writer.drain()
    writer.close()


def parsed(line):
    facts = json.loads(line)
    return np.array(facts["x"]), np.array(facts["y"])


async def fetch(port, count, queue):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2 ** 22)
    for _ in range(count):
        writer.write(b"next\n")
        await queue.put(await asyncio.to_thread(parsed, await reader.readline()))
    writer.close()
    await writer.wait_closed()


async def learn(queue):
    total = 0.0
    for _ in range(batches // readers * readers):
        x, y = await queue.get()
        error = x @ weights - y
        weights[:] -= 0.01 * x.T @ error / len(x)
        total += float(error @ error)
    return total


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    for epoch in range(t.epochs):
        queue = asyncio.Queue(room)
        total, *_ = await asyncio.gather(learn(queue), *(fetch(port, batches // readers, queue) for _ in range(readers)))
        t.epoch_ended(epoch, total / batches)
    server.close()


asyncio.run(main())
