import os


def mark_epoch(finished):
    try:
        with open(os.environ.get("MEMWATCH_MARKS", os.devnull), "a") as marks:
            marks.write(f"epoch {finished}\n")
    except OSError:
        pass  # a mark is never worth a training
