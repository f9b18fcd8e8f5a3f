import threading

n = int(input())
total = 0
for i in range(n):
    total += i * i
thread = threading.Thread(target=lambda: total // 0)
thread.start()
thread.join()
print(total)
