type Row[T] = list[T]


class Boxes[T]:
    items: Row[T]

    def __init__(self) -> None:
        self.items: Row[T] = []


def first[T](items: Row[T]) -> T:
    return items[0]


def main(n: int, /, *, step: int = 1) -> None:
    boxes: Boxes[int] = Boxes()
    total: int = 0
    other: str
    for i in range(n):
        squared: int = i * i
        boxes.items = [*boxes.items[-2:], squared]
        total += squared * step
    print(total, first(boxes.items))


if __name__ == "__main__":
    main(int(input()))
