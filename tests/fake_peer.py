"""A stand-in for other solvers: ``fake_peer.py ROLE ARGUMENTS`` reads and writes what the solver of that role does.

Its answer is the nodes in the order of the file: one tour, or a route for each customer.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import threading
import time
from pathlib import Path


def nodes(file: str) -> int:
    """The number of nodes of a TSPLIB file."""
    return int(re.search(r"DIMENSION : (\d+)", Path(file).read_text())[1])


def tour(n: int) -> str:
    return "TYPE : TOUR\nTOUR_SECTION\n" + "\n".join(map(str, range(1, n + 1))) + "\n-1\n"


def routes(n: int) -> str:
    return "".join(f"Route #{node}: {node}\n" for node in range(1, n))


def after(words: list[str], option: str) -> str:
    return words[words.index(option) + 1]


def spend(seconds: float) -> None:
    while time.process_time() < seconds:
        hashlib.pbkdf2_hmac("sha256", b"", b"", 1000)  # without Python's lock


def main(role: str, words: list[str]) -> None:
    if role == "plain":  # {file} {output}
        file, output = words[:2]
        Path(output).write_text(routes(nodes(file)) if file.endswith(".vrp") else tour(nodes(file)))
    elif role == "short":  # leaves out a city
        Path(words[1]).write_text(tour(nodes(words[0]) - 1))
    elif role == "burn":  # CPU time in a child of its own
        code = "import time\nwhile time.process_time() < 0.4: pass"
        subprocess.run([sys.executable, "-c", code], check=True)
        main("plain", words)
    elif role == "spend":  # so many CPU seconds on two threads
        threads = [threading.Thread(target=spend, args=(float(words[2]),)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        main("plain", words)
    elif role == "broken":
        print("no licence")
        sys.exit(3)
    elif role == "hang":
        time.sleep(600)
    elif role == "linkern":
        n = nodes(words[-1])
        print(f"  12 Steps   Best: 999   0.25 seconds\n {after(words, '-t')} limit")
        edges = [f"{city} {(city + 1) % n} 7\n" for city in range(n)]
        Path(after(words, "-o")).write_text(f"{n} {n}\n" + "".join(edges))
    elif role == "lkh":
        given = dict(re.findall(r"(\w+) = (.*)", Path(words[0]).read_text()))
        print("Preprocessing time = 0.75 sec.")
        print(f"limit {given['TIME_LIMIT']} trials {given['MAX_TRIALS']}")
        Path(given["TOUR_FILE"]).write_text(tour(nodes(given["PROBLEM_FILE"])))
    elif role == "hgs":
        file, output = words[:2]
        Path(output).write_text(routes(nodes(file)) + "Cost 1\n")
        Path(output + ".PG.csv").write_text("x;1;900;0.5\nx;1;800;1.5\n")
    elif role == "filo2":
        folder = Path(after(words, "--outpath"))
        (folder / "instance.vrp_seed-1.vrp.sol").write_text(routes(nodes(words[0])))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
