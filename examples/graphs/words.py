"""Two tasks: the files of a directory, and the words of a file with how often they occur."""

import json
import os
import pathlib
import re
import sys
from collections import Counter

given = pathlib.Path(json.load(sys.stdin))
if os.environ["PAWL_TYPE"] == "words.list.v1":
    answer = sorted(str(file) for file in given.iterdir() if file.is_file())
else:
    answer = Counter(re.findall("[a-z]+", given.read_text(encoding="utf-8").lower()))
json.dump(answer, sys.stdout)
