def main(n):
    total = 0
    try:
        total = 100
        if n > 3:
            return f"{total}"
    finally:
        for i in range(n):
            total += i * i
        print(total)
        results.append(total)
    return "short"


results = []
main(int(input()))
print(results[0], "after")
