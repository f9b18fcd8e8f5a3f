class Meter:
    def __init__(self):
        self.seen = 0
        self.__sum = 0

    def run(self, n):
        for i in range(n):
            self.seen += 1
            self.__sum += i * i
        return self.__sum / self.seen


print(Meter().run(int(input())))
