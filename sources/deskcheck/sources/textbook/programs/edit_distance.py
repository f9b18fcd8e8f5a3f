"""Edit distance (Levenshtein): the fewest insertions, deletions and substitutions between words.

Input: two words, one on each line.
Output: their distance, their similarity in per cent, and the prefix of the second word that is
nearest to the whole first word (the shortest such prefix).
"""

import sys


def distances_to_prefixes(source, target):
    """Distances from all of `source` to every prefix of `target`, the empty one first."""
    previous = list(range(len(target) + 1))
    for i, letter in enumerate(source, start=1):
        current = [i]
        for j, other in enumerate(target, start=1):
            cost = 0 if letter == other else 1
            current.append(
                min(
                    previous[j] + 1,  # delete the letter of the source
                    current[j - 1] + 1,  # insert the letter of the target
                    previous[j - 1] + cost,  # keep or substitute
                )
            )
        previous = current
    return previous


def main():
    source, target = sys.stdin.read().split()

    row = distances_to_prefixes(source, target)
    distance = row[-1]
    longest = max(len(source), len(target))
    nearest = row.index(min(row))

    print("distance", distance)
    print("similarity", 100 * (longest - distance) // longest)
    print("nearest prefix", target[:nearest] or "(empty)", min(row))


if __name__ == "__main__":
    main()
