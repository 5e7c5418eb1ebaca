# SPDX-License-Identifier: MIT
"""Plain Python and NumPy: a game is played against itself by a tree search whose tree is dropped after each move; values learnt."""
import math

import numpy as np

from training import Training

t = Training("selfplay", ["Epoch %(epoch)d/%(epochs)d value loss %(loss).4f", "epoch %(epoch)d: vloss %(loss).5f"])
WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
games, tries, hidden = t.lot.choice([2, 4]), t.lot.choice([30, 80]), t.lot.choice([16, 64])
first, second = t.rng.standard_normal((9, hidden)) * 0.3, t.rng.standard_normal(hidden) * 0.3


class Node:
    def __init__(self, board, player):
        self.board, self.player, self.children, self.visits, self.total = board, player, {}, 0, 0.0

    def grow(self):
        for move in (i for i in range(9) if not self.board[i]):
            self.children[move] = Node((*self.board[:move], self.player, *self.board[move + 1:]), -self.player)


def winner(board):
    return next((board[a] for a, b, c in WINS if board[a] and board[a] == board[b] == board[c]), 0)


def value(board):
    return float(np.tanh(np.maximum(np.array(board) @ first, 0) @ second))


def searched(node):
    path = [node]
    while node.children:
        node = max(node.children.values(), key=lambda n: node.player * n.total / (n.visits + 1)
                   + math.sqrt(math.log(node.visits + 2) / (n.visits + 1)))
        path.append(node)
    won = winner(node.board)
    if not won and 0 in node.board:
        node.grow()
    worth = won if won or 0 not in node.board else value(node.board)
    for step in path:
        step.visits += 1
        step.total += worth


def played():
    board, player, seen = (0,) * 9, 1, []
    while not winner(board) and 0 in board:
        root = Node(board, player)
        for _ in range(tries):
            searched(root)
        moves, visits = zip(*((m, n.visits + 0.1) for m, n in root.children.items()))
        board = root.children[t.lot.choices(moves, visits)[0]].board
        seen.append(board)
        player = -player
    return seen, winner(board)


for epoch in range(t.epochs):
    loss = 0.0
    for seen, won in [played() for _ in range(games)]:
        x = np.array(seen, dtype=float)
        deep = np.maximum(x @ first, 0)
        guess = np.tanh(deep @ second)
        gap = (guess - won) * (1 - guess ** 2) / len(x)
        back = np.outer(gap, second) * (deep > 0)
        first, second = first - 0.05 * x.T @ back, second - 0.05 * deep.T @ gap
        loss += float(((guess - won) ** 2).mean())
    t.epoch_ended(epoch, loss / games)
