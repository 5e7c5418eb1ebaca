# SPDX-License-Identifier: MIT
"""By what something is known that is another object each time."""
# What a figure of a place is of:
ONE = 0  # the object that is there
CHAIN = 1  # what has come to it since the last one, which it leads to
ALL_OF = 2  # what all objects of a class have there, if it is large
SOME_OF = 3  # what they have there, as some of them tell


class Place(tuple):
    """(of, which, what, offset). A tuple, for C compares those and finds them in a dict; a named one would be made by Python
    code."""

    __slots__ = ()
    of = property(operator.itemgetter(0))  # the id of who refers to it, of the code whose variable it is, or of a class
    which = property(operator.itemgetter(1))  # of the references, or the name of the variable
    what = property(operator.itemgetter(2))
    offset = property(operator.itemgetter(3))  # of SOME_OF, in a dict of attributes: which reference of the object that is; else 0


def place_of(holder, count, which, what=ONE):
    """Of one of an object's references, which are so many. Of a generator from its end, where its variables are: the first change
    when they are asked for."""
    return Place((id(holder), which - count if id(type(holder)) in GENERATOR_IDS else which, what, 0))


def variable_place(code, names, which, what=ONE):
    return Place((id(code), names[which], what, 0))
