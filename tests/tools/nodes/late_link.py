"""A slow control link: passes data on after a delay, in order."""
import asyncio
import contextlib
import threading


class LateLink:
    """Passes TCP from a port of its own on 127.0.0.1 to `port`; each way takes `delay_s`. Lives in a thread."""

    def __init__(self, port, delay_s):
        self.target, self.delay_s = port, delay_s
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait()

    def _run(self, ready):
        async def serve():
            server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
        self.loop.create_task(serve())
        self.loop.run_forever()

    async def _accept(self, near_reader, near_writer):
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        await asyncio.gather(self._pass(near_reader, far_writer), self._pass(far_reader, near_writer))

    async def _pass(self, reader, writer):
        queue = asyncio.Queue()

        async def write():
            while True:
                due, data = await queue.get()
                await asyncio.sleep(max(0, due - self.loop.time()))
                if not data:
                    writer.close()
                    return
                writer.write(data)
        task = self.loop.create_task(write())
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                queue.put_nowait((self.loop.time() + self.delay_s, data))
        queue.put_nowait((self.loop.time() + self.delay_s, b""))
        with contextlib.suppress(ConnectionError):
            await task

    def stop(self):
        async def end():
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.loop.stop()
        asyncio.run_coroutine_threadsafe(end(), self.loop)
        self.thread.join()
