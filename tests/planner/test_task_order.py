"""Orders of tasks, compared with the best of all orders."""

from __future__ import annotations

import random

import pytest

from xdsl_bufferization.planner.task_order import Task, Tasks, order_tasks


def random_tasks(seed: int, number: int) -> Tasks:
    """Tasks that each write a buffer of their own, and read those of earlier ones."""
    choose = random.Random(seed)
    tasks: list[Task] = []
    for index in range(number):
        sources = choose.sample(range(index), min(index, choose.choice((0, 1, 1, 2, 3))))
        others = choose.sample(range(index), min(index, choose.choice((0, 0, 0, 1))))
        after = tuple(sorted({*sources, *others}))
        used = (*sorted(sources), index, *([number] if index == number // 2 else []))
        tasks.append(Task(used, after, choose.choice((0, 0, 5))))
    sizes = [choose.choice((0, 1, 1, 2, 4, 16)) for _ in tasks]
    live_after = frozenset(choose.sample(range(number), choose.choice((1, 2))))
    return Tasks(tasks, [*sizes, 3], frozenset({number}), live_after)


def least_peak(tasks: Tasks) -> int:
    """Return the lowest peak of all orders, from all sets of done tasks."""
    least = {0: 0}
    everything = (1 << len(tasks.tasks)) - 1
    start = sum(tasks.sizes[each] for each in tasks.live_before)
    least[0] = start
    for done in range(everything):
        if done not in least:
            continue
        for index, task in enumerate(tasks.tasks):
            if done >> index & 1 or any(not done >> each & 1 for each in task.after):
                continue
            live = task.extra
            for buffer, size in enumerate(tasks.sizes):
                users = [n for n, t in enumerate(tasks.tasks) if buffer in t.buffers]
                begun = any(done >> n & 1 or n == index for n in users)
                over = all(done >> n & 1 for n in users)
                if (begun or buffer in tasks.live_before) and (
                    not over or buffer in tasks.live_after
                ):
                    live += size
            after = done | 1 << index
            least[after] = min(least.get(after, 1 << 60), max(least[done], live))
    end = sum(tasks.sizes[each] for each in tasks.live_after)
    return max(least[everything], end)


def check_possible(tasks: Tasks, order: list[int]) -> None:
    assert sorted(order) == list(range(len(tasks.tasks)))
    place = {number: index for index, number in enumerate(order)}
    for number, task in enumerate(tasks.tasks):
        assert all(place[earlier] < place[number] for earlier in task.after)


@pytest.mark.parametrize("seed", range(60))
def test_small_orders_are_the_best(seed: int):
    tasks = random_tasks(seed, 3 + seed % 8)
    order = order_tasks(tasks)
    check_possible(tasks, order)
    assert tasks.peak(order) == least_peak(tasks)


@pytest.mark.parametrize("number", (40, 400, 4000))
def test_orders_of_any_size_are_possible_and_no_worse(number: int):
    for seed in range(3):
        tasks = random_tasks(seed, number)
        for steps in (0, 20_000):
            order = order_tasks(tasks, steps)
            check_possible(tasks, order)
            assert tasks.peak(order) <= tasks.peak(range(number))


def test_independent_chains_are_run_one_after_the_other():
    chains, length = 50, 4
    tasks: list[Task] = []
    for step in range(length):
        for chain in range(chains):
            own = step * chains + chain
            before = (own - chains,) if step else ()
            tasks.append(Task((*before, own), before))
    problem = Tasks(tasks, [8] * len(tasks))
    assert problem.peak(range(len(tasks))) == 8 * (chains + 1)
    for steps in (0, 100_000):
        assert problem.peak(order_tasks(problem, steps)) == 16


def test_an_order_that_cannot_be_better_is_kept():
    tasks = Tasks([Task((0,)), Task((0, 1), (0,)), Task((1,), (1,))], [4, 4])
    assert order_tasks(tasks) == [0, 1, 2]


def test_time_may_be_reversed():
    tasks = random_tasks(7, 12)
    order = order_tasks(tasks)
    backwards = [11 - number for number in reversed(order)]
    assert tasks.backwards().peak(backwards) == tasks.peak(order)
