#!/usr/bin/env python3
"""Finds the words of tools/words.txt in comments and strings: tools/words.py [FILE...]; by default in all of
product code, tests, tools and pages. Prints each line with what to write; the status is 1 where there is one."""
import os
import re
import sys

sys.dont_write_bytecode = True
from source_text import prose

TOOLS = os.path.dirname(os.path.realpath(__file__))
ROOMS = ['lib', 'backends', 'kernels_cl', 'apps', 'cluster', 'python', 'tests', 'tools', 'cmake', 'docs', '.github']
# Strings of tests are data, and programs.
TESTS = re.compile(r'(^|/)tests/')
# Texts of others and kept outputs are not ours to write.
EXEMPT = re.compile(r'(^|/)(corpus|data|dictionaries|expected|inputs|files-[^/]*)/|(^|/)words\.txt$|(^|/)tests/words/|\.svg$')


class WordList:
    """Lines `WORDS: WHAT TO WRITE`. A word stands for itself alone, and a blank for any blanks, a new line too."""

    def __init__(self, path=os.path.join(TOOLS, 'words.txt')):
        self.advice = {}
        with open(path, encoding='utf-8') as file:
            for line in file:
                if line.strip() and not line.startswith('#'):
                    words, advice = line.strip().split(': ', 1)
                    self.advice[words] = advice
        self.pattern = self.compiled(r'\s+')
        self.anywhere = self.compiled(r'[\s\W]+')  # marks of comments and strings may stand between words too

    def compiled(self, blank):
        either = '|'.join(words.replace(' ', blank) for words in sorted(self.advice, key=len, reverse=True))
        return re.compile(rf'(?<![\w-])(?:{either})(?![\w-])', re.I)

    def find(self, path, text):
        """Line number, words and advice of each place."""
        if EXEMPT.search(path) or not self.anywhere.search(text):
            return
        searched = prose(path, text, ('comment',)) if TESTS.search(path) else prose(path, text)
        for match in self.pattern.finditer(searched):
            words = ' '.join(match.group().lower().split())
            yield searched.count('\n', 0, match.start()) + 1, words, self.advice[words]


def main(paths):
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
            for line, words, advice in word_list.find(path, file.read()):
                print(f'{path}:{line}: "{words}": {advice}', file=sys.stderr)
                count += 1
    return 1 if count else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
