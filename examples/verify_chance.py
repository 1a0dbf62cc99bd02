#!/usr/bin/env python3
"""Checks the chance of a match from its replay: commitment, seats, and every number drawn.

    python3 examples/verify_chance.py REPLAY.json [COMMITMENT]
    python3 examples/verify_chance.py --vectors VECTORS.json

COMMITMENT is the one noted during the match. Written from docs/guides/fairness.md alone; it needs
Python 3.8 and nothing else. Exit codes: 0 all right, 1 something is wrong, 2 wrong usage.
"""

import hashlib
import hmac
import json
import sys

RANGE = 2**32
# Object balls of each variant of pool.
POOL_BALLS = {"eightball": 15, "nineball": 9}
# Each ball of a rack lies up to 20 micrometres off, each way: 41 places.
POOL_PLACES = 41
POOL_OFF = 20


class Wrong(Exception):
    """Something in the replay is not what the seed makes of it."""


def check(is_right, what):
    if not is_right:
        raise Wrong(what)


def commitment_of(seed):
    return hashlib.sha256(seed.encode("utf-8")).hexdigest()


class Chance:
    """The numbers of a seed and a text, from the counter's 0 on."""

    def __init__(self, seed, text):
        self.key = seed.encode("utf-8")
        self.text = text
        self.counter = 0

    def value(self):
        message = f"{self.text}:{self.counter}".encode("utf-8")
        self.counter += 1
        digest = hmac.new(self.key, message, hashlib.sha256).digest()
        return int.from_bytes(digest[:4], "big")

    def number(self, below):
        limit = RANGE - RANGE % below
        while True:
            value = self.value()
            if value < limit:
                return value % below


def draw_seats(seed, seats):
    chance = Chance(seed, "seats")
    order = list(range(seats))
    for last in range(seats - 1, 0, -1):
        other = chance.number(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def check_seed(replay, noted):
    fairness = replay["fairness"]
    seed = fairness["seed"]
    check(isinstance(seed, str), "the seed is not shown: the match goes on, or the replay is cut")
    check(
        commitment_of(seed) == fairness["commitment"],
        "the seed does not match the commitment",
    )
    check(
        noted is None or noted == fairness["commitment"],
        "the commitment is not the one that was noted",
    )
    entropy = json.loads(fairness["entropy"])
    check(
        isinstance(entropy, list)
        and len(entropy) == replay["seats"]
        and all(isinstance(text, str) for text in entropy),
        "the entropy is not one text for each seat",
    )
    return seed


def check_seats(replay, seed):
    drawn = replay["drawnSeats"]
    if drawn is None:
        return "seats follow the order of the players"
    order = draw_seats(seed, replay["seats"])
    check(drawn == order[: len(drawn)], f"the seats {drawn} are not those drawn: {order}")
    check(
        sorted(player["seat"] for player in replay["players"]) == sorted(drawn),
        "the players do not sit on the seats that were drawn",
    )
    return f"seats were taken in the order {drawn}"


def check_numbers(replay, seed):
    """Every number that is told is the next one that the seed gives."""
    chance = Chance(seed, replay["fairness"]["entropy"])
    told = replay["chance"]
    check(isinstance(told, list), "the numbers are not told")
    versions = [record["v"] for record in told]
    check(versions == sorted(set(versions)), "the numbers are not in the order of the records")
    for record in told:
        check(len(record["draws"]) > 0, f"record {record['v']} is listed and drew nothing")
        for below, number in record["draws"]:
            check(1 <= below <= RANGE, f"record {record['v']} draws below {below}")
            right = chance.number(below)
            check(
                number == right,
                f"record {record['v']} tells {number} below {below}, and the seed gives {right}",
            )
    return {record["v"]: [tuple(draw) for draw in record["draws"]] for record in told}


def check_nothing(_replay, draws):
    check(not draws, "numbers are told, and this game draws none")
    return []


def check_ludo(replay, draws):
    dice = []
    for step in replay["inputs"]:
        rolls = draws.pop(step["v"], [])
        wanted = 1 if step["action"].get("roll") is True else 0
        check(len(rolls) == wanted, f"record {step['v']} rolls {len(rolls)} dice instead of {wanted}")
        dice += [(step["v"], below, number) for below, number in rolls]
    for step in replay["controls"]:
        if step["kind"] == "missed":
            dice += [(step["v"], below, number) for below, number in draws.pop(step["v"], [])]
    check(all(below == 6 for _, below, _ in dice), "a die has not six sides")
    check(not draws, f"numbers are told of records that roll nothing: {sorted(draws)}")
    return [f"record {v}: a {number + 1}" for v, _, number in sorted(dice)]


def check_pool(replay, draws):
    lines = []
    variant = replay["variant"]
    balls = POOL_BALLS[variant]
    racking = ("rerack", "pass") if variant == "eightball" else ("rerack",)
    is_break = True
    for step in replay["inputs"]:
        v, action = step["v"], step["action"]
        if "shot" not in action:
            is_break = is_break or action["choose"] in racking
            continue
        numbers = draws.pop(v, [])
        wanted = [POOL_PLACES] * (2 * balls) if is_break else []
        check(
            [below for below, _ in numbers] == wanted,
            f"record {v} does not draw two places for each of {balls} balls"
            if is_break
            else f"record {v} breaks no rack and draws",
        )
        if not is_break:
            continue
        is_break = False
        off = [number - POOL_OFF for _, number in numbers]
        places = ", ".join(f"{n + 1} {off[2 * n]:+d} {off[2 * n + 1]:+d}" for n in range(balls))
        lines.append(f"record {v}: a rack, in micrometres off: {places}")
    check(not draws, f"numbers are told of records that break nothing: {sorted(draws)}")
    return lines


def list_draws(_replay, draws):
    """Of an operator's own game the values are checked. What it draws them for, its rules say."""
    return [
        f"record {v}: " + ", ".join(f"{number} below {below}" for below, number in each)
        for v, each in sorted(draws.items())
    ]


GAMES = {
    "tictactoe": check_nothing,
    "connect4": check_nothing,
    "checkers": check_nothing,
    "fight-arena": check_nothing,
    "ludo": check_ludo,
    "pool": check_pool,
}


def verify(replay, noted=None):
    """The lines to print. Raises Wrong, or an error of Python's for what is no replay."""
    seed = check_seed(replay, noted)
    seats = check_seats(replay, seed)
    draws = check_numbers(replay, seed)
    count = sum(len(each) for each in draws.values())
    lines = GAMES.get(replay["game"], list_draws)(replay, dict(draws))
    return [f"seed matches {commitment_of(seed)}", seats, *lines, f"right: {count} numbers"]


def verify_vectors(vectors):
    seed, entropy = vectors["seed"], vectors["entropy"]
    check(commitment_of(seed) == vectors["commitment"], "commitment")
    chance = Chance(seed, entropy)
    check([chance.value() for _ in vectors["values"]] == vectors["values"], "values")
    for each in vectors["numbers"]:
        chance = Chance(seed, entropy)
        drawn = [chance.number(each["below"]) for _ in each["drawn"]]
        check(drawn == each["drawn"], f"numbers below {each['below']}")
        check(chance.counter == each["counter"], f"counter of numbers below {each['below']}")
    for order in vectors["seats"]:
        check(draw_seats(seed, len(order)) == order, f"order of {len(order)} seats")
    return ["right: all vectors"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main(arguments):
    try:
        if len(arguments) == 2 and arguments[0] == "--vectors":
            lines = verify_vectors(read(arguments[1]))
        elif len(arguments) in (1, 2) and not arguments[0].startswith("-"):
            lines = verify(read(arguments[0]), *arguments[1:])
        else:
            print(__doc__.strip(), file=sys.stderr)
            return 2
    except Wrong as wrong:
        print(f"wrong: {wrong}")
        return 1
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"wrong: no replay that can be read: {error!r}")
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
