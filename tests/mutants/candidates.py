"""Finds what can be changed in C++ sources: every place, with its mutants, as text. By libclang (Debian: python3-clang)."""
import glob
import itertools
import json
import os
import re
import sys

try:
    from clang import cindex
except ImportError:  # Debian's module, for a Python that is not Debian's
    sys.path.append('/usr/lib/python3/dist-packages')
    from clang import cindex

Kind = cindex.CursorKind
COMPARISONS = ['<', '<=', '>', '>=', '==', '!=']
OPERATORS = {
    **{each: [other for other in COMPARISONS if other != each] for each in COMPARISONS},
    '+': ['-'], '-': ['+'], '*': ['/', '+'], '/': ['*'], '%': ['/'], '<<': ['>>'], '>>': ['<<'],
    '&': ['|', '^'], '|': ['&', '^'], '^': ['&', '|'], '&&': ['||'], '||': ['&&'],
    '+=': ['-='], '-=': ['+='], '*=': ['/='], '/=': ['*='], '%=': ['/='], '<<=': ['>>='], '>>=': ['<<='],
    '&=': ['|='], '|=': ['&='], '^=': ['|='],
}
BINARY = {Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR}
# What is a constant of the program, or not evaluated.
CONSTANT = {Kind.STATIC_ASSERT, Kind.CASE_STMT, Kind.ENUM_CONSTANT_DECL, Kind.CXX_UNARY_EXPR}
DROPPED = {Kind.CALL_EXPR, Kind.UNARY_OPERATOR, *BINARY}
SEQUENCES = {Kind.COMPOUND_STMT, Kind.CASE_STMT, Kind.DEFAULT_STMT}
BODIES = {Kind.IF_STMT, Kind.FOR_STMT, Kind.WHILE_STMT, Kind.DO_STMT, Kind.CXX_FOR_RANGE_STMT, *SEQUENCES}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.FUNCTION_TEMPLATE,
             Kind.CONVERSION_FUNCTION}
NUMBERS = {getattr(cindex.TypeKind, each) for each in
           'CHAR_U UCHAR USHORT UINT ULONG ULONGLONG CHAR_S SCHAR SHORT INT LONG LONGLONG FLOAT DOUBLE'.split()}
COMMENT = re.compile(rb'/\*.*?\*/|//[^\n]*', re.S)
CONSTEXPR = re.compile(rb'\bconst(expr|eval)\b')
# A place is rewritten around those in it: what comes first is the outer one where two have the same text.
STATEMENT, RETURN, CONDITION, EXPRESSION = range(4)


class Place:
    """A text from begin to end, what it may become, and how the choice between both is written."""

    def __init__(self, file, begin, end, kind, function, is_constexpr):
        self.file, self.begin, self.end, self.kind = file, begin, end, kind
        self.function, self.is_constexpr, self.mutants = function, is_constexpr, []

    def choice(self, number, mutant, original):
        chosen = b'::clopt_mutants::%s(%d)' % (b'computes' if self.is_constexpr else b'runs', number)
        if self.kind == STATEMENT:
            return b'if (%s) { } else %s' % (chosen, original)
        if self.kind == RETURN:
            return b'if (%s) return %s; else %s' % (chosen, mutant, original)
        if self.kind == CONDITION:
            return b'(%s ? %s : !!(%s))' % (chosen, mutant, original)
        return b'(%s ? (%s) : (%s))' % (chosen, mutant, original)


class Finder:
    def __init__(self, root, wanted):
        self.root, self.wanted = root, wanted
        self.places, self.texts = {}, {}

    def text(self, file):
        if file not in self.texts:
            with open(os.path.join(self.root, file), 'rb') as stream:
                self.texts[file] = stream.read()
        return self.texts[file]

    def parse(self, files, options):
        """Reads files as one, as unity builds do: their headers are parsed once."""
        name = os.path.join(self.root, 'read_together.cpp')
        text = ''.join(f'#include "{os.path.join(self.root, file)}"\n' for file in files)
        unit = cindex.Index.create().parse(name, options, unsaved_files=[(name, text)])
        for child in unit.cursor.get_children():
            self.visit(child, unit.cursor, '', False)

    def file_of(self, cursor):
        name = cursor.location.file
        return os.path.relpath(name.name, self.root) if name else ''

    def visit(self, cursor, parent, function, is_constexpr):
        file = self.file_of(cursor)
        if file not in self.wanted or cursor.kind in CONSTANT or cursor.kind.is_attribute():
            return
        text, begin, end = self.text(file), cursor.extent.start.offset, cursor.extent.end.offset
        if cursor.kind in FUNCTIONS:
            function = cursor.spelling
            body = text.find(b'{', begin, end)
            is_constexpr = bool(CONSTEXPR.search(text, begin, body if body > 0 else end))
        elif cursor.kind == Kind.VAR_DECL and CONSTEXPR.search(text, begin, text.find(cursor.spelling.encode(), begin)):
            return

        def add(kind, place_begin, place_end, mutants):
            key = (file, place_begin, place_end, kind)
            if key not in self.places:
                self.places[key] = Place(file, place_begin, place_end, kind, function, is_constexpr)
            known = self.places[key].mutants
            known.extend(each for each in mutants if each not in known)

        children = list(cursor.get_children())
        spelling = text[begin:end]
        if begin < end and function:
            self.mutate(cursor, parent, children, text, begin, end, spelling, add)
        for child in children:
            self.visit(child, cursor, function, is_constexpr)

    def mutate(self, cursor, parent, children, text, begin, end, spelling, add):
        kind = cursor.kind
        is_overloaded = kind == Kind.CALL_EXPR and cursor.spelling.startswith('operator') and len(children) >= 2
        if kind in BINARY or is_overloaded:
            first, last = children[0].extent, children[-1].extent
            between = COMMENT.sub(b'', text[first.end.offset:last.start.offset]).strip().decode(errors='replace')
            if first.start.offset == begin and last.end.offset == end and between in OPERATORS:
                left, right = text[begin:first.end.offset], text[last.start.offset:end]
                add(EXPRESSION, begin, end,
                    [b'%s %s %s' % (left, each.encode(), right) for each in OPERATORS[between]])
        if kind == Kind.UNARY_OPERATOR:
            for one, other in ((b'++', b'--'), (b'--', b'++')):
                if spelling.startswith(one):
                    add(EXPRESSION, begin, end, [other + spelling[2:]])
                elif spelling.endswith(one):
                    add(EXPRESSION, begin, end, [spelling[:-2] + other])
            if spelling[:1] in b'!~-' and not spelling.startswith(b'--'):
                add(CONDITION if spelling[:1] == b'!' else EXPRESSION, begin, end,
                    [b'!!(%s)' % spelling[1:] if spelling[:1] == b'!' else spelling[1:]])
        if kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL) and re.fullmatch(rb"[\d.][\w.'+-]*", spelling) \
                and not text[:begin].rstrip().endswith(b'<'):
            mutants = [b'%s + 1' % spelling, b'%s - 1' % spelling]
            if re.search(rb'[1-9]', spelling):
                mutants.append(b'0 * %s' % spelling)
            add(EXPRESSION, begin, end, mutants)
        if kind == Kind.CXX_BOOL_LITERAL_EXPR and spelling in (b'true', b'false'):
            add(EXPRESSION, begin, end, [b'false' if spelling == b'true' else b'true'])
        if kind in (Kind.IF_STMT, Kind.WHILE_STMT, Kind.DO_STMT, Kind.FOR_STMT, Kind.CONDITIONAL_OPERATOR):
            condition = self.condition(kind, children, text, begin)
            if condition:
                add(CONDITION, *condition, [b'!(%s)' % text[slice(*condition)]])
        follows = rb'[;{}:]\s*$' if parent.kind in SEQUENCES else rb'(\)|\belse)\s*$'
        is_statement = parent.kind in BODIES and re.match(rb'\s*;', text[end:end + 20]) and \
            re.search(follows, COMMENT.sub(b'', text[max(0, begin - 300):begin]))
        if kind in DROPPED and is_statement:
            add(STATEMENT, begin, end, [b''])
        if kind == Kind.RETURN_STMT and children:
            value = spelling[len(b'return'):].strip()
            type_kind = children[0].type.get_canonical().kind
            if type_kind == cindex.TypeKind.BOOL:
                add(RETURN, begin, end, [b'!(%s)' % value])
            elif type_kind in NUMBERS:
                add(RETURN, begin, end, [b'(%s) + 1' % value, b'0'])
            elif value not in (b'{}', b'std::nullopt', b'nullptr'):
                add(RETURN, begin, end, [b'{}'])

    @staticmethod
    def condition(kind, children, text, begin):
        """Where a condition stands that is an expression, or nothing."""
        if kind == Kind.CONDITIONAL_OPERATOR:
            return (begin, children[0].extent.end.offset) if children[0].extent.start.offset == begin else None
        if re.match(rb'if\s+constexpr', text[begin:begin + 20]):
            return None
        for child in children:
            first, last = child.extent.start.offset, child.extent.end.offset
            before, after = text[:first].rstrip()[-1:], text[last:last + 200].lstrip()[:1]
            if child.kind.is_expression() and before in ((b';',) if kind == Kind.FOR_STMT else (b'(', b';')) \
                    and after == (b';' if kind == Kind.FOR_STMT else b')'):
                return first, last
        return None


def parser_options(root, copy):
    """What all files are read with: the include folders and definitions of the library's and the backends' commands,
    which name the copy."""
    with open(os.path.join(copy, 'build', 'compile_commands.json'), encoding='utf-8') as stream:
        commands = json.load(stream)
    options = {}
    for command in commands:
        words = re.sub(rf'{re.escape(copy)}/(?!build/)', f'{root}/', command['command']).split()
        if not re.search(r' -o (lib|backends)/', command['command']):
            continue
        for word, following in zip(words, words[1:] + ['']):
            if word.startswith(('-I', '-D')) and not word.startswith('-DCLOPT_BACKEND='):
                options[word] = [word]
            elif word == '-isystem':
                options[word + following] = [word, following]
    return ['-x', 'c++', '-std=c++20', '-fopenmp', '-Wno-everything'] + sum(options.values(), [])


def find_places(root, copy, patterns, readers=()):
    """All places in files of the patterns, in the order of files. Headers are read where their folder's sources, or the
    patterns `readers`, include them."""
    def files(patterns, suffixes):
        found = {os.path.relpath(file, root) for pattern in patterns
                 for file in glob.glob(os.path.join(root, pattern), recursive=True)}
        return sorted(file for file in found if file.endswith(suffixes))
    finder = Finder(root, set(files(patterns, ('.cpp', '.hpp', '.h'))))
    options = parser_options(root, copy)
    folders = itertools.groupby(files([*patterns, *readers], '.cpp'), os.path.dirname)
    for _, together in folders:
        finder.parse(together, options)
    return [finder.places[key] for key in sorted(finder.places)], finder.texts
