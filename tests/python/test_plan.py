"""Plans have the figures of the command's dry runs for the same jobs, and do not start MPI. OMPFACT is the command."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy
import ompfact
from everywhere import main
from ompfact import _mpi

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="hosts" prefix="h" suffix="" radical="1-4" speed="1e9f" core="2" bw="12.5MBps" lat="10us" sharing_policy="SPLITDUPLEX"/>
</platform>
"""


def dry_run(*words):
    command = [os.environ["OMPFACT"], "--dry-run", "--quiet", "--json", "-", *words]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


class Plans(unittest.TestCase):
    def same(self, forecast, reported):
        """Compares the fields of a forecast that the JSON has. There null is an unknown value."""
        common = set(reported) & set(forecast._fields)
        self.assertGreater(len(common), 20)
        for name in common:
            value = getattr(forecast, name)
            unknown = value is None or (isinstance(value, float) and not math.isfinite(value))
            self.assertEqual(None if unknown else value, reported[name], name)

    def test_forecasts_are_the_commands(self):
        self.same(ompfact.forecast("potrf", 3000, ranks=23), dry_run("--ranks", "23", "--dim", "3000", "potrf"))
        self.same(ompfact.forecast("getrf", 1000, 2000, ranks=6, nb=100, dtype="F", pivot="none", ranks_per_node=2),
                  dry_run("--ranks", "6", "--dim", "2000x1000", "--nb", "100", "--type", "c", "--pivot", "none",
                          "--ranks-per-node", "2", "getrf"))
        self.same(ompfact.forecast("posv", 900, ranks=5, nb=60, layout="2dbc:1x5", nrhs=70, structure="upper", checked=True),
                  dry_run("--ranks", "5", "--dim", "900", "--nb", "60", "--layout", "2dbc:1x5", "--nrhs", "70", "--uplo", "u",
                          "--check", "y", "posv"))
        self.same(ompfact.forecast("geqrf", 600, ranks=4, nb=50, tree="binary"),
                  dry_run("--ranks", "4", "--dim", "600", "--nb", "50", "--tree", "binary", "geqrf"))

    def test_the_example_is_the_commands(self):
        example = subprocess.run([sys.executable, ROOT / "examples" / "cholesky_forecast.py"], check=True, stdout=subprocess.PIPE,
                                 text=True).stdout
        reported = dry_run("--ranks", "23", "--threads", "64", "--dim", "50000", "--wire", "100gbit", "potrf")
        lines = dict(line.split() for line in example.splitlines())
        self.assertEqual(set(lines), set(ompfact.Forecast._fields))
        for name in set(reported) & set(lines):
            self.assertEqual(lines[name], "nan" if reported[name] is None else str(reported[name]))

    def test_copies(self):
        one, two = (ompfact.forecast("potrf", 6000, ranks=64, nb=40, copies=copies) for copies in (1, 2))
        self.assertTrue((one.copies, one.transfers_sums, two.copies) == (1, 0, 2))
        self.assertTrue(0 < two.transfers_sums < two.transfers < 0.85 * one.transfers)
        with self.assertRaisesRegex(ompfact.OmpfactError, "copies"):
            ompfact.forecast("potrf", 600, ranks=4, nb=40, copies=5)

    def test_unknown_values(self):
        forecast = ompfact.forecast("potri", 600, ranks=4, nb=50)
        self.assertIsNone(forecast.wire_transfers)
        self.assertTrue(math.isnan(forecast.work_bound_s) and math.isnan(forecast.predicted_s))

    def test_every_stored_tile_has_an_owner(self):
        plan = ompfact.Plan("potrf", 530, ranks=7, nb=40, owner=lambda i, j: (i + j) % 7)
        tiles = [plan.owner(i, j) for i in range(14) for j in range(14) if i >= j]
        self.assertEqual(tiles, [(i + j) % 7 for i in range(14) for j in range(14) if i >= j])
        self.assertEqual(max(map(tiles.count, range(7))), plan.forecast.tiles_max)
        self.assertEqual(plan.owner(0, 1), -1)
        self.assertRaises(IndexError, plan.owner, 14, 0)

    def test_loads_are_of_ranks_with_speeds(self):
        self.assertIsNone(ompfact.Plan("getrf", 600, ranks=4, nb=40).loads)
        loads = ompfact.Plan("getrf", 600, ranks=4, nb=40, speeds=[1, 1, 2, 4]).loads
        self.assertEqual((loads.time.shape, len(loads.points), loads.points[14].last_step), ((4,), 15, 14))
        self.assertGreater(loads.time.min(), 0)

    def test_auto_takes_one_of_its_candidates(self):
        plan = ompfact.Plan("potrf", 800, ranks=23, nb=40)
        choice = plan.choice()
        self.assertEqual(choice.chosen.name, plan.forecast.layout)
        self.assertIn(choice.chosen, choice.candidates)
        self.assertTrue(choice.chosen.balanced is True and choice.counted_mt == 20)
        self.assertEqual(choice.fewer is None, choice.fewer_ranks == 0)

    def test_weights_and_nodes(self):
        weights = [[1.0 + (i + j == 5) for j in range(15)] for i in range(15)]
        heavy = ompfact.forecast("getrf", 600, ranks=4, nb=40, weights=weights, layout="2dbc:2x2")
        even = ompfact.forecast("getrf", 600, ranks=4, nb=40, layout="2dbc:2x2")
        self.assertNotEqual(heavy.flops_max_over_mean, even.flops_max_over_mean)
        near = ompfact.forecast("getrf", 600, ranks=4, nb=40, layout="2dbc:2x2", node_of=[0, 0, 1, 1])
        self.assertEqual((near.nodes, even.nodes), (2, 4))
        self.assertLess(near.wire_transfers, even.wire_transfers)

    def test_precisions_are_those_of_samples(self):
        def entry(i, j):
            return (2.0 if i == j else 1e-9 if abs(i - j) > 40 else 0.01) * (1j if dtype == complex and i < j else 1)
        for dtype, tiles in ((float, 120), (complex, 225)):
            plan = ompfact.Plan("potrf" if dtype == float else "getrf", 600, ranks=4, nb=40, dtype=dtype, tile_precision=1e-9)
            self.assertIsNone(plan.precision_map())
            double = plan.forecast
            found = plan.precisions(entry)
            single = sum(i > j + 1 or dtype == complex and j > i + 1 for i in range(15) for j in range(15))
            self.assertEqual((found["single_tiles"], found["double_tiles"], found["widened"]), (single, tiles - single, 0))
            self.assertEqual(found["bytes"], numpy.dtype(dtype).itemsize * 1600 * (tiles - single / 2))
            self.assertLess(plan.forecast.transfer_bytes, double.transfer_bytes)
            seen = plan.precision_map()
            self.assertEqual((seen.shape, (seen == 1).sum(), (seen == -2).sum()), ((15, 15), single, 225 - tiles))
            self.assertEqual((seen[2, 0], seen[1, 0], seen[0, 0]), (1, 0, 0))
        with self.assertRaises(ompfact.OmpfactError):
            ompfact.Plan("potrf", 600).precisions(entry)
        with self.assertRaises(ZeroDivisionError):
            ompfact.Plan("potrf", 600, nb=40, tile_precision=1e-6).precisions(lambda i, j: i // j)

    def test_impossible_plans_are_refused(self):
        for wrong, status in ((dict(routine="potrg"), "OMPFACT_BAD_ARGUMENT"), (dict(ranks=0), "OMPFACT_BAD_ARGUMENT"),
                              (dict(layout="round"), "OMPFACT_BAD_LAYOUT")):
            with self.assertRaises(ompfact.OmpfactError) as caught:
                ompfact.Plan(**{"routine": "potrf", "n": 300, **wrong})
            self.assertEqual(caught.exception.status_name, status)
        self.assertRaises(TypeError, ompfact.Plan, "potrf", 300, speed=3)
        self.assertRaises(TypeError, ompfact.Plan, "potrf")

    def test_nodes_are_like_a_machine_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            machine = pathlib.Path(folder, "machine")
            machine.write_text("version 2\nhost there\ncpu a processor\ncores 5\nblas other\nrate d gemm 1 256 40\n", encoding="ascii")
            forecast = ompfact.forecast("potrf", 600, ranks=2, nb=40, bounds=True, machine=machine)
        self.assertTrue(forecast.threads == 5 and forecast.work_bound_s > 0)
        with self.assertRaises(ompfact.OmpfactError) as caught:
            ompfact.Plan("potrf", 600, machine="no/such/file")
        self.assertIn("no/such/file", caught.exception.message)

    def test_a_simulation_has_a_time(self):
        plan = ompfact.Plan("potrf", 300, ranks=8, nb=30, ranks_per_node=2)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "platform.xml")
            path.write_text(PLATFORM, encoding="ascii")
            try:
                platform = ompfact.Platform(path)
            except ompfact.OmpfactError as error:
                self.assertIn("SimGrid", error.message)
                self.skipTest(error.message)
        self.assertEqual(platform.hosts, 4)
        seconds = plan.simulate(platform)
        self.assertTrue(0 < seconds < 10 and plan.forecast.predicted_s == seconds)
        self.assertRaises(ompfact.OmpfactError, ompfact.Plan("geqrf", 300, ranks=4).simulate, platform)
        there = ompfact.forecast("potrf", 300, ranks=8, nb=30, ranks_per_node=2, platform=platform, bounds=True)
        self.assertTrue(there.threads == 1 and there.link_bound_s > 0)

    def tearDown(self):
        self.assertFalse(_mpi._flag("MPI_Initialized"))


if __name__ == "__main__":
    main()
