import sys
import threading


def main():
    n = int(sys.stdin.readline())
    total = 0
    for i in range(n):
        total += i * i
    print("sum", total)


sys.setrecursionlimit(10000)
threading.stack_size(16 * 1024 * 1024)
thread = threading.Thread(target=main)
thread.start()
thread.join()
