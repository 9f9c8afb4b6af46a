"""Measures one sentence from node a to node b as described in libvqas/doc/protocol.md, without any code of VQAS."""
import asyncio
import json
import sys

import websockets


async def ask(node, request, method, **params):
    await node.send(json.dumps({"jsonrpc": "2.0", "id": request, "method": method, "params": params}))
    return (await told(node, lambda message: message.get("id") == request))["result"]


async def told(node, fits):
    while not fits(message := json.loads(await node.recv())):
        pass
    return message


async def measure(address_a, address_b, stimulus):
    async with websockets.connect(address_a) as a, websockets.connect(address_b) as b:
        for node in (a, b):
            assert (await ask(node, 1, "node.hello"))["protocol"] == 3
            await ask(node, 2, "session.open", protocol=3, holder="python", session="p-1", run_id=1, stimuli=[stimulus])
        await ask(a, 3, "round.run", number=1, send=[{"stimulus": stimulus, "sequence": 1}], expect=[])
        await ask(b, 3, "round.run", number=1, send=[], expect=[{"stimulus": stimulus, "sequence": 1, "within_s": 15}])
        measured = (await told(b, lambda message: message.get("method") == "measurement"))["params"]
        recording = await ask(b, 4, "recording.get", name=measured["recording"])
        print(measured["outcome"], measured["mos_lqo"], len(recording["base64"]))


asyncio.run(measure(*sys.argv[1:4]))
