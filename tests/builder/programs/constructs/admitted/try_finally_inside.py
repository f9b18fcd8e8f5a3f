n = int(input())
good, bad, always = 0, [], 0
for i in range(n):
    try:
        1 // (i % 3)
    except ZeroDivisionError as error:
        bad.append(i)
    else:
        good += i
    finally:
        always += i
print(good, bad, always)
