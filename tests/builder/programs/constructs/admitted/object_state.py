class Account:
    def __init__(self, owner):
        self.owner = owner
        self.balance = 0
        self.moves = 0

    def deposit(self, amount):
        self.balance += amount
        if amount % 2:
            self.moves += 1

    def __str__(self):
        return f"{self.owner} has {self.balance} after {self.moves}"


n = int(input())
account = Account("ann")
for i in range(n):
    account.deposit(i)
print(account)
