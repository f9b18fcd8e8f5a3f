def main(n):
    even = 0
    visits = 0
    for i in range(10 * n):
        try:
            if i % 2:
                if i >= n:
                    break
                continue
            even += i
            if i == n:
                break
        finally:
            visits += 1
    return f"even {even} {visits}"


print(main(int(input())))
