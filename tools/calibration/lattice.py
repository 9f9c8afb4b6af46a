"""Evidence of frames in nats, and the likeliest path through frames and delays.

A frame of the reference is received at one of the delays, lost in place, or skipped: the line left it out, and what
follows came earlier. No place of the recording is used twice, and the order stays.
"""

from dataclasses import dataclass

import numpy as np

RECEIVED, LOST, SKIPPED = 0, 1, 2

LOUD = 0.7  # weight of a frame that shows what the line does
NATS = 3.5  # nats of one unit of a frame
MOST_UNITS = 4.0  # a single frame says no more
MOST_EXPECTED = 3.0  # nor is more expected of it
EXPECTED_OF_LINE = 0.45  # share that must be there for one delay to hold
EXPECTED_OF_FRAME = 0.2  # the same of a frame of a path
BEST_TENTH = 0.9
CHANGES = 2  # of the delay: away and back


def units_of(correlation):
    """What a frame shares with the reference: -log(1 - r^2), nothing where it is inverted."""
    r = np.clip(correlation, 0, 1)
    return np.minimum(MOST_UNITS, -np.log1p(-np.minimum(r * r, 1 - 1e-9)))


def choice(delays):
    """Nats that a choice among so many delays costs."""
    return np.log(max(2, delays))


def expected_units(quality, weight):
    return np.log1p(np.expm1(quality) * weight**2)


def expected_evidence(weight, quality):
    """Nats of frames of these weights, had all been received as well as the line lets expect."""
    return (NATS * weight * (1 - EXPECTED_OF_FRAME) * expected_units(quality, weight)).sum()


def evidence_of(correlation, weight, quality):
    """Nats for each frame's having been received at each delay, against its having been lost: [frame, delay]."""
    w = weight[:, None]
    return NATS * w * (units_of(correlation) - EXPECTED_OF_FRAME * expected_units(quality, w))


def quality_of(correlation, weight):
    """Units that may be expected of a loud frame: those of the best tenth; 0 where no frame is loud."""
    u = np.sort(units_of(correlation[weight >= LOUD]))
    return min(MOST_EXPECTED, u[int(BEST_TENTH * (len(u) - 1))]) if len(u) else 0.0


def one_delay_holds(correlation, weight, delays, least_correlation):
    """Whether no stretch of the frames falls short of what is expected by more than two changes of the delay cost."""
    quality = quality_of(correlation, weight)
    if quality < units_of(least_correlation):
        return False
    short = NATS * weight * (EXPECTED_OF_LINE * expected_units(quality, weight) - units_of(correlation))
    total = np.r_[0, np.cumsum(short)]
    return (total - np.minimum.accumulate(total)).max() <= CHANGES * choice(delays)


@dataclass(frozen=True)
class Costs:
    """Nats of what changes along a path."""

    step: float  # to any delay
    near_step: float  # to one no more than near_by samples away,
    near_by: int
    small_step: float  # and no more than small_by
    small_by: int
    begin_loss: float  # from received to lost,
    lost: float  # each further frame of it,
    end_loss: float  # and back


def costs_of(delays, hop, near_range, small_by, lose=0.003, regain=0.08, steps=4, alike=2):
    """Of a range of so many delays. `lose` and `regain` are chances in 4 ms, of which a hop has `steps`; a vowel's
    frames are `alike`, so that twice as much must speak for another place."""
    near_by = min(near_range, 2 * hop - 1)
    step = alike * choice(delays)
    return Costs(
        step=step,
        near_step=min(step, alike * choice(2 * near_by + 1)),
        near_by=near_by,
        small_step=1.0,
        small_by=small_by,
        begin_loss=-np.log(1 - (1 - lose) ** steps),
        lost=-steps * np.log(1 - regain),
        end_loss=-np.log(1 - (1 - regain) ** steps),
    )


class _Reached:
    """For each hop of the recording the best path that ends there, from whatever frame. Frames after that one count
    as lost: totals are larger by what all frames before would cost if lost."""

    def __init__(self, places):
        self.total = np.full(places, -np.inf)
        self.by = np.zeros((places, 3), int)  # frame, delay, whether lost

    def note(self, frame, place, total, lost):
        for c in range(len(place)):
            if total[c] > self.total[place[c]]:
                self.total[place[c]] = total[c]
                self.by[place[c]] = frame, c, lost[c]

    def before(self, place):
        """The best that lies no later than each place. Frames overlap by a half, so that the last place counts."""
        best = np.maximum.accumulate(self.total)
        first = np.maximum.accumulate(np.where(np.r_[True, best[1:] > best[:-1]], np.arange(len(best)), 0))
        return best[place], self.by[first[place]]


def likeliest_path(evidence, delays, costs, hop):
    """The index of the delay of every frame, and its fate. `delays` ascend."""
    frames, count = evidence.shape
    place = delays // hop - delays[0] // hop
    apart = abs(delays[:, None] - delays)
    near = np.where(apart <= costs.small_by, costs.small_step, np.where(apart <= costs.near_by, costs.near_step, np.inf))
    np.fill_diagonal(near, np.inf)
    own = np.arange(count)
    reached = _Reached(frames + place[-1])
    received, lost = evidence[0].copy(), np.zeros(count)
    origin = np.full((frames, count, 3), -1)  # of each received frame: frame, delay, whether lost
    stays_lost = np.ones((frames, count), bool)
    for j in range(frames):
        if j:
            far, far_by = reached.before(j + place)
            closest = (best - near).argmax(1)
            ways = np.stack([received, lost - costs.end_loss, best[closest] - near[own, closest],
                             far - costs.lost * (j - 1) - costs.step])
            way = ways.argmax(0)
            origin[j] = np.stack([np.full(count, j - 1), own, way == 1], 1)
            origin[j, way == 2] = np.stack([np.full(count, j - 1), closest, is_lost[closest]], 1)[way == 2]
            origin[j, way == 3] = far_by[way == 3]
            begins, stays = received - costs.begin_loss, lost - costs.lost
            stays_lost[j] = stays >= begins
            received, lost = ways[way, own] + evidence[j], np.maximum(begins, stays)
        best, is_lost = np.maximum(received, lost), lost > received
        reached.note(j, j + place, best + costs.lost * j, is_lost)
    return _trace_back(best, is_lost, origin, stays_lost, place)


def _trace_back(best, is_lost, origin, stays_lost, place):
    frames = len(origin)
    path, fate = np.zeros(frames, int), np.full(frames, LOST)
    j, c = frames - 1, int(best.argmax())
    lost = bool(is_lost[c])
    while j >= 0:
        path[j], fate[j] = c, LOST if lost else RECEIVED
        if lost:
            lost = stays_lost[j, c]
            j -= 1
            continue
        k, other, lost = (int(v) for v in origin[j, c])
        if k >= 0:
            # What the step back leaves out is gone, in the middle; the rest is lost on either side of it.
            between = j - 1 - k
            gone = int(np.clip(place[other] - place[c], 0, between))
            first = k + 1 + (between - gone) // 2
            path[k + 1 : first + gone // 2], path[first + gone // 2 : j] = other, c
            fate[k + 1 : j] = LOST
            fate[first : first + gone] = SKIPPED
            c = other
        j = k
    return path, fate


def settled(path, fate, evidence, is_pause, costs):
    """Each step within a pause lies in the middle of the places that lose no more than one small step costs."""
    path, fate = path.copy(), fate.copy()
    frames = len(path)
    first = 1
    while first < frames:
        end = first
        while end < frames and fate[end] == SKIPPED:
            end += 1
        if end == frames:
            break
        if fate[first - 1] != RECEIVED or fate[end] != RECEIVED or path[first - 1] == path[end]:
            first = end + 1
            continue
        before, behind = path[first - 1], path[end]

        def room(by):
            loses, gains = (behind, before) if by > 0 else (before, behind)
            lost, moved = 0.0, 0
            while True:
                leaves, comes = (end + moved, first + moved) if by > 0 else (first - 1 - moved, end - 1 - moved)
                if not all(0 <= k < frames and fate[k] == RECEIVED and path[k] == loses for k in (leaves, leaves + by)):
                    return moved
                if not (is_pause[leaves] and is_pause[comes]):
                    return moved
                lost += evidence[leaves, loses] - evidence[comes, gains]
                if lost > costs.small_step:
                    return moved
                moved += 1

        later, earlier = room(1), room(-1)
        begin, skipped = first + int((later - earlier) / 2), end - first
        low, high = min(first, begin), max(end, begin + skipped)
        path[low : begin + skipped // 2], path[begin + skipped // 2 : high] = before, behind
        fate[low:high] = RECEIVED
        fate[begin : begin + skipped] = SKIPPED
        first = end + later + 1
    return path, fate
