# SPDX-License-Identifier: MIT
"""The simple methods: what people do by eye, by mprof, or by a textbook test. Each says growth or steady."""
import math

WEEK_S = 7 * 86400
MACHINE_BYTES = 64 << 30


def fit(xs, ys):
    """least squares: slope, R squared"""
    n = len(xs)
    mx, my = sum(xs) / n, sum(ys) / n
    sxx = sum((x - mx) ** 2 for x in xs)
    sxy = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
    syy = sum((y - my) ** 2 for y in ys)
    if sxx == 0 or syy == 0:
        return 0.0, 0.0
    return sxy / sxx, sxy * sxy / (sxx * syy)


def thin(items, most):
    if len(items) <= most:
        return items
    return [items[i * len(items) // most] for i in range(most)]


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def theil_sen(xs, ys):
    slopes = [(ys[j] - ys[i]) / (xs[j] - xs[i]) for i in range(len(xs)) for j in range(i + 1, len(xs)) if xs[j] > xs[i]]
    return median(slopes) if slopes else 0.0


def mann_kendall(ys):
    """one-sided p value of a rise"""
    n = len(ys)
    s = sum((ys[j] > ys[i]) - (ys[j] < ys[i]) for i in range(n) for j in range(i + 1, n))
    ties = {}
    for y in ys:
        ties[y] = ties.get(y, 0) + 1
    var = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties.values())) / 18
    if var <= 0 or s <= 0:
        return 1.0
    return 0.5 * math.erfc((s - 1) / math.sqrt(var) / math.sqrt(2))


def by_epoch(points, pick):
    """[(epoch, pick(values))] of finished epochs without the first; ten pieces of time where there are no epochs"""
    groups = {}
    if any(e is not None for _, e, _ in points):
        for _, e, v in points:
            if e is not None:
                groups.setdefault(int(e), []).append(v)
        keys = sorted(groups)[1:-1]
    else:
        first, last = points[0][0], points[-1][0]
        for t, _, v in points:
            groups.setdefault(min(9, int(10 * (t - first) / max(1e-9, last - first))), []).append(v)
        keys = sorted(groups)[1:]
    return [(k, pick(groups[k])) for k in keys]


def answer(grows, per_s=None, per_epoch=None):
    out = {"verdict": "growth" if grows else "steady"}
    if per_s is not None or per_epoch is not None:
        out.update(slope_bytes_per_s=per_s, slope_bytes_per_epoch=per_epoch)
    return out


def last_against_first(points):
    return answer(points[-1][2] > 1.1 * points[0][2])


def any_slope(points):
    slope, _ = fit([p[0] for p in points], [p[2] for p in points])
    return answer(slope > 0, per_s=slope)


def slope_of_100_kb(points):
    slope, _ = fit([p[0] for p in points], [p[2] for p in points])
    return answer(slope > 100e3, per_s=slope)


def slope_of_a_fifth(points):
    slope, _ = fit([p[0] for p in points], [p[2] for p in points])
    level = sum(p[2] for p in points) / len(points)
    return answer(slope * (points[-1][0] - points[0][0]) > 0.2 * level, per_s=slope)


def kendall_of_samples(points):
    return answer(mann_kendall([p[2] for p in thin(points, 300)]) < 0.05)


def kendall_of_floors(points, share=0, most=0.05):
    """share: of the level, which the gain exceeds; most: the chance that there is none."""
    floors = by_epoch(points, min)
    if len(floors) < 4:
        return answer(False)
    xs, ys = [f[0] for f in floors], [f[1] for f in floors]
    slope = theil_sen(xs, ys)
    gain = slope * (xs[-1] - xs[0])
    return answer(gain > share * median(ys) and mann_kendall(ys) < most, per_epoch=slope)


def strict_kendall_of_floors(points):
    return kendall_of_floors(points, share=0.002, most=0.001)


def five_rising(points):
    ends = [v for _, v in by_epoch(points, lambda vs: vs[-1])][-6:]
    return answer(len(ends) == 6 and all(b > a for a, b in zip(ends, ends[1:])))


def two_thirds_rising(points):
    ends = [v for _, v in by_epoch(points, lambda vs: vs[-1])]
    ups = sum(b > a for a, b in zip(ends, ends[1:]))
    return answer(len(ends) >= 4 and 3 * ups > 2 * (len(ends) - 1))


def last_change(ys, least=8):
    """start of the last level, by binary segmentation of the mean, four cuts at most"""
    cuts = [0, len(ys)]
    noise = median([abs(b - a) for a, b in zip(ys, ys[1:])]) + 1
    for _ in range(4):
        best = None
        for low, high in zip(cuts, cuts[1:]):
            total, run = sum(ys[low:high]), 0.0
            for i in range(low + 1, high):
                run += ys[i - 1]
                if i - low < least or high - i < least:
                    continue
                gap = run / (i - low) - (total - run) / (high - i)
                gain = gap * gap * (i - low) * (high - i) / (high - low)
                if best is None or gain > best[0]:
                    best = (gain, i)
        if best is None or best[0] < 50 * noise * noise:
            break
        cuts = sorted(cuts + [best[1]])
    return cuts[-2]


def precog_like(points):
    """A line from the last change point, or any earlier one, to the end: rising, straight, full within a week."""
    points = thin(points, 400)
    ys = [p[2] for p in points]
    start = last_change(ys)
    for begin in sorted({start, start // 2, 0}, reverse=True):
        slope, r2 = fit([p[0] for p in points[begin:]], ys[begin:])
        if slope > 0 and r2 >= 0.75 and (MACHINE_BYTES - ys[-1]) / slope < WEEK_S:
            return answer(True, per_s=slope)
    return answer(False)


def method_of(judge):
    def method(trace, until):
        out = {}
        for name in trace.names():
            points = trace.points(name, until)
            out[name] = judge(points) if len(points) >= 8 else {"verdict": "steady"}
        return out
    return method


ALL = [(name, method_of(judge)) for name, judge in (
    ("last > 1.1 x first", last_against_first),
    ("mprof: least squares > 0", any_slope),
    ("least squares, 100 kB/s", slope_of_100_kb),
    ("least squares, 20 % in the run", slope_of_a_fifth),
    ("Mann-Kendall, samples", kendall_of_samples),
    ("Mann-Kendall, epoch floors", kendall_of_floors),
    ("the same, p < 0.001, > 0.2 %", strict_kendall_of_floors),
    ("Precog-like", precog_like),
    ("five rising epochs", five_rising),
    ("two thirds of epochs rise", two_thirds_rising),
)]
