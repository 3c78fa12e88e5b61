"""An order of tasks in which the simultaneously live buffers take few bytes.

A buffer is live from the first task that uses it to the last one, and tasks depend on
others. This is the register-sufficiency or pebbling problem, with sizes: NP-hard, but
easy on the graphs of typical programs. Several orders are computed; the best is used:

- the given order;
- greedy: among the ready tasks, the one that adds the fewest bytes. Ties are broken by
  the given order, or in favour of the task that became ready last, so that work in
  progress is finished;
- a beam search over sets of finished tasks: of two orders of the same tasks, only the
  one with the lower peak is continued. A task that adds no bytes, and needs no more
  than the peak so far, is done at once: no later position is better.

Each is tried from both ends, as the problem is symmetric in time. The budget is a
number of steps, not a time: the result is the same on every machine.

R. Sethi, J. Ullman: The Generation of Optimal Code for Arithmetic Expressions (1970);
C. Lam, D. Cociorva, G. Baumgartner, P. Sadayappan: Optimization of Memory Usage and
Communication Requirements for a Class of Loops Implementing Multi-dimensional Integrals
(1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush, nsmallest

DEFAULT_STEPS = 100_000
"""What a search may look at: the tasks that may be next, one by one."""
WIDEST_BEAM = 24
BITS_PER_STEP = 1024
"""Sets of tasks with as many bits cost as much as all else of a step."""


@dataclass(frozen=True)
class Task:
    """What runs as a whole.

    Attributes:
        buffers: the numbers of the buffers that it uses, each once.
        after: the numbers of the tasks that must come before it, each once.
        extra: the bytes that it needs while it runs, besides its buffers.
    """

    buffers: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    extra: int = 0


@dataclass(frozen=True)
class Tasks:
    """Tasks in a possible order, and the bytes of their buffers.

    Attributes:
        live_before: the buffers that are live when the first task starts.
        live_after: those that are still live after the last one.
    """

    tasks: Sequence[Task]
    sizes: Sequence[int]
    live_before: frozenset[int] = frozenset()
    live_after: frozenset[int] = frozenset()

    def peak(self, order: Sequence[int]) -> int:
        """Return the bytes that are live at one time, at most, in an order."""
        left = self.count_users()
        is_live = [number in self.live_before for number in range(len(self.sizes))]
        live = sum(self.sizes[number] for number in self.live_before)
        peak = live
        for number in order:
            task = self.tasks[number]
            for buffer in task.buffers:
                left[buffer] -= 1
                if not is_live[buffer]:
                    is_live[buffer] = True
                    live += self.sizes[buffer]
            peak = max(peak, live + task.extra)
            for buffer in task.buffers:
                if not left[buffer] and buffer not in self.live_after:
                    live -= self.sizes[buffer]
        return peak

    def count_users(self) -> list[int]:
        """Return how many tasks use each buffer."""
        users = [0] * len(self.sizes)
        for task in self.tasks:
            for buffer in task.buffers:
                users[buffer] += 1
        return users

    def followers(self) -> list[list[int]]:
        """Return the tasks that must come after each."""
        found: list[list[int]] = [[] for _ in self.tasks]
        for number, task in enumerate(self.tasks):
            for earlier in task.after:
                found[earlier].append(number)
        return found

    def backwards(self) -> Tasks:
        """Return the same problem with time reversed; task n is the n-th from the end."""
        last = len(self.tasks) - 1
        after = self.followers()
        return Tasks(
            [
                Task(
                    self.tasks[number].buffers,
                    tuple(last - each for each in after[number]),
                    self.tasks[number].extra,
                )
                for number in range(last, -1, -1)
            ],
            self.sizes,
            self.live_after,
            self.live_before,
        )

    def lower_bound(self) -> int:
        """Return the most that one task, or what is live before or after all, needs."""
        return max(
            sum(self.sizes[number] for number in self.live_before),
            sum(self.sizes[number] for number in self.live_after),
            *(
                task.extra + sum(self.sizes[buffer] for buffer in task.buffers)
                for task in self.tasks
            ),
            0,
        )


def order_tasks(tasks: Tasks, steps: int = DEFAULT_STEPS) -> list[int]:
    """Return an order with a low peak; the given one if none with a lower peak is found.

    Args:
        tasks: in an order that is possible.
        steps: the work that a beam search may do.

    The greedy orders take O(n log n) for n uses of buffers.
    """
    best = list(range(len(tasks.tasks)))
    lowest, bound = tasks.peak(best), tasks.lower_bound()
    last = len(best) - 1
    reversed_tasks = tasks.backwards()
    for each, is_reversed in ((tasks, False), (reversed_tasks, True)):
        for search in (_oldest_first, _newest_first, _beam):
            if lowest <= bound:
                return best
            order = search(each, lowest, steps)
            if order is None:
                continue
            if is_reversed:
                order = [last - number for number in reversed(order)]
            peak = tasks.peak(order)
            if peak < lowest:
                best, lowest = order, peak
    return best


def _oldest_first(tasks: Tasks, limit: int, steps: int) -> list[int]:
    return _Greedy(tasks, newest_first=False).run()


def _newest_first(tasks: Tasks, limit: int, steps: int) -> list[int]:
    return _Greedy(tasks, newest_first=True).run()


@dataclass
class _Greedy:
    """The order in which always the task comes next that adds the fewest bytes."""

    tasks: Tasks
    newest_first: bool
    is_live: list[bool] = field(init=False)
    left: list[int] = field(init=False)
    users: list[list[int]] = field(init=False)
    added: list[int] = field(init=False)
    """The bytes that are more after a task than before it."""
    made: list[int] = field(init=False)
    """The bytes that become live with a task."""
    is_ready: list[bool] = field(init=False)
    since: list[int] = field(init=False)
    ready: list[tuple[int, int, int, int]] = field(init=False)
    """What is added, what is made, what decides between equal ones, and the task."""

    def __post_init__(self) -> None:
        tasks = self.tasks
        numbers = range(len(tasks.sizes))
        self.is_live = [number in tasks.live_before for number in numbers]
        self.left = tasks.count_users()
        self.users = [[] for _ in numbers]
        for number, task in enumerate(tasks.tasks):
            for buffer in task.buffers:
                self.users[buffer].append(number)
        self.made = [
            sum(tasks.sizes[b] for b in task.buffers if not self.is_live[b])
            for task in tasks.tasks
        ]
        self.added = [
            made
            - sum(
                tasks.sizes[b]
                for b in task.buffers
                if self.left[b] == 1 and b not in tasks.live_after
            )
            for made, task in zip(self.made, tasks.tasks, strict=True)
        ]
        self.is_ready = [False] * len(tasks.tasks)
        self.since = [0] * len(tasks.tasks)
        self.ready = []

    def run(self) -> list[int]:
        missing = [len(task.after) for task in self.tasks.tasks]
        followers = self.tasks.followers()
        order: list[int] = []
        is_done = [False] * len(missing)
        for number, count in enumerate(missing):
            if not count:
                self._push(number)
        while self.ready:
            added, made, _, number = heappop(self.ready)
            is_old = (added, made) != (self.added[number], self.made[number])
            if is_done[number] or is_old:
                continue
            is_done[number] = True
            order.append(number)
            self._use_buffers_of(number, is_done)
            for follower in followers[number]:
                missing[follower] -= 1
                if not missing[follower]:
                    self.since[follower] = len(order)
                    self._push(follower)
        return order

    def _push(self, number: int) -> None:
        self.is_ready[number] = True
        tie = -self.since[number] if self.newest_first else number
        heappush(self.ready, (self.added[number], self.made[number], tie, number))

    def _use_buffers_of(self, number: int, is_done: list[bool]) -> None:
        """Bring what other tasks add up to date. Each buffer is looked at twice."""
        tasks = self.tasks
        for buffer in tasks.tasks[number].buffers:
            size = tasks.sizes[buffer]
            self.left[buffer] -= 1
            becomes_live = not self.is_live[buffer]
            self.is_live[buffer] = True
            becomes_last = self.left[buffer] == 1 and buffer not in tasks.live_after
            if not (becomes_live or becomes_last):
                continue
            for user in self.users[buffer]:
                if is_done[user]:
                    continue
                if becomes_live:
                    self.made[user] -= size
                    self.added[user] -= size
                if becomes_last:
                    self.added[user] -= size
                if self.is_ready[user]:
                    self._push(user)


@dataclass(frozen=True)
class _State:
    """A set of tasks that are done, and one order of them."""

    peak: int
    live: int
    done: int
    last: int
    before: _State | None
    ready_before: tuple[int, ...]
    """The tasks that could have been the last one."""


def _beam(tasks: Tasks, limit: int, steps: int) -> list[int] | None:
    """Search for an order with a peak below `limit`; None if none is found."""
    number = len(tasks.tasks)
    users = [0] * len(tasks.sizes)
    if number * number > BITS_PER_STEP * steps:
        return None
    for index, task in enumerate(tasks.tasks):
        for buffer in task.buffers:
            users[buffer] |= 1 << index
    needed = [sum(1 << each for each in task.after) for task in tasks.tasks]
    followers = tasks.followers()
    live = sum(tasks.sizes[each] for each in tasks.live_before)
    first = tuple(index for index, mask in enumerate(needed) if not mask)
    states = [_State(live, live, 0, -1, None, first)]

    def do(state: _State, index: int, ready: tuple[int, ...]) -> _State:
        task, done, live = tasks.tasks[index], state.done | 1 << index, state.live
        freed = 0
        for buffer in task.buffers:
            mask = users[buffer]
            if not mask & state.done and buffer not in tasks.live_before:
                live += tasks.sizes[buffer]
            if not mask & ~done and buffer not in tasks.live_after:
                freed += tasks.sizes[buffer]
        peak = max(state.peak, live + task.extra)
        return _State(peak, live - freed, done, index, state, ready)

    for level in range(number):
        found: dict[int, _State] = {}
        spent = 0
        for state in states:
            ready = state.ready_before
            if state.last >= 0:
                ready = tuple(each for each in ready if each != state.last) + tuple(
                    each
                    for each in followers[state.last]
                    if not needed[each] & ~state.done
                )
            spent += len(ready) * (1 + number // BITS_PER_STEP)
            nexts = [do(state, index, ready) for index in ready]
            free = [n for n in nexts if n.peak == state.peak and n.live <= state.live]
            for after in free[:1] or nexts:
                known = found.get(after.done)
                if after.peak < limit and (
                    known is None or (after.peak, after.live) < (known.peak, known.live)
                ):
                    found[after.done] = after
        steps -= spent
        # What is left is for all levels to come, as if they were like this one.
        width = steps * len(states) // max(spent * (number - level), 1)
        if not found or steps < 0:
            return None
        states = nsmallest(max(1, min(width, WIDEST_BEAM)), found.values(), key=_rank)
    order: list[int] = []
    state = states[0]
    while state.before is not None:
        order.append(state.last)
        state = state.before
    return order[::-1]


def _rank(state: _State) -> tuple[int, int]:
    return state.peak, state.live
