# SPDX-License-Identifier: MIT
"""A question of memwatch's, and its answer in a file."""
OBJECTS_MAX = 20000000
OBJECT_S = 0.7e-6  # that a snapshot is expected to take for each object


def count_objects():
    """In one call of C, which holds them for no longer."""
    return sum(map(len, itertools.starmap(gc.get_objects, ((),))))


def too_long(limit_ms):
    """What to say of a snapshot that would take longer than that; nothing of one that would not."""
    objects = count_objects()
    expected_ms = int(objects * OBJECT_S * 1000)
    return [("objects", objects), ("later", expected_ms)] if expected_ms > limit_ms else []


def take_snapshot():
    clock, known, question = Clock(), Known(), None
    with Turn() as turn:
        shot = Snapshot(known)
        try:
            if shot.objects > OBJECTS_MAX:
                return [("refused", "%d objects, more than %d" % (shot.objects, OBJECTS_MAX))]
            shot.look(known, turn)
            compare(shot, known, clock)
            if memory.taken > 1:
                question = Question(shot, known, Clock())
        finally:
            shot.let_go()
    lines = [("objects", shot.objects), ("snapshots", memory.taken), ("moment", shot.moment)]
    return lines + question.lines() + list(type_lines(shot)) if question else lines


def write(path, lines):
    """Whole or not at all: memwatch reads it when it gets its name."""
    with open(path + ".part", "w", encoding="utf-8", errors="replace") as out:
        out.write("memwatch names 1\n")
        for line in lines:
            out.write("\t".join(map(str, line)) + "\n")
        out.write("end\n")
    os.rename(path + ".part", path)


def lines_for(request):
    """Of a request, in words."""
    global memory
    lines = []
    try:
        if request[0] == b"afresh":
            memory = Memory()
            lines += too_long(int(request[1])) if len(request) > 1 else []
        if request[0] != b"counters" and not lines:
            lines += take_snapshot()
        lines += counter_lines()
    except BaseException as failure:
        trace, where = failure.__traceback__, ""
        while trace is not None:
            trace, where = trace.tb_next, trace.tb_frame.f_code.co_name
        lines = [("failed", "%s in %s() of the snapshot" % (type_name(type(failure)), where))]
        failure = trace = None
    return lines


def answer(request, path):
    """b"snapshot\n", b"afresh 300\n" (the first of a new comparison, if it takes no more milliseconds than that) or
    b"counters\n"."""
    began, worked = time.monotonic(), time.thread_time()
    with working:
        lines = [] if ending else lines_for(request.split())
    lines.append(("took", int((time.monotonic() - began) * 1000)))
    lines.append(("worked", int((time.thread_time() - worked) * 1000)))
    write(path, lines)
