def builtin_sorted():
    return "sorted"


sorted = next = None
body_visits = loop_ends = stop_here = write_bytes = dumps = 1
count = int(input())
visit_count = 0
state_json = set()
stop_with = 0
for state in range(count):
    visit_count += state * state
    state_json.add(state * state % 101)
    stop_with = state % 7 * 100 + state
print(visit_count, len(state_json), stop_with, builtin_sorted())
