# SPDX-License-Identifier: MIT
"""A question of memwatch's, and its answer in a file."""
OBJECTS_MAX = 20000000
OBJECT_S = 0.7e-6  # that a snapshot is expected to take for each object


def count_objects():
    """In one call of C, which holds them for no longer."""
    return sum(map(len, itertools.starmap(gc.get_objects, ((),))))


def expected():
    """What a snapshot would take."""
    objects = count_objects()
    return [("objects", objects), ("expected", int(objects * OBJECT_S * 1000))]


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
        if request[0] == b"count":
            lines += expected()
        elif request[0] != b"counters":
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
    """b"count\n" (of the objects, which also makes this ready: all snapshots come as soon after their question), b"afresh\n"
    (the first of a new comparison), b"snapshot\n" or b"counters\n"."""
    began, worked = time.monotonic(), time.thread_time()
    with working:
        lines = [] if ending else lines_for(request.split())
    lines.append(("took", int((time.monotonic() - began) * 1000)))
    lines.append(("worked", int((time.thread_time() - worked) * 1000)))
    write(path, lines)
