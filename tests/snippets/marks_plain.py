import os


def mark_epoch(finished):
    with open(os.environ.get("MEMWATCH_MARKS", os.devnull), "a") as marks:
        marks.write(f"epoch {finished}\n")
