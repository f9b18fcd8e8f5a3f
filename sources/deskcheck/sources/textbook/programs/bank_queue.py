"""Event-driven simulation of a bank: one queue, several tellers.

Input: the numbers of customers and of tellers, then for each customer, in the
order they come, the time of arrival and the time that service takes.
Output: the mean wait, how busy the tellers were until the last customer
left, and the longest queue.
"""

import heapq
import sys
from collections import deque
from fractions import Fraction

DEPARTURE, ARRIVAL = 0, 1  # at the same moment departures come first


def simulate(arrivals, services, tellers):
    """Total waiting time, time of the last departure, and longest queue."""
    events = [(arrivals[0], ARRIVAL, 0)]
    queue = deque()
    idle = tellers
    waited = longest = clock = 0
    while events:
        clock, kind, customer = heapq.heappop(events)
        if kind == DEPARTURE:
            idle += 1
        else:
            queue.append(customer)
            if customer + 1 < len(arrivals):
                heapq.heappush(events, (arrivals[customer + 1], ARRIVAL, customer + 1))
        if queue and idle > 0:
            served = queue.popleft()
            idle -= 1
            waited += clock - arrivals[served]
            heapq.heappush(events, (clock + services[served], DEPARTURE, served))
        longest = max(longest, len(queue))
    return waited, clock, longest


def main():
    count, tellers, *times = (int(token) for token in sys.stdin.read().split())
    arrivals = times[0::2]
    services = times[1::2]

    waited, closing, longest = simulate(arrivals, services, tellers)

    open_time = closing - arrivals[0]
    print("mean wait:", Fraction(waited, count))
    print("busy:", 100 * sum(services) // (tellers * open_time), "percent")
    print("longest queue:", longest)


if __name__ == "__main__":
    main()
