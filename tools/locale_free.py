#!/usr/bin/env python3
"""Finds what depends on the locale that an application has chosen: tools/locale_free.py [FILE...]; by default in all of
product code. Prints each line with what to write; the status is 1 where there is one."""
import os
import re
import sys

sys.dont_write_bytecode = True
from source_text import C_SUFFIXES, kind, tokens

TOOLS = os.path.dirname(os.path.realpath(__file__))
ROOMS = ['lib', 'backends', 'cluster', 'apps', 'python']
# Programs of their own, whose locale is that of C.
EXEMPT = re.compile(r'(^|/)(apps/(pagmo|example)/|python/make_options\.cpp$)')
NUMBERS = 'clopt/detail/numbers.hpp reads numbers'
WRITTEN = 'fmt::format() writes numbers'
KINDS = 'clopt/detail/characters.hpp knows kinds of characters'
CALLS = {
    **dict.fromkeys('strtod strtof strtold strtol strtoll strtoul strtoull atof atoi atol atoll stod stof stold stoi stol '
                    'stoll stoul stoull scanf sscanf fscanf vsscanf lexical_cast'.split(), NUMBERS),
    **dict.fromkeys('printf fprintf sprintf snprintf vsnprintf dprintf'.split(), WRITTEN),
    **dict.fromkeys('isalpha isalnum isdigit isspace isupper islower isprint ispunct iscntrl isgraph isxdigit isblank '
                    'tolower toupper strcasecmp strncasecmp'.split(), KINDS),
    **dict.fromkeys('setlocale localeconv strcoll strxfrm strftime put_time get_time put_money regex'.split(),
                    'there is no locale here'),
}
STREAM = re.compile(r'\b(?:std::)?[io]?(?:string|f)?stream\s*&?\s+(\w+)\s*[;({)=,]')
FORMAT = re.compile(r'\{\w*:[^{}"]*(?:[aAL]|%\w)\}')


def find(path, text):
    """Line number, what it is and advice of each place."""
    if EXEMPT.search(path) or os.path.splitext(path)[1] not in C_SUFFIXES:
        return
    words = [token for token in tokens(path, text) if token.group('comment') is None]
    streams = {match.group(1) for match in STREAM.finditer(text)}
    safe = {match.group(1) for match in re.finditer(r'\b(\w+)\.imbue\(std::locale::classic\(\)\)', text)}
    for i, token in enumerate(words):
        line = text.count('\n', 0, token.start()) + 1
        word, after = token.group(), words[i + 1].group() if i + 1 < len(words) else ''
        if kind(token) == 'string' and FORMAT.search(word):
            yield line, FORMAT.search(word).group(), 'std::to_chars() writes it so everywhere'
        elif kind(token) == 'word' and word in CALLS and after in ('(', '<', ')', ','):
            yield line, word, CALLS[word]
        elif kind(token) == 'word' and word in streams - safe and after in ('<<', '>>'):
            yield line, f'{word} {after}', f'{NUMBERS}, {WRITTEN}; or {word}.imbue(std::locale::classic())'


def main(paths):
    if not paths:
        os.chdir(os.path.dirname(TOOLS))
        paths = [os.path.join(folder, name) for room in ROOMS for folder, _, names in os.walk(room) for name in names]
    count = 0
    for path in sorted(paths):
        with open(path, encoding='utf-8', errors='replace') as file:
            for line, what, advice in find(path, file.read()):
                print(f'{path}:{line}: "{what}" depends on the locale: {advice}', file=sys.stderr)
                count += 1
    return 1 if count else 0


sys.exit(main(sys.argv[1:]))
