import asyncio


async def work(n, factor):
    mine = 0
    for i in range(n):
        mine += factor * i * i
        await asyncio.sleep(0)
    return mine


async def main(n):
    return await asyncio.gather(work(n, 1), work(n, 2))


print(asyncio.run(main(int(input()))))
