"""Records are what frozen dataclasses are, to those who use them."""

from dataclasses import FrozenInstanceError, dataclass

import pytest

from xdsl_bufferization.records import record


@record
class Point:
    x: int
    y: int
    name: str = ""


@record
class Place(Point):
    name: str = "place"
    height: int = 0


@dataclass(frozen=True)
class Model:
    destination: int = 0


@record
class OtherModel(Model):
    destination: int = 1


@record
class Empty:
    pass


def test_fields_are_given_by_position_and_by_name() -> None:
    for point in (Point(1, 2), Point(1, y=2), Point(y=2, x=1), Point(1, 2, name="")):
        assert (point.x, point.y, point.name) == (1, 2, "")
    assert Place(1, 2, height=3).height == 3
    assert Place(1, 2).name == "place"
    assert (OtherModel().destination, OtherModel(3).destination) == (1, 3)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((1,), {}),
        ((1, 2, "", 4), {}),
        ((1, 2), {"x": 1}),
        ((1, 2), {"z": 1}),
        ((), {"x": 1, "name": ""}),
    ],
)
def test_wrong_arguments_are_refused(values: tuple[int], named: dict[str, int]) -> None:
    with pytest.raises(TypeError, match=r"Point\(\)"):
        Point(*values, **named)  # pyright: ignore


def test_equality_is_by_class_and_fields() -> None:
    assert Point(1, 2) == Point(1, 2, "")
    assert hash(Point(1, 2)) == hash(Point(1, 2, ""))
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2, "place") != Place(1, 2)
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())
    assert OtherModel(0) != Model(0)


def test_fields_are_fixed() -> None:
    point = Point(1, 2)
    with pytest.raises(FrozenInstanceError):
        point.x = 2  # pyright: ignore
    with pytest.raises(FrozenInstanceError):
        del point.x


def test_records_print_and_match() -> None:
    assert repr(Place(1, 2)) == "Place(x=1, y=2, name='place', height=0)"
    match Point(1, 2):
        case Point(x, 2):
            assert x == 1
        case _:
            raise AssertionError
