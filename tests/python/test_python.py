"""The Python package as its users have it: what it finds is what the program finds, and nothing that one hands over
ends the process. Run by run.sh, which knows where library and program are."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import qcd_starpu
from qcd_starpu import BadInput, Dirac, Error, GaugeField, MissingDevice, NotConverged, Session, read_source, run

LATTICE = (4, 2, 6, 8)
SITES = (8, 6, 2, 4)
WEAK = "weak:0.2"


def field():
    return GaugeField.generate(WEAK, LATTICE)


def of_program(command="solve", **options):
    return run(command, lattice=LATTICE, gauge=WEAK, cpus=1, **options).json


def random_spinors(*shape, seed=1):
    draw = np.random.default_rng(seed)
    return draw.normal(size=(*shape, *SITES, 4, 3)) + 1j * draw.normal(size=(*shape, *SITES, 4, 3))


def gammas():
    """gamma_x, gamma_y, gamma_z, gamma_t, gamma5 of docs/conventions.md."""
    s = [np.array(m) for m in ([[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]])]
    zero, one = np.zeros((2, 2)), np.eye(2)
    signs = (1j, -1j, 1j)
    all_four = [np.block([[zero, c * m], [-c * m, zero]]) for c, m in zip(signs, s)]
    all_four.append(np.block([[zero, one], [one, zero]]))
    return all_four, np.diag([1, 1, -1, -1])


def hop(links, psi):
    """H psi by NumPy, antiperiodic in t."""
    out = np.zeros_like(psi)
    four, _ = gammas()
    for mu, gamma in enumerate(four):
        u = links[mu].copy()
        if mu == 3:
            u[-1] *= -1
        axis = 3 - mu
        ahead = np.einsum("...ab,...sb->...sa", u, np.roll(psi, -1, axis))
        behind = np.roll(np.einsum("...ba,...sb->...sa", u.conj(), psi), 1, axis)
        out += np.einsum("st,...tc->...sc", np.eye(4) - gamma, ahead)
        out += np.einsum("st,...tc->...sc", np.eye(4) + gamma, behind)
    return out


class Open(unittest.TestCase):
    """With one session for all of a class."""

    @classmethod
    def setUpClass(cls):
        cls.session = Session(cpus=1)
        cls.U = field()
        cls.D = Dirac(cls.U, kappa=0.12)
        cls.b = read_source("random:3", LATTICE)

    @classmethod
    def tearDownClass(cls):
        cls.session.close()

    def close_to(self, a, b, most=1e-8):
        self.assertEqual(a.shape, b.shape)
        self.assertLess(np.linalg.norm(a - b), most * np.linalg.norm(b))


class TestNumbers(Open):
    def test_digests_are_the_programs(self):
        cases = [
            ({}, {}),
            ({"csw": 1.2, "mubar": 0.05}, {"method": "bicgstab"}),
            ({"boundary": "periodic"}, {"solver": "cg", "even_odd": False, "tol": 1e-7}),
            ({"theta": (0.25, 0, 0, 0.5)}, {"precision": "single", "plan": "graph", "tiles": (1, 1, 1, 2)}),
            ({}, {"method": "gcr", "sloppy": "single", "precondition": "mr:3", "restart": 4, "links": 18}),
        ]
        for operator, method in cases:
            with self.subTest(operator=operator, method=method):
                D = Dirac(self.U, kappa=0.12, **operator)
                got = self.session.solve(D, "random:3", **method)
                expected = of_program(kappa=0.12, source="random:3", **operator, **method)["solution"]
                self.assertEqual(got.digest, expected["digest"])
                self.assertLess(got.residual, 2e-4)
                self.assertTrue(got.command.startswith("qcd_starpu --lattice 4x2x6x8 --gauge weak:0.2 --kappa 0.12"))
                self.assertIn("--source random:3", got.command)

    def test_its_command_has_the_same_digest(self):
        got = self.session.solve(Dirac(self.U, kappa=0.12, csw=1), "random:3", method="bicgstab")
        out = subprocess.run([os.environ["QCD_STARPU_PROGRAM"], *got.command.split()[1:]], capture_output=True,
                             text=True, check=True, env=dict(os.environ))  # without StarPU's variables of the session
        self.assertIn(f"digest of x      {got.digest}", out.stdout)

    def test_the_plan_of_a_solve_is_used(self):
        for plan in ("graph", "batch:2", "replay"):
            self.assertTrue(self.session.solve(self.D, self.b, plan=plan).plan.startswith(plan.split(":")[0]))

    def test_a_propagator_is_the_programs(self):
        for options in ({"point": (1, 0, 2, 3), "smeared": (2, 10)}, {"wall": 2}):
            typed = {k: v if k == "wall" else ",".join(map(str, v)) for k, v in options.items()}
            expected = of_program("propagator", kappa=0.12, **typed)
            S = self.session.propagator(self.D, **options)
            self.assertEqual([r.digest for r in S.reports], [s["digest"] for s in expected["sources"]])
            for axis in "tz":
                self.assertEqual(list(S.pion(axis)), expected["pion"][axis]["correlator"])
                masses = [None if np.isnan(m) else m for m in S.effective_mass(axis)]
                self.assertEqual(masses, expected["pion"][axis]["effective_mass"])
        # by hand, of the wall
        by_slice = (np.abs(S.S) ** 2).sum(axis=(1, 2, 3, 4, 5, 6, 7))
        np.testing.assert_allclose(np.roll(by_slice, -2), S.pion(), rtol=1e-13)
        few = self.session.propagator(self.D, wall=2, rhs=5, dtype=np.complex64)  # 5 + 5 + 2
        self.assertEqual([r.digest for r in few.reports], [r.digest for r in S.reports])
        self.assertEqual(few.S.dtype, np.complex64)
        self.close_to(few.S, S.S, 1e-6)
        np.testing.assert_allclose(few.pion("z"), S.pion("z"), rtol=1e-13)

    def test_D_is_that_of_the_conventions(self):
        psi = random_spinors()
        expected = psi - 0.12 * hop(self.U.links, psi)
        self.close_to(self.session.apply(self.D, psi), expected, 1e-14)
        x = self.session.solve(self.D, psi).x
        self.close_to(x - 0.12 * hop(self.U.links, x), psi)
        twisted = Dirac(self.U, kappa=0.12, mubar=0.3)
        g5 = np.diagonal(gammas()[1])[:, None]
        self.close_to(self.session.apply(twisted, psi), expected + 0.3j * g5 * psi, 1e-14)

    def test_many_right_hand_sides(self):
        b = random_spinors(5)
        alone = [self.session.solve(self.D, one).digest for one in b]
        for rhs in (None, 1, 2, 5):
            together = self.session.solve(self.D, b, rhs=rhs)
            self.assertEqual(together.digest, alone)
            self.assertEqual(together.x.shape, b.shape)
            self.assertEqual(len(together.table()), 5)
        named = self.session.solve(self.D, ["random:3", "random:4"])
        self.assertEqual(named.digest[0], self.session.solve(self.D, self.b).digest)
        self.assertEqual(named.x.shape, (2, *SITES, 4, 3))

    def test_guesses(self):
        first = self.session.solve(self.D, self.b)
        again = self.session.solve(self.D, self.b, guess=first.x)
        self.assertEqual((again.iterations, again.digest), (0, first.digest))
        self.assertEqual(self.session.solve(self.D, [*["random:3"] * 2], guess=np.stack([first.x] * 2)).iterations,
                         [0, 0])

    def test_bases(self):
        four, _ = gammas()
        x = self.session.solve(self.D, self.b).x
        for basis in ("chiral", "dirac"):
            u = qcd_starpu.spin_rotation(basis)
            np.testing.assert_allclose(u.T @ u, np.eye(4), atol=1e-15)
            turned = np.einsum("ts,...tc->...sc", u, self.b)  # U^T b
            found = self.session.solve(self.D, turned, basis=basis)
            self.close_to(np.einsum("st,...tc->...sc", u, found.x), x, 1e-13)
        np.testing.assert_allclose(qcd_starpu.spin_rotation("chiral").T @ four[3] @ qcd_starpu.spin_rotation("chiral"),
                                   -np.block([[np.zeros((2, 2)), np.eye(2)], [np.eye(2), np.zeros((2, 2))]]))
        S = self.session.propagator(self.D).S
        T = self.session.propagator(self.D, basis="dirac").S
        u = qcd_starpu.spin_rotation("dirac")
        self.close_to(T, np.einsum("as,...abcd,bq->...sqcd", u, S, u), 1e-13)
        with self.assertRaisesRegex(BadInput, "none of degrand-rossi, dirac, chiral"):
            self.session.solve(self.D, self.b, basis="weyl")

    def test_smearing(self):
        points = np.zeros((*SITES, 4, 3), complex)
        points[3, 2, 0, 1, 2, 1] = 1
        smeared = qcd_starpu.smear(points, self.U, 2, 5)
        sigma, psi = 2 ** 2 / (4 * 5), points
        for _ in range(5):
            h = np.zeros_like(psi)
            for mu in range(3):
                axis, u = 3 - mu, self.U.links[mu]
                h += np.einsum("...ab,...sb->...sa", u, np.roll(psi, -1, axis))
                h += np.roll(np.einsum("...ba,...sb->...sa", u.conj(), psi), 1, axis)
            psi = psi + sigma * (h - 6 * psi)
        self.close_to(smeared, psi, 1e-14)


class TestArrays(Open):
    def test_whatever_lies_how(self):
        expected = self.session.solve(self.D, self.b).digest
        holes = np.full((8, 12, 2, 8, 4, 6), np.nan, complex)
        holes[:, ::2, :, ::2, :, ::2] = self.b
        backwards = self.b[::-1, ::-1, ::-1, ::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1, ::-1, ::-1, ::-1]
        unaligned = np.frombuffer(b"\0" + self.b.tobytes(), np.uint8)[1:].view(complex).reshape(self.b.shape)
        locked = self.b.copy()
        locked.flags.writeable = False
        for name, b in {"Fortran": np.asfortranarray(self.b), "holes": holes[:, ::2, :, ::2, :, ::2],
                        "backwards": backwards, "big-endian": self.b.astype(">c16"), "unaligned": unaligned,
                        "read-only": locked, "list": self.b.tolist(),
                        "subclass": np.ma.masked_array(self.b)}.items():
            with self.subTest(name):
                self.assertEqual(self.session.solve(self.D, b).digest, expected)
        for name, links in {"Fortran": np.asfortranarray(self.U.links), "plain": self.U.links.copy(),
                            "big-endian": self.U.links.astype(">c16")}.items():
            with self.subTest(name):
                self.assertEqual(self.session.solve(Dirac(links, kappa=0.12), self.b).digest, expected)
        real = np.zeros_like(self.b.real, dtype=int)
        real[0, 0, 0, 0, 0, 0] = 1
        self.assertEqual(self.session.solve(self.D, real).digest,
                         self.session.solve(self.D, "point:0,0,0,0,0,0").digest)
        self.assertEqual(self.session.solve(self.D, np.broadcast_to(self.b, (2, *self.b.shape))).digest,
                         [expected, expected])

    def test_the_callers_arrays_stay(self):
        b, links = self.b.copy(), self.U.links.copy()
        D = Dirac(links, kappa=0.12)
        expected = self.session.solve(D, b).digest
        links[...] = 0  # D is a value
        self.assertEqual(self.session.solve(D, b, method="bicgstab").digest,
                         self.session.solve(self.D, b, method="bicgstab").digest)
        self.assertEqual(self.session.solve(D, b).digest, expected)
        self.assertTrue((b == self.b).all())
        with self.assertRaises(ValueError):
            self.U.links[0] = 1

    def test_complex64(self):
        b = self.b.astype(np.complex64)
        got = self.session.solve(self.D, b)
        self.assertEqual(got.x.dtype, np.complex64)
        exact = self.session.solve(self.D, b.astype(complex))
        self.assertEqual(got.digest, exact.digest)
        self.assertTrue((got.x == exact.x.astype(np.complex64)).all())
        self.assertTrue((np.asarray(got) == got.x).all())
        links = self.U.links.astype(np.complex64)
        self.close_to(self.session.solve(Dirac(links, kappa=0.12), self.b).x, self.session.solve(self.D, self.b).x, 1e-5)

    def test_what_is_wrong_is_said(self):
        s, D, b = self.session, self.D, self.b
        spoiled = b.copy()
        spoiled[1, 2, 0, 3, 2, 1] = np.nan
        no_links = self.U.links.copy()
        no_links[1, 3, 2, 1, 0] *= 1.1
        cases = [
            (lambda: s.solve(D, b[1:]), r"b: its shape is \(7, 6, 2, 4, 4, 3\), neither"),
            (lambda: s.solve(D, b[None, None]), "b: its shape"),
            (lambda: s.solve(D, b[None][:0]), "b: its shape"),
            (lambda: s.solve(D, np.array("text")), "not of numbers"),
            (lambda: s.solve(D, None), "not of numbers"),
            (lambda: s.solve(D, spoiled), r"b: a number of site 3,0,2,1 is not finite"),
            (lambda: s.solve(Dirac(no_links, kappa=0.12), b), r"links: the one of site 0,1,2,3 in direction y"),
            (lambda: s.solve(Dirac(self.U.links[..., ::-1], kappa=0.12), b), r"SU\(3\)"),
            (lambda: GaugeField(self.U.links[:3]), r"links: their shape"),
            (lambda: GaugeField(np.zeros((4, 3, 3, 3, 3, 3, 3))).plaquette(), "even"),
            (lambda: s.solve(Dirac(self.U, kappa=-1), b), "--kappa: '-1' is not a finite number above 0"),
            (lambda: s.solve(Dirac(self.U, kappa=np.nan), b), "--kappa"),
            (lambda: Dirac(self.U, kappa="x"), "kappa: 'x' is no number"),
            (lambda: s.solve(D, b, tol=0), "--tol"),
            (lambda: s.solve(D, b, tol=-1.0), "--tol"),
            (lambda: s.solve(D, b, method="qr"), "--solver: 'qr' is none of cr, cg, bicgstab, gcr"),
            (lambda: s.solve(D, b, restart=4), "--restart.*of --solver gcr"),
            (lambda: s.solve(D, b, plan="graph --rhs 2"), "blanks"),
            (lambda: s.solve(D, b, rhs=65), "--rhs"),
            (lambda: s.solve(D, b, rhs=0), "--rhs"),
            (lambda: s.solve(D, b, even_odd="maybe"), "--even-odd"),
            (lambda: s.solve(D, b, max_iterations=True), "--max-iterations"),
            (lambda: s.solve(D, b, method=object()), "--solver"),
            (lambda: s.solve(D, b, guess=np.stack([b, b])), "guess: there are 2"),
            (lambda: s.solve(D, "random:x"), "random:x"),
            (lambda: s.solve(D, "/nowhere"), "/nowhere"),
            (lambda: s.propagator(D, point=(0, 0, 0, 8)), "not on the lattice"),
            (lambda: s.propagator(D, point=5), "not on the lattice"),
            (lambda: s.propagator(D, smeared=(2, 1.5)), "smeared"),
            (lambda: s.propagator(D, smeared=(-2, 1)), "smearing"),
            (lambda: s.propagator(D, wall=1, point=(0, 0, 0, 0)), "not both"),
            (lambda: s.propagator(D, dtype=int), "dtype"),
            (lambda: s.propagator(D, tol=0), "--tol"),
            (lambda: s.apply(D, b[None]), "psi: one field"),
            (lambda: GaugeField.generate("weak:0.2", (4, 4, 4)), "four extents"),
            (lambda: GaugeField.generate("weak:0.2", "4x4x4x5"), "5"),
            (lambda: GaugeField.generate("weak:x", LATTICE), "weak:x"),
            (lambda: GaugeField.generate("quenched:-6,1,3", LATTICE), "quenched:BETA,SEED,SWEEPS"),
            (lambda: GaugeField.read("/nowhere"), "/nowhere"),
            (lambda: GaugeField.read("unit", LATTICE, reunitarize=True), "--reunitarize"),
            (lambda: Session(cpus=1), "close the session before"),
        ]
        for call, line in cases:
            with self.subTest(line):
                with self.assertRaisesRegex(BadInput, line) as caught:
                    call()
                self.assertEqual(len(str(caught.exception).splitlines()), 1)
        for call, line in [(lambda: s.solve(D, b, colour=3), "no keyword 'colour'"),
                           (lambda: s.solve(D, b, cpus=3), "which is one of Session"),
                           (lambda: s.solve(D, b, solver="cr", method="cg"), "given twice"),
                           (lambda: Dirac(self.U), "kappa and mass"),
                           (lambda: Dirac(self.U, kappa=0.1, mass=1), "kappa and mass"),
                           (lambda: s.solve(D), "missing")]:
            with self.subTest(line), self.assertRaisesRegex(TypeError, line):
                call()
        self.assertEqual(s.solve(D, b).digest, s.solve(D, "random:3").digest)  # after all that

    def test_not_converging_has_a_result(self):
        with self.assertRaisesRegex(NotConverged, "not converged: .* after 2 iterations") as caught:
            self.session.solve(self.D, self.b, max_iterations=2)
        result = caught.exception.result
        self.assertEqual((caught.exception.status, result.iterations), (1, 2))
        self.assertTrue(np.isfinite(result.x).all())


class TestFiles(Open):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name):
        return os.path.join(self.folder, name)

    def test_gauge_fields(self):
        for name in ("conf.lime", "a field.nersc", "conf.milc"):
            file = self.file(name)
            bits = 32 if name.endswith("milc") else 64
            self.U.save(file, bits)
            for read in (GaugeField.read(file), GaugeField.read(file, LATTICE, ignore_checksum=True)):
                self.assertEqual(read.lattice, LATTICE)
                self.assertLess(np.abs(read.links - self.U.links).max(), 1e-15 if bits == 64 else 1e-6)
                self.assertAlmostEqual(read.plaquette(), self.U.plaquette(), places=6)
        D = Dirac(GaugeField.read(self.file("conf.lime")), kappa=0.12)
        got = self.session.solve(D, "random:3")
        self.assertEqual(got.digest, self.session.solve(self.D, "random:3").digest)
        self.assertIn(self.file("conf.lime"), got.command)
        with self.assertRaisesRegex(BadInput, "bits"):
            self.U.save(self.file("x"), 16)
        with self.assertRaisesRegex(BadInput, "4x2x6x8"):
            GaugeField.read(self.file("conf.lime"), (4, 4, 4, 4))

    def test_thermalised_fields(self):
        U = GaugeField.generate("quenched:5.7,3,6", LATTICE)
        file = self.file("generated.lime")
        made = run("generate", lattice=LATTICE, beta=5.7, seed=3, sweeps=6, cpus=1, save=file).json
        self.assertAlmostEqual(U.plaquette(), made["history"][-1]["plaquette"], places=14)
        self.assertTrue((U.links == GaugeField.read(file).links).all())

    def test_propagators(self):
        S = self.session.propagator(self.D)
        S.save(self.file("S.lime"))
        for n in (0, 7):
            x = read_source(self.file("S.lime"), self.D, source_number=n)
            self.assertTrue((x == S.S[..., :, n // 3, :, n % 3]).all())
        out = run("check", file=[self.file("S.lime")]).text
        self.assertIn("propagator", out)
        with self.assertRaisesRegex(BadInput, "there are 12 spinors"):
            read_source(self.file("S.lime"), LATTICE)
        with self.assertRaisesRegex(BadInput, "no spinor 12"):
            read_source(self.file("S.lime"), LATTICE, source_number=12)
        with self.assertRaisesRegex(BadInput, "generated"):
            read_source("random:1", LATTICE, source_number=1)

    def test_reports_of_the_program_as_tables(self):
        trace = qcd_starpu.trace(self.file("t"), lattice=LATTICE, tiles=(1, 1, 1, 2), cpus=1)
        self.assertTrue(any(task["operation"].startswith("hopping") for task in trace.tasks))
        self.assertEqual(trace.json["tasks"], len(trace.tasks))
        self.assertEqual(len(qcd_starpu.trace(self.file("t")).tasks), len(trace.tasks))
        ranking = qcd_starpu.compare(lattice=LATTICE, sched=["lws", "eager"], repeat=2)
        self.assertEqual({case["sched"] for case in ranking.cases}, {"lws", "eager"})
        self.assertEqual(len(ranking.runs), 2 * 3)
        self.assertEqual({r["digest"] for r in ranking.runs}, {ranking.digest})
        try:
            import pandas
        except ImportError:
            print("SKIPPED: tables in pandas, which is not here")
            return
        self.assertEqual(len(pandas.DataFrame(trace.tasks)), len(trace.tasks))
        self.assertGreater(pandas.DataFrame(ranking.cases)["median"].min(), 0)
        self.assertEqual(len(pandas.DataFrame(self.session.solve(self.D, "random:3").table())), 1)

    def test_the_programs_failures(self):
        with self.assertRaisesRegex(BadInput, "--lattice: '3x3'") as caught:
            run("solve", lattice="3x3")
        self.assertEqual(caught.exception.result.status, 2)
        with self.assertRaises(NotConverged) as caught:
            run("solve", lattice=LATTICE, max_iterations=3)
        self.assertEqual(caught.exception.result.json["iterations"], 3)
        with self.assertRaisesRegex(BadInput, "no command 'sing'"):
            run("sing")
        with self.assertRaisesRegex(TypeError, "no keyword 'colour'"):
            run("solve", colour=1)


class TestKeywords(unittest.TestCase):
    def test_every_option_of_a_run_is_one(self):
        """The program's own help is what there is; each option of it is a keyword with the same text."""
        from qcd_starpu import _options, _program
        out = subprocess.run([os.environ["QCD_STARPU_PROGRAM"], "solve", "--help"], capture_output=True, text=True,
                             check=True).stdout
        typed = [line.split()[0].split(",") for line in out.splitlines() if line.startswith("  -")]
        known = _program._OPTIONS["solve"]
        self.assertEqual({name for names in typed for name in names} - {"--help", "-h", "--version", "--config"},
                         {name for row in known.rows.values() for name in row["names"]})
        self.assertEqual(len(known.rows), len(_options.COMMANDS["solve"]["options"]))
        readers = set()
        for row in known.rows.values():
            self.assertIn(" ".join(row["help"].split()[:4]), " ".join(out.split()))
            readers.update(row["of"])
        self.assertEqual(readers, {"session", "operator", "solve", "gauge", "source"})

    def test_help_has_the_rows(self):
        for function, words in {Session.__init__: ["cpus", "sched", "gpu_memory"], Dirac.__init__: ["kappa", "csw", "theta"],
                                Session.solve: ["solver, method", "sloppy_drop", "max_iterations"],
                                Session.propagator: ["precondition"], GaugeField.read.__func__: ["reunitarize"],
                                read_source: ["source_number"], qcd_starpu.compare: ["repeat"]}.items():
            for word in words:
                self.assertIn(f"    {word}: ", function.__doc__)

    def test_version(self):
        self.assertRegex(qcd_starpu.__version__, r"^\d+\.\d+\.\d+$")


class TestSessions(unittest.TestCase):
    def setUp(self):
        self.U = field()
        self.D = Dirac(self.U, kappa=0.12)

    def test_one_after_the_other(self):
        digests = set()
        for sched in ("lws", "eager"):
            with Session(cpus=1, sched=sched) as session:
                digests.add(session.solve(self.D, "random:3").digest)
                with self.assertRaisesRegex(BadInput, "close the session before"):
                    Session(cpus=1)
                digests.add(session.solve(self.D, "random:3").digest)
        self.assertEqual(len(digests), 1)
        session.close()  # again
        for call in (lambda: session.solve(self.D, "random:3"), lambda: session.propagator(self.D),
                     lambda: session.apply(self.D, np.zeros((*SITES, 4, 3))), session.__enter__):
            with self.assertRaisesRegex(Error, "session: it is closed"):
                call()

    def test_options_that_are_wrong(self):
        with self.assertRaisesRegex(BadInput, "--cpus: '-1'"):
            Session(cpus=-1)
        with self.assertRaisesRegex(MissingDevice, "no policy 'nobody'"):
            Session(sched="nobody", cpus=1)
        with self.assertRaisesRegex(TypeError, "which is one of run"):
            Session(json="x")
        with Session(cpus=1):
            pass

    def test_nobody_has_it_any_more(self):
        """Garbage that is collected at any allocation, cycles through sessions among it."""
        before = gc.get_threshold()
        gc.set_threshold(1)
        self.addCleanup(gc.set_threshold, *before)
        expected = set()
        for _ in range(3):
            session = Session(cpus=1)
            solution = session.solve(self.D, read_source("random:3", self.D))
            expected.add(solution.digest)
            cycle = [session, solution, self.D]
            cycle.append(cycle)
            del session, cycle
            gc.collect()
        self.assertEqual(len(expected), 1)
        self.assertEqual(solution.x.shape, (*SITES, 4, 3))

    def test_solutions_outlive_all(self):
        with Session(cpus=1) as session:
            x = session.solve(self.D, "random:3").x
            links = GaugeField.generate("unit", LATTICE).links
        del session
        gc.collect()
        self.assertTrue(np.isfinite(x).all() and np.isfinite(links).all())

    def ends(self, script, status=0):
        """A process of its own."""
        script = ("import numpy as np\nfrom qcd_starpu import *\n"
                  f"U = GaugeField.generate('weak:0.2', {LATTICE})\n"
                  "D = Dirac(U, kappa=0.12)\n" + script)
        out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        self.assertEqual(out.returncode, status, out.stderr)
        return out.stdout

    def test_the_end_of_a_process(self):
        digest = self.ends("s = Session(cpus=1)\nprint(s.solve(D, 'random:3').digest)")
        self.assertEqual(len(digest.strip()), 16)
        self.ends("import threading\ns = Session(cpus=1)\n"
                  "threading.Thread(target=lambda: s.solve(D, 'random:3')).start()")
        self.ends("s = Session(cpus=1)\nraise SystemExit(3)", 3)

    def test_a_fork_has_no_session(self):
        said = self.ends("import os\ns = Session(cpus=1)\ns.solve(D, 'random:3')\n"
                         "if os.fork() == 0:\n"
                         "    try:\n        s.solve(D, 'random:3')\n"
                         "    except Error as e:\n        print(e, flush=True)\n"
                         "    del s\n    os._exit(0)\n"
                         "os.wait()\nprint(s.solve(D, 'random:3').iterations)")
        self.assertIn("opened in another process", said)

    def test_threads_share_it(self):
        with Session(cpus=1) as session:
            digests = []
            operators = [Dirac(self.U, kappa=0.12), Dirac(self.U, kappa=0.11)]

            def work(i):
                for _ in range(3):
                    digests.append((i % 2, session.solve(operators[i % 2], "random:3").digest))

            threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            self.assertEqual(len(digests), 12)
            self.assertEqual(len(set(digests)), 2)


class TestInterrupts(unittest.TestCase):
    """A solve that takes half a minute and more."""

    @classmethod
    def setUpClass(cls):
        cls.session = Session(cpus=1)
        U = GaugeField.generate("random:1", (8, 8, 8, 8))
        cls.D = Dirac(U, kappa=0.2)
        cls.b = read_source("random:3", cls.D)
        cls.easy = Dirac(U, kappa=0.05)
        cls.expected = cls.session.solve(cls.easy, cls.b).digest

    @classmethod
    def tearDownClass(cls):
        cls.session.close()

    def endless(self):
        with self.assertRaises(Error):  # is no end by itself
            self.session.solve(self.D, self.b, method="cg", even_odd=False, tol=1e-300, max_iterations=10**9)
        self.fail("it has ended")

    def test_ctrl_c(self):
        for after in (0.0, 0.02, 0.4):
            timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
            begin = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                timer.start()
                self.endless()
            timer.join()
            self.assertLess(time.monotonic() - begin, after + 5)
            self.assertEqual(self.session.solve(self.easy, self.b).digest, self.expected)

    def test_many_of_them(self):
        def strike(*_):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, strike)
        try:
            for delay in np.linspace(0.0005, 0.03, 25):
                try:
                    signal.setitimer(signal.ITIMER_REAL, delay)
                    self.session.solve(self.easy, self.b)
                    signal.setitimer(signal.ITIMER_REAL, 0)
                except KeyboardInterrupt:
                    pass
            self.assertEqual(self.session.solve(self.easy, self.b).digest, self.expected)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def test_what_a_handler_raises(self):
        def late(*_):
            raise TimeoutError("late")

        before = signal.signal(signal.SIGALRM, late)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with self.assertRaisesRegex(TimeoutError, "late"):
                self.endless()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(self.session.solve(self.easy, self.b).digest, self.expected)

    def test_the_program_ends_with_its_caller(self):
        def strike(*_):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, strike)
        begin = time.monotonic()
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            with self.assertRaises(KeyboardInterrupt):
                run("solve", lattice=(8, 8, 8, 8), iterations=10**9, cpus=1)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertLess(time.monotonic() - begin, 10)

    def test_the_gil_is_free(self):
        counted = [0]
        end = threading.Event()

        def count():
            while not end.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        before = counted[0]
        with self.assertRaises(NotConverged):
            self.session.solve(self.D, self.b, method="cg", even_odd=False, tol=1e-300, max_iterations=300)
        during = counted[0] - before
        end.set()
        thread.join()
        self.assertGreater(during, 5)


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
