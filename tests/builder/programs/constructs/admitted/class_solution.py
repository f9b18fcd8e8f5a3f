class Solution:
    def pairs(self, nums: list[int]) -> int:
        kept = 0
        total = 0
        for num in nums:
            total += num
            if num > kept:
                kept = num
        return total + kept


print(Solution().pairs(list(range(1, 2 * int(input()), 2))))
