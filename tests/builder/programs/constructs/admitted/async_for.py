import asyncio


class Door:
    async def __aenter__(self):
        await asyncio.sleep(0)

    async def __aexit__(self, *_):
        return False


async def square(i):
    await asyncio.sleep(0)
    return i * i


async def main(n):
    total = 0
    async with Door():
        async for i in ticks(n):
            total += await square(i)
    print("sum", total)


async def ticks(n):
    for i in range(n):
        yield i


asyncio.run(main(int(input())))
