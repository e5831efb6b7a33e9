"""The programs of client-sample/README.md: they stand there as they are in client-sample/first, and those that can be run here do."""

import os
import re
import subprocess
import sys

import harness

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'client-sample')
FILES = {'c': 'first_client.c', 'python': 'first_client.py', 'javascript': 'first_client.js', 'csharp': 'FirstClient.cs'}


def read(*path):
    with open(os.path.join(SAMPLE, *path), encoding='utf-8') as file:
        return file.read()


class FirstClients(harness.TestCase):
    def run_client(self, *command):
        server = self.serve()
        run = subprocess.run([*command, f'{server.host}:{server.port}'], env=harness.clean_environment(),
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=harness.PATIENCE_S, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        places = [float(x) for x in re.findall(r'^agent 1 is at (-?\d+\.\d\d), -?\d+\.\d\d m$', run.stdout, re.MULTILINE)]
        self.assertGreater(len(places), 10)
        self.assertLess(places[0], -5.5)
        self.assertGreater(places[-1], places[0] + 0.2)
        client = server.connect()
        harness.wait_until(lambda: not client.agents(), 'the walker leaves with its client')

    def test_the_one_in_c_steers_a_walker(self):
        self.run_client(os.path.join(os.path.dirname(harness.STEERD), 'first_client'))

    def test_the_one_in_python_steers_a_walker(self):
        self.run_client(sys.executable, '-B', os.path.join(SAMPLE, 'first', 'first_client.py'))

    def test_the_readme_shows_the_programs_as_they_are(self):
        blocks = dict(re.findall(r'```(c|python|javascript|csharp)\n(.*?)```\n', read('README.md'), re.DOTALL))
        self.assertEqual(sorted(blocks), sorted(FILES))
        for language, name in FILES.items():
            self.assertEqual(blocks[language], read('first', name), name)


if __name__ == '__main__':
    harness.main()
