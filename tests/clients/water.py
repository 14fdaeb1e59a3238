"""Three molecules of water in GPAW's LCAO mode; mpiexec -n 2 python3 water.py."""
from ase import Atoms
from gpaw import GPAW
from gpaw.mpi import world

MOLECULE = [(0, 0, 0), (0.757, 0.586, 0), (-0.757, 0.586, 0)]
PLACES = [(0, 0, 0.02), (0, 3.1, 0), (3.1, 0, 3.08)]
positions = [[p + m for p, m in zip(place, atom)] for place in PLACES for atom in MOLECULE]
atoms = Atoms("OHH" * len(PLACES), positions=positions, cell=[6.2] * 3, pbc=True)
atoms.calc = GPAW(mode="lcao", basis="dzp", h=0.3, txt=None, parallel={"sl_default": (1, world.size, 16)},
                  convergence={"density": 1e-5})
energy = atoms.get_potential_energy()
if world.rank == 0:
    print(f"energy {energy:.9f}")
