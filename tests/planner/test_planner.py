"""The planner: plans are right, and low; on small instances the lowest."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.planner.instances import (
    activations,
    align,
    coarse_intervals,
    cut_rectangle,
    lowest_height,
    meet,
    random_intervals,
    recut_stack,
    small_instance,
    tile_rectangle,
)
from xdsl_bufferization.planner import (
    Buffer,
    check,
    find_overlap,
    plan,
    plan_conflicts,
)
from xdsl_bufferization.planner.beam import Budget, Instance, Manner, search_beam
from xdsl_bufferization.planner.bundles import buffer_of, bundle
from xdsl_bufferization.planner.exact import search_exactly
from xdsl_bufferization.planner.fillers import fill_up
from xdsl_bufferization.planner.first_fit import count_conflicts, find_conflicts
from xdsl_bufferization.planner.gaps import join_around_gaps
from xdsl_bufferization.planner.joining import LIKELY, Joining
from xdsl_bufferization.planner.problem import (
    cut_into_sections,
    height_of,
    live_sizes,
    lower_bound,
)
from xdsl_bufferization.planner.repair import ConflictingBuffers, lower_plan
from xdsl_bufferization.planner.skyline import (
    FAR,
    Box,
    Style,
    live_size_by_section,
    place_along_skyline,
)
from xdsl_bufferization.planner.sweep import search_sweep

pytestmark = pytest.mark.long

SHARP = Style(0.1, 8, 16, sharpness=100.0)


def boxes_of(buffers: list[Buffer]) -> tuple[list[Box], int]:
    sections = cut_into_sections(buffers)
    boxes = [
        Box(ranges[0][0], ranges[-1][1], buffer.size, buffer.alignment)
        for buffer, ranges in zip(buffers, sections.ranges, strict=True)
    ]
    return boxes, sections.count


def without_holes(buffers: list[Buffer]) -> list[Buffer]:
    return [
        Buffer(buffer.size, ((buffer.lower, buffer.upper),), buffer.alignment)
        for buffer in buffers
        if buffer.size
    ]


# Plans.


@pytest.mark.parametrize("seed", range(40))
def test_small_plans_are_right_and_near_the_lowest(seed: int) -> None:
    """With holes in lifetimes the search is not exact; without, it is."""
    buffers = small_instance(random.Random(seed), 6)
    result = plan(buffers)
    check(buffers, result.offsets)
    lowest = lowest_height(buffers)
    assert result.lower_bound <= lowest <= result.height
    assert result.height == height_of(buffers, result.offsets)
    solid = without_holes(buffers)
    assert plan(solid).height == lowest_height(solid)


@pytest.mark.parametrize("seed", range(50))
def test_exact_search_finds_the_lowest(seed: int) -> None:
    solid = without_holes(small_instance(random.Random(seed), 6))
    if not solid:
        return
    instance = Instance(*boxes_of(solid), Manner())
    offsets, complete = search_exactly(instance, FAR, Budget(1 << 60))
    assert complete
    assert offsets is not None
    check(solid, offsets)
    lowest = lowest_height(solid)
    assert height_of(solid, offsets) == lowest
    # Nothing is lower, and the search says so.
    assert search_exactly(instance, lowest, Budget(1 << 60)) == (None, True)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("width", [1, 5])
def test_beams_and_skylines_are_right(seed: int, width: int) -> None:
    rng = random.Random(seed)
    buffers = without_holes(small_instance(rng, 40))
    if not buffers:
        return
    boxes, count = boxes_of(buffers)
    offsets = search_beam(Instance(boxes, count, Manner()), width, FAR, Budget(1 << 60))
    assert offsets is not None
    check(buffers, offsets)
    few = Style(0.3, 9, 9, candidates=2)
    for style in (Style(), Style(0.0, 1, 1), Style(2.0, 9, 9), few, SHARP):
        offsets = place_along_skyline(boxes, count, style)
        check(buffers, offsets)


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("width", [1, 6])
def test_sweeps_are_right(seed: int, width: int) -> None:
    """With limits that boxes fit below, and that some exceed."""
    rng = random.Random(seed)
    if seed % 2:
        buffers = recut_stack(40, seed, slack=0.1, live=5, side=40)
    else:
        buffers = without_holes(small_instance(rng, 40))
    buffers = [Buffer(buffer.size, buffer.lifetime) for buffer in buffers]
    if not buffers:
        return
    boxes, count = boxes_of(buffers)
    bound = lower_bound(buffers, cut_into_sections(buffers))
    limit = bound * rng.choice((1, 1, 2, 9)) // rng.choice((1, 2))
    offsets = search_sweep(boxes, count, limit, width, FAR, Budget(1 << 60))
    assert offsets is not None
    check(buffers, offsets)
    height = height_of(buffers, offsets)
    lower = search_sweep(boxes, count, limit, width, height, Budget(1 << 60))
    assert lower is None or height_of(buffers, lower) < height


@pytest.mark.parametrize("side", [1 << 16, 1 << 20])
@pytest.mark.parametrize("mirrored", [False, True])
def test_boxes_of_which_only_sums_are_equal_are_put_together(
    side: int, mirrored: bool
) -> None:
    """No two of them can be joined, and nothing is left over."""
    boxes, count = boxes_of(recut_stack(150, 1, side=side))
    if mirrored:
        boxes = [Box(count - b.last, count - b.first, b.size, 1) for b in boxes]
    offsets = search_sweep(boxes, count, side, 16, side + 1, Budget(1 << 60))
    assert offsets is not None
    assert max(o + b.size for o, b in zip(offsets, boxes, strict=True)) == side


@pytest.mark.parametrize("seed", range(3))
def test_cut_rectangles_are_planned_in_little_more_than_their_height(seed: int) -> None:
    buffers = cut_rectangle(60, seed)
    result = plan(buffers, 1_000_000)
    check(buffers, result.offsets)
    assert result.lower_bound == 1 << 20
    assert result.ratio <= 1.06


@pytest.mark.parametrize("pinwheels", [0.0, 0.5])
@pytest.mark.parametrize("number", [450, 10_000])
def test_large_cut_rectangles_are_put_together_again(
    number: int, pinwheels: float
) -> None:
    buffers = cut_rectangle(number, 0, pinwheels=pinwheels)
    result = plan(buffers)
    check(buffers, result.offsets)
    assert result.height == result.lower_bound == 1 << 20


def test_ten_thousand_buffers() -> None:
    buffers = random_intervals(10_000, 40, 0)
    result = plan(buffers, 0)
    check(buffers, result.offsets)
    assert result.ratio <= 1.10


def test_a_budget_limits_the_steps_and_plans_repeat() -> None:
    buffers = random_intervals(300, 100, 3)
    result = plan(buffers, 20_000)
    assert 20_000 <= result.steps < 60_000
    assert plan(buffers, 20_000) == result
    assert plan(buffers, 0).steps == 0


def test_a_rectangle_with_holes_is_put_together_nearly() -> None:
    """What is joined around the holes, and sharp styles, get below a skyline alone."""
    assert plan(cut_rectangle(2_000, 1, slack=0.05), steps=750_000).ratio <= 1.05


def test_the_plan_of_what_is_joined_around_holes_is_repaired() -> None:
    """Parts of many boxes that are never live together have a budget each."""
    assert plan(cut_rectangle(2_300, 9, slack=0.1), steps=1_000_000).ratio <= 1.04


def test_few_times_at_which_many_boxes_start() -> None:
    """Many boxes fit by chance, so that they are joined in several orders."""
    buffers = cut_rectangle(300, 2, times=60)
    result = plan(buffers, 2_000_000)
    check(buffers, result.offsets)
    assert result.ratio <= 1.02


def test_few_times_at_which_thousands_of_buffers_start() -> None:
    """Boxes that fit are joined in the order of the chance that they do."""
    buffers = cut_rectangle(2_000, 1, times=200)
    result = plan(buffers, 300_000)
    check(buffers, result.offsets)
    assert result.ratio <= 1.06


def test_pinwheels_that_lack_boxes_are_put_together_around_gaps() -> None:
    """More than half of the boxes are left if they are joined without gaps."""
    buffers = cut_rectangle(266, 1, pinwheels=0.5, slack=0.1)
    boxes, count = boxes_of(buffers)
    assert 2 * len(Joining(boxes, count).join_given().boxes) > len(buffers)
    result = plan(buffers)
    check(buffers, result.offsets)
    assert result.height == result.lower_bound


def test_parts_are_all_improved() -> None:
    """The last part is searched as the first one is."""
    parts = [
        Buffer(each.size, ((each.lower + shift, each.upper + shift),))
        for seed in range(3)
        for shift in [seed << 20]
        for each in cut_rectangle(120, seed, slack=0.03)
    ]
    assert plan(parts).ratio <= 1.03


def test_a_small_part_is_improved_beside_a_large_one() -> None:
    """A large part uses up a budget of which little is left for a small one."""
    small = recut_stack(300, 2, slack=0.05)
    end = max(each.lifetime[0][1] for each in small)
    large = [
        Buffer(1 + each.size * 3 // 4, ((first + end, last + end),))
        for each in recut_stack(4_500, 1, slack=0.05)
        for first, last in each.lifetime
    ]
    assert plan([*small, *large], 300_000).ratio <= 1.05


def test_holes_are_used_where_very_many_buffers_meet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Along a skyline, none is used."""
    monkeypatch.setattr("xdsl_bufferization.planner.planning.MOST_CONFLICTS", 10)
    monkeypatch.setattr("xdsl_bufferization.planner.planning._FEW_CONFLICTS", 10)
    buffers = [
        buffer
        for time in range(0, 40, 4)
        for buffer in (
            Buffer(8, ((time, time + 1), (time + 3, time + 8))),
            Buffer(8, ((time + 1, time + 3),)),
        )
    ]
    assert count_conflicts([buffer.lifetime for buffer in buffers]) > 10
    result = plan(buffers, 0)
    check(buffers, result.offsets)
    assert result.height == result.lower_bound


def test_very_many_buffers_with_holes_are_bundled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each is live twice, when the others are not; one is live throughout."""
    for name in ("MOST_CONFLICTS", "_FEW_CONFLICTS", "_MOST_OF_SPACED_IN_FITS"):
        monkeypatch.setattr(f"xdsl_bufferization.planner.planning.{name}", 10)
    number = 30
    buffers = [
        Buffer(100 - i, ((2 * i, 2 * i + 2), (200 - 2 * i, 202 - 2 * i)), 4)
        for i in range(number)
    ]
    buffers += [Buffer(1_000, ((0, 202),), 4), Buffer(4, ((99, 102),), 4)]
    result = plan(buffers, 0)
    check(buffers, result.offsets)
    assert result.height <= 1_104


def test_buffers_of_one_bundle_are_all_aligned() -> None:
    """A multiple of the greatest alignment need not be one of the others."""
    buffers = [
        Buffer(9, ((time, time + 1), (time + 20, time + 21)), alignment)
        for time, alignment in enumerate((4, 3, 4, 6, 12, 3, 8, 2))
    ]
    bundles = bundle(buffers, [buffer.lifetime for buffer in buffers])
    assert len(bundles) < len(buffers)
    for members in bundles:
        whole = buffer_of(members, buffers)
        assert all(not whole.alignment % buffers[n].alignment for n in members)


@pytest.mark.parametrize("seed", range(40))
def test_bundles_are_live_in_their_holes(seed: int) -> None:
    buffers = [each for each in small_instance(random.Random(seed), 40) if each.size]
    bundles = bundle(buffers, cut_into_sections(buffers).ranges)
    assert sorted(number for members in bundles for number in members) == [
        *range(len(buffers))
    ]
    for members in bundles:
        assert not any(
            meet(buffers[one], buffers[other]) for one, other in combinations(members, 2)
        )
        whole = buffer_of(members, buffers)
        for each in (buffers[number] for number in members):
            assert each.size <= whole.size
            assert whole.alignment % each.alignment == 0


FAMILIES = {
    "cut": lambda: cut_rectangle(450, 1, side=256, slack=0.05),
    "pinwheels": lambda: cut_rectangle(450, 1, pinwheels=0.7, slack=0.05),
    "tiles": lambda: tile_rectangle(450, 1, slack=0.05),
    "few sizes": lambda: coarse_intervals(450, 30, 1),
    "network": lambda: activations(450, 1),
    "alignments": lambda: align(random_intervals(450, 30, 1), 1, (1, 64, 4096)),
    "cut again": lambda: recut_stack(120, 3, slack=0.03),
    "cut again, many live": lambda: recut_stack(300, 3, live=20, slack=0.02),
    "cut again, aligned": lambda: align(recut_stack(90, 2, slack=0.02), 1, (64,)),
    "holes": lambda: cut_rectangle(450, 1, holes=True),
    "holes, slack": lambda: cut_rectangle(450, 2, holes=True, slack=0.03),
    "cut, alignments": lambda: align(
        cut_rectangle(300, 1, slack=0.05, side=1 << 16), 1, (1, 8, 16, 64)
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_hard_families_are_planned_near_the_lower_bound(family: str) -> None:
    buffers = FAMILIES[family]()
    result = plan(buffers, steps=1_000_000)
    check(buffers, result.offsets)
    assert result.ratio <= 1.06


def test_thousands_of_which_few_are_live_are_swept() -> None:
    buffers = recut_stack(4_500, 1, live=8, slack=0.01)
    result = plan(buffers, steps=3_500_000)
    check(buffers, result.offsets)
    assert result.ratio <= 1.02


@pytest.mark.parametrize("seed", range(30))
def test_memory_is_filled_up_to_a_limit(seed: int) -> None:
    rng = random.Random(seed)
    live = [rng.randint(0, 6) for _ in range(rng.randint(1, 30))]
    limit = max(live) + rng.choice((0, 0, 3))
    boxes = fill_up(live, limit)
    filled = [
        sum(box.size for box in boxes if box.first <= time < box.last)
        for time in range(len(live))
    ]
    assert [a + b for a, b in zip(live, filled, strict=True)] == [limit] * len(live)


def test_what_is_missing_is_filled_with_boxes_of_its_sizes_and_times() -> None:
    """One inside another, and two that end together."""
    missing = [Box(2, 9, 5, 1), Box(3, 6, 2, 1), Box(4, 9, 8, 1), Box(10, 12, 7, 1)]
    live = [
        100 - sum(box.size for box in missing if box.first <= time < box.last)
        for time in range(14)
    ]
    assert set(fill_up(live, 100)) == set(missing)


def test_thousands_of_buffers_with_alignments_are_repaired() -> None:
    boxes = cut_rectangle(2_000, 0, slack=0.05, side=1 << 16)
    buffers = align(boxes, 0, (1, 8, 16, 64))
    result = plan(buffers, steps=700_000)
    check(buffers, result.offsets)
    assert result.ratio <= 1.1


@pytest.mark.parametrize("seed", range(50))
def test_repaired_plans_are_right_and_no_higher(seed: int) -> None:
    """With holes in lifetimes and alignments, from a plan that shares no memory."""
    buffers = [b for b in small_instance(random.Random(seed), 40) if b.size]
    offsets: list[int] = []
    height = 0
    for buffer in buffers:
        offsets.append(-(-height // buffer.alignment) * buffer.alignment)
        height = offsets[-1] + buffer.size
    sections = cut_into_sections(buffers)
    repaired = lower_plan(
        offsets,
        lower_bound(buffers, sections),
        ConflictingBuffers(
            [buffer.size for buffer in buffers],
            [buffer.alignment for buffer in buffers],
            [float(buffer.size) for buffer in buffers],
            find_conflicts(sections.ranges),
        ),
        Budget(20_000),
    )
    check(buffers, repaired)
    assert height_of(buffers, repaired) <= height


def test_alignments_without_a_common_factor() -> None:
    buffers = [
        Buffer(4, ((0, 3),), 1_000_000_007),
        Buffer(9, ((0, 4),), 1_000_000_009),
        Buffer(9, ((1, 4),), 998_244_353),
    ]
    check(buffers, plan(buffers).offsets)


def test_the_largest_sizes() -> None:
    """Heights of more than 64 bits are no higher than the sky."""
    sizes = [(1 << 63) - 1 - i for i in range(60)]
    buffers = [Buffer(size, ((i, i + 20),)) for i, size in enumerate(sizes)]
    found = plan(buffers, 100_000)
    check(buffers, found.offsets)
    assert found.ratio <= 1.1
    with pytest.raises(ValueError, match="is greater than"):
        Buffer(1 << 63, ((0, 1),))


def test_no_buffers() -> None:
    result = plan([])
    assert (result.offsets, result.height, result.lower_bound) == ((), 0, 0)
    assert result.ratio == 1.0


def test_equal_lifetimes_are_stacked() -> None:
    result = plan([Buffer(3, ((0, 2),)), Buffer(4, ((0, 2),))])
    assert sorted(result.offsets) in ([0, 3], [0, 4])
    assert result.height == 7


def test_a_hole_in_a_lifetime_is_used() -> None:
    """The first buffer is dead while the second one lives."""
    buffers = [Buffer(8, ((0, 2), (5, 7))), Buffer(8, ((2, 5),))]
    assert plan(buffers).height == 8


def test_alignments_are_kept_and_bound_the_height() -> None:
    buffers = [Buffer(5, ((0, 2),), 8) for _ in range(3)]
    result = plan(buffers)
    check(buffers, result.offsets)
    assert result.height == result.lower_bound == 21


def test_large_alignments_bound_the_height_beside_small_ones() -> None:
    sizes_and_alignments = [(1, 64), (1, 64), (3, 64), (5, 1), (2, 4), (1, 4)]
    buffers = [Buffer(size, ((0, 2),), each) for size, each in sizes_and_alignments]
    result = plan(buffers)
    check(buffers, result.offsets)
    assert result.height == result.lower_bound == 129


@pytest.mark.parametrize("number", [300, 2_000, 3_300])
def test_buffers_that_are_all_live_fill_what_alignments_leave_free(number: int) -> None:
    """First fit by falling alignment is good there; with many, it is tried as well."""
    rng = random.Random(number)
    alignments = [rng.choice((1, 16, 64, 4096)) for _ in range(number)]
    sizes = [1 + int(rng.expovariate(1 / 3000)) for _ in range(number)]
    buffers = [
        Buffer(size, ((0, 9),), alignment)
        for size, alignment in zip(sizes, alignments, strict=True)
    ]
    result = plan(buffers, 300_000)
    check(buffers, result.offsets)
    assert result.ratio <= 1.02


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Buffer(-1, ((0, 1),)), "negative"),
        (lambda: Buffer(1, ((0, 1),), 0), "not positive"),
        (lambda: Buffer(1, ()), "empty"),
        (lambda: Buffer(1, ((1, 1),)), "empty"),
        (lambda: Buffer(1, ((2, 3), (0, 1))), "ascend"),
    ],
)
def test_impossible_buffers_are_refused(make, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Buffer(4, (0, 3)),
            r"lifetime is \(0, 3\), but must be a tuple of inter",
        ),
        (lambda: Buffer(4, 3), "lifetime is 3, but must be"),
        (lambda: Buffer(4, ((0, 3, 4),)), r"such as \(\(0, 3\),\)"),
        (lambda: Buffer(4, ((0, 2.5),)), r"such as \(\(0, 3\),\)"),
        (lambda: Buffer("4", ((0, 3),)), "size is '4', but must be an integer"),
        (lambda: Buffer(4, ((0, 3),), 2.5), "alignment is 2.5, but must be an integer"),
        (lambda: plan([(4, ((0, 3),))]), r"buffer 0 is \(4, .*, but must be a Buffer"),
        (lambda: plan([Buffer(4, ((0, 3),))], "many"), "steps is 'many', but must be"),
    ],
)
def test_what_is_no_buffer_is_refused(make, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()


# Conflict sets.


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=8).flatmap(
        lambda sizes: st.tuples(
            st.just(sizes),
            st.sets(st.sampled_from([*combinations(range(len(sizes)), 2)] or [(0, 0)])),
        )
    )
)
@settings(max_examples=200, deadline=None)
def test_conflict_sets(case: tuple[list[int], set[tuple[int, int]]]) -> None:
    sizes, pairs = case
    conflicts = [{b for a, b in pairs if a == number} - {number} for number in range(9)]
    result = plan_conflicts(sizes, conflicts[: len(sizes)])
    for one, other in pairs:
        if one != other and sizes[one] and sizes[other]:
            assert (
                result.offsets[one] + sizes[one] <= result.offsets[other]
                or result.offsets[other] + sizes[other] <= result.offsets[one]
            )
    assert max(sizes) <= result.lower_bound <= result.height <= sum(sizes)


def test_a_cycle_of_conflicts_shares_memory() -> None:
    """Four buffers of which neighbours conflict need two places."""
    result = plan_conflicts([4, 4, 4, 4], [{1, 3}, {2}, {3}, set()])
    assert result.height == 8


# Joining.


@pytest.mark.parametrize("seed", range(80))
def test_plans_of_joined_boxes_are_right(seed: int) -> None:
    """Few sizes and times, so that many boxes fit by chance; with alignments."""
    buffers = without_holes(small_instance(random.Random(seed), 40))
    boxes, count = boxes_of(buffers)
    joined = Joining(boxes, count).join_given()
    assert len(joined.boxes) + sum(len(m) - 1 for m in joined.members) == len(boxes)
    offsets = place_along_skyline(joined.boxes, count, Style())
    check(buffers, joined.expand(offsets))


@pytest.mark.parametrize("seed", range(80))
def test_plans_of_boxes_joined_around_gaps_are_right(seed: int) -> None:
    """What is left needs no more memory than the limit for fillers."""
    rng = random.Random(seed)
    if seed % 2:
        buffers = cut_rectangle(rng.randint(4, 60), seed, slack=0.2, side=40)
    else:
        buffers = without_holes(small_instance(rng, 40))
    boxes, count = boxes_of(buffers)
    rounded = [
        Buffer(-(-box.size // box.alignment) * box.alignment, ((box.first, box.last),))
        for box in boxes
    ]
    limit = lower_bound(rounded, cut_into_sections(rounded)) + rng.choice((0, 3))
    joined = join_around_gaps(Joining(boxes, count), limit)
    left = [Buffer(box.size, ((box.first, box.last),)) for box in joined.boxes]
    assert lower_bound(left, cut_into_sections(left)) <= limit
    offsets = place_along_skyline(joined.boxes, count, Style())
    check(buffers, joined.expand(offsets))


@pytest.mark.parametrize(
    ("boxes", "count"),
    [
        # A gap after the first box, beside one below both.
        ([(0, 3, 2), (0, 5, 7), (5, 6, 9)], 6),
        # Before it.
        ([(3, 5, 2), (0, 5, 7), (5, 6, 9)], 6),
        # On top of a box, beside a higher one; and between two of the same size.
        ([(0, 2, 4), (2, 5, 9), (5, 6, 9)], 6),
        ([(0, 2, 4), (3, 5, 4), (0, 5, 2), (5, 6, 6)], 6),
    ],
)
def test_boxes_that_fit_except_for_a_gap_are_joined(
    boxes: list[tuple[int, int, int]], count: int
) -> None:
    given = [Box(*box, 1) for box in boxes]
    high = max(live_size_by_section(given, count))
    assert len(Joining(given, count).join_given().boxes) > 1
    assert list(join_around_gaps(Joining(given, count), high).boxes) == [
        Box(0, count, high, 1)
    ]


def test_gaps_that_have_no_room_are_counted() -> None:
    boxes = [Box(0, 2, 4, 1), Box(2, 5, 9, 1), Box(5, 6, 9, 1)]
    for limit, lacks_room in ((9, False), (8, True)):
        assert join_around_gaps(Joining(boxes, 6), limit).lacks_room == lacks_room


@pytest.mark.parametrize(
    "buffers",
    [
        [Buffer(2, ((0, 5),)), Buffer(3, ((0, 5),))],
        [Buffer(2, ((0, 5),)), Buffer(2, ((5, 7),))],
        # A pinwheel, and its mirror image.
        [
            *(Buffer(3, ((0, 2),)), Buffer(7, ((2, 5),)), Buffer(4, ((1, 2),))),
            *(Buffer(5, ((1, 5),)), Buffer(9, ((0, 1),))),
        ],
        [
            *(Buffer(3, ((3, 5),)), Buffer(7, ((0, 3),)), Buffer(4, ((3, 4),))),
            *(Buffer(5, ((0, 4),)), Buffer(9, ((4, 5),))),
        ],
    ],
)
def test_boxes_that_fit_are_joined(buffers: list[Buffer]) -> None:
    boxes, count = boxes_of(buffers)
    joined = Joining(boxes, count).join_given()
    assert [(box.first, box.last) for box in joined.boxes] == [(0, count)]
    assert joined.boxes[0].size == lower_bound(buffers, cut_into_sections(buffers))
    check(buffers, joined.expand([0]))


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("numbers", [(0, 1), (0, 2), (1, 3), (0, 1, 3), (1, 2, 3)])
def test_boxes_are_stacked_beside_one_as_large(
    numbers: tuple[int, ...], mirrored: bool
) -> None:
    """Of four boxes with one live range, some are as large as their neighbour."""
    sizes = [1_000_003, 1_400_117, 1_900_523, 2_700_911]
    stacked = [sizes[number] for number in numbers]
    others = [Box(9, 10 + i, 3 + i, 1) for i in range(100, 140)]
    beside = Box(5, 9, sum(stacked), 1)
    boxes = [*(Box(2, 5, size, 1) for size in sizes), beside, *others]
    if mirrored:
        boxes = [Box(200 - b.last, 200 - b.first, b.size, 1) for b in boxes]
    joined = Joining(boxes, 200, LIKELY).join_given()
    (members,) = [m for m in joined.members if 4 in dict(m)]
    (stack,) = [number for number, _ in members if number != 4]
    assert sorted(dict(joined.members[stack - len(boxes)])) == sorted(numbers)


def test_few_times_at_which_thousands_of_boxes_start() -> None:
    """Most of what fits where the fewest boxes start and end fits by chance."""
    boxes, count = boxes_of(cut_rectangle(2_000, 1, times=200))
    by_number = Joining(boxes, count, by_chance=False).join_given()
    by_chance = Joining(boxes, count).join_given()
    assert len(by_chance.boxes) < len(by_number.boxes) / 4


def test_what_fits_by_chance_is_not_joined() -> None:
    """Each box fits some others, which are in no way its own."""
    rng = random.Random(1)
    boxes = [Box(t, t + rng.randint(1, 3), 64, 1) for t in rng.choices(range(20), k=400)]
    assert len(Joining(boxes, 24).join_given().boxes) < 100
    assert len(Joining(boxes, 24, LIKELY).join_given().boxes) == 400


def test_pinwheels_around_pinwheels_are_joined() -> None:
    """Each is the middle of the next one, and four boxes go around it."""
    number = 4_000
    boxes = [Box(number, number + 1, 1, 1)]
    for i in range(number):
        first, last, size = number - i, number + 1 + i, 2 * i + 1
        boxes += [
            *(Box(first - 1, first, size + 1, 1), Box(last, last + 1, size + 1, 1)),
            *(Box(first - 1, last, 1, 1), Box(first, last + 1, 1, 1)),
        ]
    joined = Joining(boxes, 2 * number + 1).join_given()
    assert list(joined.boxes) == [Box(0, 2 * number + 1, 2 * number + 1, 1)]


def test_boxes_that_lack_a_fifth_are_no_pinwheel() -> None:
    """Many have the lifetime of the fifth one, but other sizes."""
    number = 4_000
    right = Box(number + 1, number + 2, 10**7, 1)
    boxes = [right, *(Box(0, number + 1, 10**6 + 3 * i, 1) for i in range(number))]
    for i in range(1, number + 1):
        boxes.append(Box(i, number + 1, 7 * 10**5 + 5 * i, 1))
        boxes.append(Box(0, i, 9 * 10**8 + 5 * i, 1))
    assert right in Joining(boxes, number + 2).join_given().boxes


def test_boxes_of_different_alignments_are_not_joined() -> None:
    boxes = [Box(0, 5, 8, 4), Box(0, 5, 8, 8), Box(5, 6, 8, 1)]
    assert len(Joining(boxes, 6).join_given().boxes) == 3


# What plans are checked with.


@pytest.mark.parametrize("seed", range(50))
def test_overlaps_are_found(seed: int) -> None:
    """Against the comparison of all pairs, on random offsets."""
    rng = random.Random(seed)
    buffers = small_instance(rng)
    offsets = [rng.randrange(12) for _ in buffers]
    overlapping = {
        (i, j)
        for (i, one), (j, other) in combinations(enumerate(buffers), 2)
        if meet(one, other)
        and max(offsets[i], offsets[j])
        < min(offsets[i] + one.size, offsets[j] + other.size)
    }
    found = find_overlap(buffers, offsets)
    assert (found is None) == (not overlapping)
    if found is not None:
        assert (min(found), max(found)) in overlapping


@pytest.mark.parametrize("seed", range(15))
def test_a_buffer_moved_into_a_neighbour_is_rejected(seed: int) -> None:
    rng = random.Random(seed)
    buffers = [buffer for buffer in small_instance(rng, 12) if buffer.size]
    offsets = list(plan(buffers).offsets)
    pairs = [(i, j) for i, j in combinations(range(len(buffers)), 2)]
    for i, j in pairs:
        if meet(buffers[i], buffers[j]):
            moved = [*offsets]
            moved[i] = offsets[j]
            with pytest.raises(ValueError):
                check(buffers, moved)


def test_offsets_that_are_not_aligned_are_rejected() -> None:
    with pytest.raises(ValueError, match="not a multiple of 4"):
        check([Buffer(4, ((0, 1),), 4)], [2])


@pytest.mark.parametrize("seed", range(50))
def test_sections_keep_what_meets_and_how_much_is_live(seed: int) -> None:
    buffers = small_instance(random.Random(seed), 12)
    sections = cut_into_sections(buffers)
    conflicts = find_conflicts(sections.ranges)
    for (i, one), (j, other) in combinations(enumerate(buffers), 2):
        assert (j in conflicts[i]) == (i in conflicts[j]) == meet(one, other)
    times = range(10)
    live = [
        sum(b.size for b in buffers if any(x <= t < y for x, y in b.lifetime))
        for t in times
    ]
    sizes = [buffer.size for buffer in buffers]
    assert max(live_sizes(sections, sizes), default=0) == max(live)
    assert lower_bound(buffers, sections) >= max(live)
    assert sections.count <= sum(len(buffer.lifetime) for buffer in buffers)


def test_conflicts_are_counted() -> None:
    ranges = [[(0, 3)], [(1, 2)], [(2, 3)], [(3, 4)]]
    assert count_conflicts(ranges) == 2


def test_numbers_of_numpy_do_not_overflow() -> None:
    result = plan([Buffer(np.int32(2**30), ((0, np.int8(3)),))] * 3)
    assert result.height == 3 * 2**30 and type(result.height) is int


def test_numbers_must_be_integers() -> None:
    with pytest.raises(TypeError):
        Buffer(4.5, ((0, 3),))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("count", [2, 4, 6])
def test_few_buffers_are_planned_in_all_orders(count: int) -> None:
    """The lower bound does not know what alignments cost: no search may look for it."""
    buffers = [Buffer(3 + i, ((i, i + 4),), 1 << (i + 2) % 6) for i in range(count)]
    assert plan(buffers).steps == 0


def test_a_negative_number_of_steps_is_refused() -> None:
    with pytest.raises(ValueError, match="steps is -1"):
        plan([Buffer(4, ((0, 3),))], steps=-1)
    assert plan([Buffer(4, ((0, 3),))], steps=0).height == 4


@pytest.mark.parametrize(
    ("number", "live", "slack"),
    [(450, 12, 0.0), (450, 50, 0.0), (440, 30, 0.02), (4_500, 30, 0.0)],
)
def test_stacks_that_are_cut_again_are_planned_without_slack(
    number: int, live: int, slack: float
) -> None:
    """No search is needed to find how: any order that is left will do."""
    result = plan(recut_stack(number, 1, live=live, slack=slack), steps=1_000_000)
    assert result.height == result.lower_bound
