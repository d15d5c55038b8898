"""Published packages keep their own tests green after xlafix has fixed them.

    python scripts/package_suites.py fetch                   download into .suites/ (ignored by git)
    python scripts/package_suites.py run [PACKAGE...]        the tests before and after, and a table
    python scripts/package_suites.py diff PACKAGE [--unsafe]  what xlafix changes in the package

`run` works on copies: one untouched, one after `xlafix fix --scope all .`, one after the same with
`--unsafe-fixes`. The chosen test files run in all of them, or only in the first where nothing was
changed. A test that passed before and does not afterwards is tried once more in both copies; if that
ends in the same way it is a regression, shown with its message and the diff, and the exit status is 1.

TensorFlow is that of the interpreter that runs this script. The packages and what they need besides go
into folders of their own and are put on PYTHONPATH, so that no environment is altered (Python 3.11).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from bench import ROOT, Ran, measured
from corpus import FINDINGS, BrokenError, decode, diff, snapshot, xlafix

SUITES = ROOT / ".suites"
PINS = "pins.txt"  # in each fetched package: what it was fetched from
LIMIT, AT_ONCE = 600.0, 2  # seconds for a test file, and how many run at a time
MODES = {"safe": ("fix",), "unsafe": ("fix", "--unsafe-fixes")}

# Requirements, in pip's format, with spaces between them.
PROBABILITY = "tensorflow-probability==0.25.0 tf-keras==2.21.0 cloudpickle==3.1.3 decorator==5.3.1"
MATPLOTLIB = """matplotlib==3.8.4 contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1
    pillow==13.0.0 pyparsing==3.3.3 python-dateutil==4.0.0"""
OLD_NUMPY = "numpy==1.26.4 scipy==1.10.1"
NO_JAX = {"libs/jax.py": 'raise ImportError("hidden: it needs numpy 2, and TensorFlow does without it")\n'}
# Keras 2 goes by the name of tf_keras nowadays.
KERAS_2 = """\
import sys
import tf_keras.src.engine.functional
import tf_keras.src.layers
for name in ("", ".engine", ".engine.functional", ".layers"):
    sys.modules["keras" + name] = sys.modules["tf_keras.src" + name]
"""


@dataclass(frozen=True)
class Package:
    """What to fetch and to run.

    pin: the package, in pip's format. module: what must import before anything is run. tests: globs under
    root. why: these only. needs: requirements besides TensorFlow. added: files to write beside what was
    fetched, path to text. keras_2: whether tf.keras is to be Keras 2. note: said in each run.
    """

    pin: str
    module: str
    root: str
    tests: str
    why: str
    needs: str
    added: Mapping[str, str] = field(default_factory=dict)
    keras_2: bool = True
    note: str = ""

    @property
    def name(self) -> str:
        return self.pin.partition("==")[0]

    @property
    def folder(self) -> Path:
        return SUITES / self.pin.split()[0].replace("==", "-")

    @property
    def pins(self) -> str:
        """Everything that the fetched folder depends on."""
        return json.dumps([self.pin, sorted(self.needs.split()), dict(self.added)], indent=1)

    def test_files(self, every: bool = False) -> list[str]:
        tree = self.folder / "tree"
        globs = ["**/test_*.py", "**/*_test.py"] if every else [self.root + one for one in self.tests.split()]
        return sorted({path.relative_to(tree).as_posix() for glob in globs for path in tree.glob(glob)})


PACKAGES = (
    Package(
        "dm-sonnet==2.0.2 --hash=sha256:4c2364cc9ed5f1d9754e00e52a59b8b4fb5194c109b66390f33c44a9c5a34b89",
        module="sonnet",
        root="sonnet/src/",
        tests="""base_test.py build_test.py conv_test.py linear_test.py metrics_test.py
            moving_averages_test.py recurrent_test.py nets/dnc/*_test.py nets/vqvae_test.py""",
        why="what loops or holds TensorArrays, and basic modules; the conformance tests take many minutes",
        needs="dm-tree==0.1.10 tabulate==0.10.0",
        keras_2=False,
    ),
    Package(
        "gpflow==2.11.2 --hash=sha256:5a134e92ab995e11422823d95844e2fc57901cfca13d37fe7d4af34e559045fb",
        module="gpflow",
        root="tests/gpflow/",
        tests="""conditionals/test_util.py likelihoods/test_switched*.py models/test_cglb.py
            models/test_gpr.py optimizers/test_n*.py optimizers/test_s*.py test_base*.py test_monitor.py
            utilities/test_ops.py utilities/test_training_loop.py""",
        why="what loops or partitions, optimizers, two models; single other files take over 200 CPU s",
        needs=f"""{PROBABILITY} {MATPLOTLIB} check-shapes==1.1.1 deprecated==1.3.1 dropstackframe==0.1.1
            dm-tree==0.1.10 lark==1.3.1 multipledispatch==1.0.0 tabulate==0.10.0""",
        added={"tree/tests/__init__.py": ""},  # without it `tests/gpflow` hides the package
    ),
    Package(
        "edward2==0.0.2 --hash=sha256:fab43ab87554409b713918bf0f1068f1209db10ea341879235503e0e7f734c6d",
        module="edward2",
        root="edward2/",
        tests="*_test.py numpy/*_test.py tensorflow/*_test.py tensorflow/layers/[dgmnru]*_test.py",
        why="all but five layers that neither loop nor recur",
        needs=f"{PROBABILITY} {OLD_NUMPY} dm-tree==0.1.10",
        added=NO_JAX,
        note="with numpy 1.26 and scipy 1.10, as it cannot be imported with scipy 1.11",
    ),
    Package(
        "nengo-dl==3.6.0 --hash=sha256:c0ca16c88196afc844a10d26d3e6a7c66b8e3a8f70d0dabbab4d08935735c975",
        module="nengo_dl",
        root="nengo_dl/tests/",
        tests="test_[lptu]*.py test_si*.py",
        why="the simulation loop and what it runs; the other files convert and configure",
        needs=f"""{OLD_NUMPY} {MATPLOTLIB} tf-keras==2.21.0 jinja2==3.1.6 markupsafe==3.0.4 nengo==3.2.0
            progressbar2==4.6.0 pytest==7.4.4 pytest-allclose==1.0.0 pytest-rng==1.0.0 python-utils==4.2.0""",
        added={**NO_JAX, "libs/keras.py": KERAS_2},
        note="with numpy 1.26 and an alias `keras` of tf_keras, as it needs numpy.product and keras.engine",
    ),
)


@dataclass
class Suite:
    """One run over test files. tests: (file, test) to "passed", "skipped" or why it failed.
    unfinished: file to why it has no results. seconds: file to wall time.
    """

    tests: dict[tuple[str, str], str] = field(default_factory=dict)
    unfinished: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def passed(self) -> set[tuple[str, str]]:
        return {test for test, outcome in self.tests.items() if outcome == "passed"}

    def show(self, title: str) -> None:
        """The numbers of the run, and what went wrong in it, each message once."""
        known = ("passed", "skipped")
        counts = Counter(one if one in known else "failed" for one in self.tests.values())
        print(f"{title}: {len(self.seconds)} files, {listed(counts)} in {sum(self.seconds.values()):.0f} s")
        failed = [(file, outcome) for (file, _), outcome in self.tests.items() if outcome not in known]
        reasons = Counter((file, outcome.partition("\n")[0][:150]) for file, outcome in failed)
        for (file, why), count in sorted(reasons.items()):
            print(f"  {count} failed in {file}: {why}")
        for file, why in self.unfinished.items():
            print(f"  not run to its end: {file}: {why}")


@dataclass
class Fixed:
    """What `xlafix fix` did to a copy. rules: code to fixes; left: code to findings that are left."""

    files: int
    patch: str
    rules: Counter[str]
    left: Counter[str]


def chosen(names: Sequence[str]) -> list[Package]:
    if unknown := set(names) - {package.name for package in PACKAGES}:
        sys.exit(f"no such package: {', '.join(sorted(unknown))}")
    return [package for package in PACKAGES if not names or package.name in names]


def is_fetched(package: Package) -> bool:
    pins = package.folder / PINS
    return pins.is_file() and pins.read_text() == package.pins


def pip(arguments: Sequence[str], lines: Sequence[str], cwd: Path) -> None:
    """Run pip on a requirements file of `lines`; raises BrokenError with its last words."""
    (cwd / "requirements.txt").write_text("\n".join(lines) + "\n")
    flags = ["--disable-pip-version-check", "--quiet", "--no-deps", "-r", "requirements.txt"]
    ran = measured([sys.executable, "-m", "pip", *arguments, *flags], cwd)
    if ran.code:
        raise BrokenError(f"pip failed ({ran.code})\n{ran.err.decode(errors='replace')[-2000:]}")


def unpack(archive: Path, tree: Path) -> None:
    """The content of a wheel, or of the one folder in a source distribution."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(tree)
        return
    with tarfile.open(archive) as source, tempfile.TemporaryDirectory(dir=tree.parent) as scratch:
        source.extractall(scratch, filter="data")
        next(Path(scratch).iterdir()).rename(tree)


def fetch_package(package: Package) -> None:
    """Fetch into a scratch folder, which takes the place of the package's only when it is complete."""
    SUITES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=SUITES, prefix=".fetch-") as name:
        scratch, whole = Path(name), Path(name, "whole")
        whole.mkdir()
        pip(["download", "--no-build-isolation", "-d", "archive"], [package.pin], scratch)
        pip(["install", "--no-warn-conflicts", "--target", "whole/libs"], package.needs.split(), scratch)
        unpack(next((scratch / "archive").iterdir()), whole / "tree")
        for path, text in package.added.items():
            (whole / path).write_text(text)
        (whole / PINS).write_text(package.pins)
        shutil.rmtree(package.folder, ignore_errors=True)
        whole.rename(package.folder)


def fetch() -> int:
    failed = 0
    for package in PACKAGES:
        try:
            if not is_fetched(package):
                fetch_package(package)
            print(f"{package.folder.name}: {len(package.test_files())} test files", flush=True)
        except BrokenError as broken:
            failed += 1
            print(f"FAILED {package.name}: {broken}", flush=True)
    return 1 if failed else 0


def python(package: Package, arguments: Sequence[str], tree: Path, home: Path) -> Ran:
    """Run Python in a copy. `home` takes what tests leave behind, so that two files cannot meet there."""
    paths = os.pathsep.join([str(tree), str(package.folder / "libs")])
    places = dict.fromkeys(("HOME", "TMPDIR", "TEST_TMPDIR", "XDG_CACHE_HOME"), str(home))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"), "1")
    fixed = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
    fixed["TF_USE_LEGACY_KERAS"] = str(int(package.keras_2))
    given = {**places, **threads, **fixed, "MPLBACKEND": "agg", "PYTHONPATH": paths}
    return measured([sys.executable, *arguments], tree, {**os.environ, **given}, LIMIT)


def read_junit(path: Path) -> dict[str, str]:
    """Test to outcome. A test may stand there twice, for an error when it is torn down: the worse counts."""
    found: dict[str, str] = {}
    for case in ElementTree.parse(path).iter("testcase"):
        name, outcome = f"{case.get('classname')}::{case.get('name')}", "passed"
        for child in case:
            if child.tag in ("failure", "error"):
                outcome = f"{child.get('message', '')}\n{(child.text or '')[-3000:]}"
            elif child.tag == "skipped":
                outcome = "skipped"
        if found.get(name, "passed") == "passed":
            found[name] = outcome
    return found


def run_tests(package: Package, tree: Path, files: Sequence[str]) -> Suite:
    """Run each test file in a process of its own, a few at a time; progress goes to standard error."""
    suite = Suite()

    def one(file: str) -> tuple[Ran, dict[str, str] | None]:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            report = Path(home, "junit.xml")
            flags = ["-p", "no:cacheprovider", "-q", "--rootdir", ".", f"--junitxml={report}"]
            ran = python(package, ["-m", "pytest", *flags, file], tree, Path(home))
            print(f"{ran.wall:6.0f} s, CPU {ran.cpu:4.0f} s: {file}", file=sys.stderr, flush=True)
            return ran, read_junit(report) if report.is_file() else None

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for file, (ran, tests) in zip(files, pool.map(one, files), strict=True):
            suite.seconds[file] = ran.wall
            if tests is None:
                why = f"not done after {LIMIT:.0f} s" if ran.wall >= LIMIT else f"exit status {ran.code}"
                suite.unfinished[file] = f"{why}: {(ran.out + ran.err).decode(errors='replace')[-800:]}"
            else:
                suite.tests |= {(file, name): outcome for name, outcome in tests.items()}
    return suite


def copied(package: Package, target: Path) -> Path:
    shutil.copytree(package.folder / "tree", target)
    return target


def fix(tree: Path, mode: str) -> Fixed:
    """Fix a copy; raises BrokenError where xlafix itself fails."""
    before = snapshot(tree)
    ran = xlafix([*MODES[mode], "--output-format", "json", "--scope", "all", "."], tree)
    payload, after = json.loads(ran.out), snapshot(tree)
    changed = [path for path in before if before[path] != after.get(path)]
    patches = [diff(path, decode(before[path])[0], decode(after[path])[0]) for path in changed]
    rules, left = (Counter(row["code"] for row in payload[key]) for key in ("applied", FINDINGS))
    return Fixed(len(changed), "\n".join(patches), rules, left)


def listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {key}" for key, count in sorted(counts.items())) or "none"


def run_fixed(package: Package, trees: Sequence[Path], base: Suite, mode: str, patch: str) -> tuple[int, int]:
    """(tests passed after a fix, regressions), and show the latter. trees: the copies without and with it."""
    suite = run_tests(package, trees[1], list(base.seconds))
    suite.show(f"after {mode} fixes")
    lost = sorted(base.passed() - suite.passed())
    again = [run_tests(package, tree, sorted({file for file, _ in lost})).passed() for tree in trees]
    real = [test for test in lost if test in again[0] - again[1]]
    for test in lost:
        word = "REGRESSION" if test in real else "flaky"
        says = suite.tests.get(test) or suite.unfinished.get(test[0], "there is no such test any more")
        print(f"  {word} {' '.join(test)}\n    {says}")
    if real:
        print(patch)
    return len(suite.passed()), len(real)


def run_package(package: Package) -> tuple[list[str], int]:
    """(the row of the table, the number of regressions)"""
    row, lost = package.pin.split()[0].split("=="), 0
    files, every = package.test_files(), package.test_files(every=True)
    print(f"\n== {' '.join(row)} {package.note}")
    print(f"{len(files)} of {len(every)} test files: {package.why}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name).resolve()
        pristine = copied(package, scratch / "before")
        tried = python(package, ["-c", f"import {package.module}"], pristine, scratch)
        if tried.code:
            print(f"it cannot be imported:\n{tried.err.decode(errors='replace').strip()[-1500:]}")
            return [*row, "no import", *["-"] * 5], 0
        base = run_tests(package, pristine, files)
        base.show("untouched")
        done: dict[str, str] = {"": "nothing changed"}  # patch to tests passed after it
        edits, after = [], []
        for mode in MODES:
            tree = copied(package, scratch / mode)
            fixed = fix(tree, mode)
            print(f"{mode} fixes: {listed(fixed.rules)}; findings left: {listed(fixed.left)}", flush=True)
            if fixed.patch not in done:
                passed, more = run_fixed(package, [pristine, tree], base, mode, fixed.patch)
                done[fixed.patch], lost = str(passed), lost + more
            edits.append(f"{fixed.files}/{fixed.rules.total()}")
            after.append(done[fixed.patch])
    return [*row, f"{len(base.passed())} of {len(base.tests)}", *edits, *after, str(lost)], lost


def run(names: Sequence[str]) -> int:
    head = ["package", "version", "passed before", "safe files/edits", "unsafe files/edits"]
    rows = [[*head, "passed after safe", "passed after unsafe", "regressions"]]
    packages, total = chosen(names), 0
    if missing := [package.name for package in packages if not is_fetched(package)]:
        sys.exit(f"not fetched: {', '.join(missing)}; run: python scripts/package_suites.py fetch")
    for package in packages:
        try:
            row, lost = run_package(package)
        except BrokenError as broken:
            print(f"FAILED {package.name}: {broken}")
            row, lost = [package.name, "xlafix failed", *["-"] * 6], 1
        rows.append(row)
        total += lost
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print()
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 1 if total else 0


def show_diff(name: str, mode: str) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        tree = copied(chosen([name])[0], Path(scratch).resolve() / "tree")
        print(fix(tree, mode).patch or "nothing changed")
    return 0


def main() -> int:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fetch", help="download the packages and what they need")
    runs = commands.add_parser("run", help="run the tests before and after the fixes")
    runs.add_argument("package", nargs="*", help="default: all")
    shows = commands.add_parser("diff", help="print what the fixes change")
    shows.add_argument("package")
    shows.add_argument("--unsafe", action="store_true", help="also fix with --unsafe-fixes")
    given = parser.parse_args()
    if given.command == "fetch":
        return fetch()
    if given.command == "run":
        return run(given.package)
    return show_diff(given.package, "unsafe" if given.unsafe else "safe")


if __name__ == "__main__":
    sys.exit(main())
