def look(n):
    at = 0
    seen = 0
    while at < n:
        if at * at > 10000:
            return "gave up"
        seen += at * at
        at += 1
    else:
        seen = -seen
    return f"seen {seen} up to {at}"


print(look(int(input())))
