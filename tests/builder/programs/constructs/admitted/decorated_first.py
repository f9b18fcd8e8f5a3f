def logged(function):
    def wrapper(value):
        result = function(value)
        log[:] = [value, result]
        return result

    return wrapper


log = []
total = 0
n = int(input())
for i in range(n):
    @logged
    def square(x):
        return x * x
    total += square(i)
print(log, total)
