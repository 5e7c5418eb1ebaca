# SPDX-License-Identifier: MIT
"""Answers against labels: the figures of one method."""
import math

CLASSES = ["flat", "reservation", "warmup", "cyclic", "growth", "release"]


def quantile(values, q):
    if not values:
        return None
    values = sorted(values)
    at = q * (len(values) - 1)
    low, high = values[int(at)], values[min(int(at) + 1, len(values) - 1)]
    if math.isinf(high):
        return low if at == int(at) else high
    return low + (high - low) * (at - int(at))


def percent(part, whole):
    return "-" if not whole else "%.1f %%" % (100 * part / whole)


def wilson(hits, count, z=1.96):
    """95 % bounds of a share."""
    if not count:
        return None, None
    p, zz = hits / count, z * z / count
    middle = (p + zz / 2) / (1 + zz)
    half = z * math.sqrt(p * (1 - p) / count + zz / (4 * count)) / (1 + zz)
    return max(0.0, middle - half), min(1.0, middle + half)


def share(hits, count):
    return hits / count if count else None


class Figures:
    def __init__(self, labels, answers):
        self.count = len(labels)
        self.tp = self.fp = self.fn = self.tn = self.short = self.short_claims = 0
        self.confusion, self.class_f1, self.wrong, self.errors = {}, {}, [], []
        self.covered = self.bounded = 0
        self.delay = self.delay_p90 = self.ever_alarmed = None
        self.classifies = False
        for label in labels:
            self.add(label, answers.get((label.path, label.series)))
        self.finish()

    def add(self, label, answer):
        said = (answer or {}).get("verdict") or "none"
        grows = said == "growth"
        too_short = label.classes[:1] == ["undetermined"]
        self.classifies = self.classifies or said not in ("growth", "none", "steady")
        if label.growing:
            self.tp += grows
            self.fn += not grows
        elif label.growing is False:
            self.fp += grows
            self.tn += not grows
            self.short += too_short
            self.short_claims += too_short and grows
        right = self.add_class(label, said, too_short)
        missed = label.growing is not None and label.growing != grows
        if missed or right is False:
            self.wrong.append(("!" if missed else " ", label.trace, label.series, "|".join(label.classes), said,
                               label.cause))
        if label.growing and grows:
            self.add_slope(label, answer)

    def add_class(self, label, said, too_short):
        if not label.classes:
            return None
        if too_short:
            return said not in ("growth", "none") if label.growing is False else None
        truth = said if said in label.classes else label.classes[0]
        row = self.confusion.setdefault(truth, {})
        row[said] = row.get(said, 0) + 1
        return said in label.classes

    def add_slope(self, label, answer):
        slope, truth = answer.get("slope_bytes_per_epoch"), label.rate_per_epoch
        if slope is None:
            slope, truth = answer.get("slope_bytes_per_s"), label.rate_per_s
        if not truth or "slope_bytes_per_s" not in answer:
            return
        self.errors.append(abs(slope - truth) / truth if slope is not None else math.inf)
        low, high = answer.get("slope_low"), answer.get("slope_high")
        if "slope_low" in answer:
            self.bounded += 1
            self.covered += low is not None and high is not None and low <= truth <= high

    def finish(self):
        self.precision = share(self.tp, self.tp + self.fp)
        self.recall = share(self.tp, self.tp + self.fn)
        self.f1 = 2 * self.tp / (2 * self.tp + self.fp + self.fn) if self.tp else 0.0
        self.false_alarms = share(self.fp, self.fp + self.tn)
        self.false_alarms_low, self.false_alarms_high = wilson(self.fp, self.fp + self.tn)
        for c, row in self.confusion.items():
            hits, claims = row.get(c, 0), sum(r.get(c, 0) for r in self.confusion.values())
            self.class_f1[c] = 2 * hits / (sum(row.values()) + claims)
        scored = [f for c, f in self.class_f1.items() if c in CLASSES]
        self.macro_f1 = sum(scored) / len(scored) if scored and self.classifies else None
        self.slope_error, self.slope_error_p90 = quantile(self.errors, 0.5), quantile(self.errors, 0.9)
        self.coverage = share(self.covered, self.bounded)
        self.wrong.sort(key=lambda w: (w[0] != "!", w[1:]))

    def add_live(self, delays, alarmed, steady):
        self.delay, self.delay_p90 = quantile(delays, 0.5), quantile(delays, 0.9)
        self.ever_alarmed = share(alarmed, steady)

    def as_dict(self):
        return {k: v for k, v in vars(self).items() if k != "errors"}
