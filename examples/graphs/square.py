"""Reads a number from standard input and prints its square."""

import json
import sys

print(json.dumps(json.load(sys.stdin) ** 2))
