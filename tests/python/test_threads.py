"""Threads of a program use a grid one after the other, and grids of their own at a time; threads may end before the program."""
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy
import ompfact
from everywhere import Case, main, random

SIZE, TURNS = 120, 12


def error(grid, seed):
    """The error of a system of known solution."""
    a = random((SIZE, SIZE), seed=seed) + SIZE * numpy.eye(SIZE)
    return abs(ompfact.solve(a, a @ numpy.ones(SIZE), grid=grid) - 1).max()


class Threads(Case):
    def test_threads_end_one_after_the_other(self):
        """With two OpenMP threads, which keep memory of their callers."""
        errors = []
        with ompfact.Grid(threads=2) as grid:
            for seed in range(TURNS):
                thread = threading.Thread(target=lambda: errors.append(error(grid, seed)))
                thread.start()
                thread.join()
        self.assertEqual(len(errors), TURNS)
        self.assertLess(max(errors), 1e-12)

    def test_threads_of_one_grid_wait_for_each_other(self):
        """Each rank is alone here: ranks could not know of whose call the others are."""
        def singular_then_right(seed):
            with self.assertRaisesRegex(ompfact.LinAlgError, r"U\(1,1\) is exactly zero"):
                ompfact.solve(numpy.zeros((3, 3)), numpy.ones(3), grid=grid)
            with self.assertRaisesRegex(ompfact.OmpfactError, f"unknown layout \"{seed}\""):
                ompfact.Matrix(3, grid=grid, layout=str(seed))
            return error(grid, seed)
        with ompfact.Grid("self", threads=2) as grid, ThreadPoolExecutor(4) as threads:
            self.assertLess(max(threads.map(singular_then_right, range(TURNS))), 1e-12)
            grid.collect()
            self.assertEqual(grid.matrices, 0)

    def test_a_matrix_closed_during_a_wait_is_closed(self):
        with ompfact.Grid("self", threads=1) as grid, ThreadPoolExecutor(1) as threads:
            A = ompfact.Matrix(SIZE, grid=grid).fill(lambda i, j: 1.0 * (i == j))
            with grid._comm.lock:
                waiting = threads.submit(A.norm1)
                time.sleep(0.1)
                A.close()
            with self.assertRaisesRegex(ValueError, "the matrix is closed"):
                waiting.result(60)

    def test_each_thread_has_a_grid(self):
        def with_a_grid(seed):
            with ompfact.Grid("self", threads=1) as grid:
                return max(error(grid, seed + turn) for turn in range(TURNS))
        with ThreadPoolExecutor(2) as threads:
            self.assertLess(max(threads.map(with_a_grid, range(4))), 1e-12)

    def test_a_callback_reads_another_matrix_of_its_grid(self):
        """OpenMP's threads run the callback, while the thread of the call has the lock."""
        def filled():
            with ompfact.Grid("self", threads=2) as grid:
                A = ompfact.Matrix(SIZE, grid=grid, nb=40).fill(lambda i, j: i // 40 + 3.0 * (j // 40))
                B = ompfact.Matrix(SIZE, grid=grid, nb=40, structure="lower", precision=1e-4)

                def of_a(i, j):
                    with A.tile(i[0, 0] // 40, j[0, 0] // 40) as tile:
                        return tile.array.copy()
                with self.assertRaisesRegex(RuntimeError, "a callback cannot create a matrix"):
                    B.fill(lambda i, j: ompfact.Matrix(SIZE, grid=grid) and 0)
                B.fill(of_a)
                return B.to_array()[80, 40]
        with ThreadPoolExecutor(1) as threads:
            self.assertEqual(threads.submit(filled).result(60), 5)
        self.assertEqual(filled(), 5)


if __name__ == "__main__":
    main()
