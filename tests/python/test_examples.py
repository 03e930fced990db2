"""What examples/README.md shows is what its commands print: test_examples.py EXAMPLES

In its blocks a line that begins with "$ " is a command, and what follows is what it prints; "..." stands for anything.
The commands run in their order in one folder. Those of a batch system are stubs, of which srun runs one process.
"""

import doctest
import os
import pathlib
import re
import subprocess
import sys
import tempfile

examples = pathlib.Path(sys.argv[1]).resolve()
STUBS = {
    "sbatch": 'echo "Submitted batch job 1"\nSLURM_JOB_ID=1 exec bash "$1"\n',
    "srun": 'shift\nif [ -n "${INTERRUPT:-}" ]; then echo \'{"ending": "interrupted"}\' >run.json; exit 1; fi\nexec "$@"\n',
    "scontrol": 'echo "$*" >>scontrol.log\n',
}


def sessions():
    """Commands with what they print."""
    text = (examples / "README.md").read_text(encoding="utf-8")
    for block in re.findall(r"(?:^    .*\n)+", text, re.MULTILINE):
        for session in re.split(r"^    \$ ", block, flags=re.MULTILINE)[1:]:
            lines = session.replace("\\\n", "").splitlines()
            yield lines[0], "".join(line[4:] + "\n" for line in lines[1:])


def main():
    failed = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tools = folder / "bin"
        tools.mkdir()
        (tools / "qcd_starpu").symlink_to(os.environ["QCD_STARPU_PROGRAM"])
        (tools / "python3").symlink_to(sys.executable)
        for tool, script in STUBS.items():
            (tools / tool).write_text("#!/bin/bash\n" + script)
            (tools / tool).chmod(0o755)
        (folder / "examples").symlink_to(examples)
        environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}

        def run(command, **more):
            return subprocess.run(command, shell=True, cwd=folder, env={**environment, **more}, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

        for command, expected in sessions():
            done = run(command)
            count += 1
            if done.returncode or not doctest.OutputChecker().check_output(expected, done.stdout, doctest.ELLIPSIS):
                print(f"{command}: status {done.returncode}, printed\n{done.stdout}expected\n{expected}")
                failed += 1
        # A job whose solve was interrupted comes again; one that has ended does not.
        log = folder / "scontrol.log"
        if log.exists():
            print("the job comes again although its solve has ended")
            failed += 1
        run("sbatch examples/job.slurm", INTERRUPT="1")
        if not log.exists() or log.read_text() != "requeue 1\n":
            print("the job of an interrupted solve does not come again")
            failed += 1
    print(f"{count} commands, {failed} failures")
    return bool(failed) or count < 6


sys.exit(main())
