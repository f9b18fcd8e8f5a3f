"""Primes below a bound, by striking out multiples."""


def sieve(bound: int) -> int:
    prime = [True] * (bound + 1)
    prime[0] = prime[1] = False
    i = 2
    while i * i <= bound:
        if prime[i]:
            j = i * i
            while j <= bound:
                prime[j] = False
                j += i
        i += 1
    count = 0
    for flag in prime:
        if flag:
            count += 1
    return count


print(sieve(3_000_000))
