# Tries: raises its own limits
# Comes to: refused on sight; the hard ones hold
# Verdict: source/depends_on_its_surroundings
# Forbidden: raised
import resource
for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
    try:
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print("raised", kind)
    except (ValueError, OSError):
        print("refused")
n = int(input())
total = 0
for k in range(n):
    total = (total * 7 + k) % 1009
print(total)
while True:
    pass
