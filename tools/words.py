#!/usr/bin/env python3
"""Finds the words of tools/words.txt in comments and strings: tools/words.py [--names] [FILE...]; by default in all of
product code, tests, tools and pages; with --names in the names that sources have (told_twice, LentTeam). Prints each line
with what to write; the status is 1 where there is one."""
import os
import re
import sys

sys.dont_write_bytecode = True
from source_text import C_SUFFIXES, prose, tokens

TOOLS = os.path.dirname(os.path.realpath(__file__))
ROOMS = ['lib', 'backends', 'kernels_cl', 'apps', 'cluster', 'python', 'tests', 'tools', 'cmake', 'docs', '.github']
# Strings of tests are data, and programs.
TESTS = re.compile(r'(^|/)tests/')
# Texts of others and kept outputs are not ours to write.
EXEMPT = re.compile(r'(^|/)(corpus|data|dictionaries|expected|inputs|files-[^/]*)/|(^|/)words\.txt$|(^|/)tests/words/|\.svg$')


class WordList:
    """Lines `WORDS: WHAT TO WRITE`. A word stands for itself alone, and a blank for any blanks, a new line too. Lines
    `=NAME` have names of interfaces that are not ours to choose."""

    def __init__(self, path=os.path.join(TOOLS, 'words.txt')):
        self.advice = {}
        self.names = set()
        with open(path, encoding='utf-8') as file:
            for line in file:
                if line.startswith('='):
                    self.names.add(line[1:].strip())
                elif line.strip() and not line.startswith('#'):
                    words, advice = line.strip().split(': ', 1)
                    self.advice[words] = advice
        self.pattern = self.compiled(r'\s+')
        self.anywhere = self.compiled(r'[\s\W]+')  # marks of comments and strings may stand between words too

    def compiled(self, blank):
        either = '|'.join(words.replace(' ', blank) for words in sorted(self.advice, key=len, reverse=True))
        return re.compile(rf'(?<![\w-])(?:{either})(?![\w(`-])', re.I)  # no calls, no names

    def find(self, path, text):
        """Line number, words and advice of each place."""
        if EXEMPT.search(path) or not self.anywhere.search(text):
            return
        searched = prose(path, text, ('comment',)) if TESTS.search(path) else prose(path, text)
        for match in self.pattern.finditer(searched):
            words = ' '.join(match.group().lower().split())
            yield searched.count('\n', 0, match.start()) + 1, words, self.advice[words]

    def find_names(self, path, text):
        """The same of the words that make up a name; each name once."""
        seen = set()
        if EXEMPT.search(path) or os.path.splitext(path)[1] not in {*C_SUFFIXES, '.py', '.pyi'}:
            return
        for token in tokens(path, text):
            name = token.group('word')
            if name is None or name in seen or name in self.names:
                continue
            seen.add(name)
            parts = re.findall('[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])', name)
            if match := self.pattern.search(' '.join(parts)):
                words = match.group().lower()
                yield text.count('\n', 0, token.start()) + 1, f'{words}" in "{name}', self.advice[words]


def main(paths):
    has_names = paths[:1] == ['--names']
    if has_names:
        paths = paths[1:]
    if not paths:
        root = os.path.dirname(TOOLS)
        os.chdir(root)
        paths = [name for name in os.listdir() if name.endswith('.md')]
        paths += (os.path.join(folder, name) for room in ROOMS for folder, _, names in os.walk(room)
                  for name in names if not name.endswith('.pyc'))
    word_list = WordList()
    count = 0
    for path in sorted(paths):
        with open(path, encoding='utf-8', errors='replace') as file:
            find = word_list.find_names if has_names else word_list.find
            for line, words, advice in find(path, file.read()):
                print(f'{path}:{line}: "{words}": {advice}', file=sys.stderr)
                count += 1
    return 1 if count else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
