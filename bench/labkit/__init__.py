"""The parts of bench/lab, bench/seed and bench/speed: manifest, fetching, preparing, running, labels, results."""
