"""Mutants, and the copy of the sources that they are written and built in."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from candidates import Place

ROOT = pathlib.Path(__file__).resolve().parents[2]
STANDARD = b'#include <string_view>\n'
HOOK = b'#include <%s>\n' % str(ROOT / 'tests' / 'mutants' / 'mutant.hpp').encode()
LANGUAGE = 'kernels_cl/shared/language.h'  # is C++ in one half, and what all shared headers include
ERROR = re.compile(r'^(/[^:\n]+):(\d+):(\d+): (?:fatal )?error: (.*)$', re.M)


def one_line(text):
    return ' '.join(text.split())


class Mutant:
    def __init__(self, number, place, text, source):
        self.number, self.place, self.text = number, place, text
        self.original = source[place.begin:place.end]
        self.line_number = source.count(b'\n', 0, place.begin) + 1
        self.line = source.split(b'\n')[self.line_number - 1].strip().decode()
        self.noticed_by, self.state = None, 'not compiled'

    def key(self):
        return (self.place.file, self.place.function, self.line, one_line(self.original.decode()),
                one_line(self.text.decode()))

    def describe(self):
        file, function, line, original, text = self.key()
        return f'{file} {function}\nline: {line}\nfrom: {original}\nto: {text}\n'

    def report(self):
        return {'number': self.number, 'file': self.place.file, 'line': self.line_number, 'function': self.place.function,
                'text': self.line, 'original': self.original.decode(), 'mutant': self.text.decode(), 'state': self.state,
                'noticed_by': self.noticed_by, 'begin': self.place.begin, 'end': self.place.end, 'kind': self.place.kind,
                'is_constexpr': self.place.is_constexpr}

    @classmethod
    def from_report(cls, report, texts):
        file = report['file']
        texts.setdefault(file, (ROOT / file).read_bytes())
        place = Place(file, *(report[each] for each in ('begin', 'end', 'kind', 'function', 'is_constexpr')))
        mutant = cls(report['number'], place, report['mutant'].encode(), texts[file])
        if (mutant.line, mutant.original.decode()) != (report['text'], report['original']):
            sys.exit(f'{file} has changed since the last report: draw again')
        mutant.state, mutant.noticed_by = report['state'], report['noticed_by']
        return mutant


class Copy:
    """The sources with the mutants, and their build."""

    def __init__(self, folder):
        self.folder, self.build = folder, folder / 'build'

    def update(self, changed):
        """Writes all files, with what has changed of some. A file that stays as it was keeps its time."""
        for file in self.files:
            target, content = self.folder / file, changed.get(file) or (ROOT / file).read_bytes()
            if not target.exists() or target.read_bytes() != content:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                shutil.copymode(ROOT / file, target)

    def configure(self):
        if self.folder == ROOT:
            sys.exit('the copy needs a folder of its own')
        listed = subprocess.run(['git', '-C', ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                                check=True, capture_output=True, text=True).stdout
        self.files = [file for file in listed.split('\0') if file and (ROOT / file).is_file()]
        if not (self.build / 'build.ninja').exists():
            self.update({})
            launcher = ['-DCMAKE_CXX_COMPILER_LAUNCHER=ccache'] if shutil.which('ccache') else []
            platforms = os.environ.get('CLOPT_TEST_PLATFORMS', ROOT / '.platforms')
            subprocess.run(['cmake', '--preset', 'release', '-DCMAKE_CXX_FLAGS=-w -Wno-narrowing',
                            f'-DCLOPT_TEST_PLATFORMS={platforms}', '-DCLOPT_TEST_WIDE=ON', *launcher],
                           cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def rewrite(self, mutants, texts):
        """Writes the files with the mutants, each around those inside of it, and notes where each stands."""
        self.ranges, files = {}, {}
        for mutant in mutants:
            files.setdefault(mutant.place.file, []).append(mutant)
        changed = {}
        if any(file.startswith('kernels_cl/') for file in files):
            changed[LANGUAGE] = (ROOT / LANGUAGE).read_bytes().replace(STANDARD, STANDARD + HOOK)
        for file, here in files.items():
            here.sort(key=lambda mutant: (mutant.place.begin, -mutant.place.end, mutant.place.kind))
            self.ranges[file] = []
            start = b'' if file.startswith('kernels_cl/') else HOOK
            changed[file] = start + self.rewritten(texts[file], here, self.ranges[file], len(start))
        self.update(changed)

    def rewritten(self, text, mutants, ranges, start):
        def part(begin, end, inside, position):
            result = b''
            while inside:
                first = inside.pop(0)
                nested = []
                while inside and inside[0].place.begin < first.place.end:
                    nested.append(inside.pop(0))
                result += text[begin:first.place.begin]
                begin = first.place.end
                at = position + len(result)
                # The length of what stands before the original is that of a choice with nothing.
                marker = b'\0original\0'
                around = first.place.choice(first.number, first.text, marker)
                original = part(first.place.begin, first.place.end, nested, at + around.index(marker))
                result += around.replace(marker, original)
                ranges.append((at, position + len(result), first))
            return result + text[begin:end]
        return part(0, len(text), list(mutants), start)

    def compile(self, targets):
        """Builds what compiles. Returns the mutants at which errors stand, or nothing where all is built."""
        result = subprocess.run(['cmake', '--build', self.build, '--target', *targets, '--', '-k', '0'], check=False,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
        if result.returncode == 0:
            return []
        wrong = set()
        for file, line, column, _ in ERROR.findall(result.stdout):
            file = os.path.relpath(file, self.folder)
            if file not in self.ranges:
                continue
            lines = (self.folder / file).read_bytes().split(b'\n')
            begin = sum(len(each) + 1 for each in lines[:int(line) - 1])
            at, end = begin + int(column) - 1, begin + len(lines[int(line) - 1])
            around = [each for each in self.ranges[file] if each[0] <= at < each[1]]
            on_line = [each for each in self.ranges[file] if each[0] < end and begin < each[1]]
            innermost = [min(around, key=lambda each: each[1] - each[0])] if around else on_line
            wrong.update(each[2] for each in innermost)
        if not wrong:
            sys.exit(f'the copy does not compile, and not by a mutant:\n{result.stdout[-6000:]}')
        return sorted(wrong, key=lambda mutant: mutant.number)
