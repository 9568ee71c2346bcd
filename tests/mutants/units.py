"""What tests mutants: the cases of Boost.Test in an entry of ctest, each by itself, and other entries as a whole."""
import fnmatch
import json
import os
import re
import resource
import signal
import subprocess

MEMORY = 16 << 30


class Unit:
    """A case of Boost.Test, or another entry of ctest."""

    def __init__(self, name, entry, command):
        properties = {each['name']: each['value'] for each in entry['properties']}
        self.name, self.command, self.folder = name, command, properties['WORKING_DIRECTORY']
        self.environment = dict(each.split('=', 1) for each in properties.get('ENVIRONMENT', []))
        self.is_opencl = self.environment.get('CLOPT_TEST_DEVICE', '').startswith('opencl')
        self.seconds, self.reached = 0, set()

    def run(self, scratch, limit, variables):
        """Returns nothing, or how it failed."""
        environment = {**os.environ, **self.environment, **variables, 'CLOPT_CACHE_DIR': f'{scratch}/cache',
                       'TMPDIR': f'{scratch}/tmp'}
        os.makedirs(environment['TMPDIR'], exist_ok=True)

        def limits():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        with open(f'{scratch}/log', 'wb') as log, subprocess.Popen(
                self.command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, preexec_fn=limits) as process:
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if status is None:
            return 'time'
        if status == 0:
            return None
        return 'failure' if status > 0 else signal.Signals(-status).name


def cases_of(entry):
    """The cases of an entry that Boost.Test runs, by their labels."""
    program, *arguments = entry['command']
    filters = [each.split('=', 1)[1] for each in arguments if each.startswith('--run_test=')]
    listing = subprocess.run([program, '--list_content=DOT'], check=True, text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT).stdout
    names, labels, parents, leaves = {}, {}, {}, []
    for line in listing.splitlines():
        if match := re.match(r'(tu\d+)\[.*label="(.*?)(?:\|(.*))?"\];', line):
            node, name, rest = match.groups()
            names[node], labels[node] = name, set(re.findall(r'@(\w+)', (rest or '').partition('labels:')[2]))
            leaves.append(node)
        elif match := re.match(r'(tu\d+) -> (tu\d+);', line):
            parents[match[2]] = match[1]
            leaves = [each for each in leaves if each != match[1]]
    for leaf in leaves:
        path, own = [], set()
        node = leaf
        while node in parents:
            path.insert(0, names[node])
            own |= labels[node]
            node = parents[node]
        wanted = {each[1:] for each in filters if each.startswith('@')}
        unwanted = {each[2:] for each in filters if each.startswith('!@')}
        if path and (not wanted or wanted & own) and not unwanted & own:
            yield '/'.join(path)


def units_of(build, patterns, labels):
    listed = subprocess.run(['ctest', '--test-dir', build, '--show-only=json-v1'], check=True, capture_output=True, text=True)
    for entry in json.loads(listed.stdout)['tests']:
        properties = {each['name']: each['value'] for each in entry['properties']}
        if not any(fnmatch.fnmatch(entry['name'], each) for each in patterns):
            continue
        if not set(properties.get('LABELS', [])) & set(labels):
            continue
        if any(each.startswith('--run_test=') for each in entry['command']) and len(entry['command']) < 6:
            for case in cases_of(entry):
                yield Unit(f'{entry["name"]}: {case}', entry, [entry['command'][0], f'--run_test={case}'])
        else:
            yield Unit(entry['name'], entry, entry['command'])
