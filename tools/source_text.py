"""What tools/size and tools/words read sources with: their tokens, and the text of comments and strings."""
import os
import re

# The alternatives are tried in this order. Comments and strings come first, so that nothing is found inside of them.
C_TOKENS = re.compile(r'''
    (?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
  | (?P<string>(?<=include[ ])<[^>\n]+>|R"(?P<fence>[^()\s]*)\(.*?\)(?P=fence)"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+')
  | (?P<number>\.?\d(?:[eEpP][+-]|'\w|[\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<operator><<=|>>=|<=>|->\*|\.\.\.|::|->|\+\+|--|<<|>>|&&|\|\||\#\#|[-+*/%&|^=!<>]=|[^\s\w])''', re.S | re.X)
HASH_TOKENS = re.compile(r'''
    (?P<comment>(?<![^\s;(])\#[^\n]*)
  | (?P<string>"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?\d(?:[eE][+-]|[\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<operator>\*\*=|//=|\*\*|//|->|:=|<<|>>|&&|\|\||[-+*/%&|^=!<>]=|[^\s\w])''', re.S | re.X)
C_SUFFIXES = {'.c', '.cl', '.cpp', '.h', '.hpp'}
# Pages and lists, which have no comments.
PROSE_SUFFIXES = {'.cff', '.md', '.txt'}


def is_prose(path):
    return os.path.splitext(path)[1] in PROSE_SUFFIXES and os.path.basename(path) != 'CMakeLists.txt'


def tokens(path, text):
    """The tokens of a file as matches, whose `lastgroup` is comment, string, number, word or operator. A string is one
    token. The language is C's for .c, .cl, .cpp, .h and .hpp, else one whose comments begin with #."""
    pattern = C_TOKENS if os.path.splitext(path)[1] in C_SUFFIXES else HASH_TOKENS
    return pattern.finditer(text)


def kind(token):
    for name in ('comment', 'string', 'number', 'word'):
        if token.group(name) is not None:
            return name
    return 'operator'


def blanked(text, pattern):
    return pattern.sub(lambda match: ' ' * len(match.group()), text)


# The names of a comment's commands and code are marks too.
COMMENT_MARKS = re.compile(r'^[ \t]*(?://[/!]?<?|/\*+!?|\*(?!/)|\#+)|\*+/|\\(?:param|p|c|ref)[ ]\w+|\w+\(|`[^`\n]*`', re.M)
STRING_MARKS = re.compile(r'''\\[^\n]|"""|\'\'\'|"|(?<!\w)'|'(?!\w)''')


def prose(path, text, kinds=('comment', 'string')):
    """The file without what is not a comment or a string, or of some kinds, each line where it was. Comments of
    successive lines, and strings that only blanks separate, are one text; a NUL separates others."""
    if is_prose(path):
        return text
    parts = []
    at = 0
    last = None
    for token in tokens(path, text):
        now = kind(token)
        if now in kinds:
            between = text[at:token.start()]
            if now != last and at:
                between = '\0' + between
            marks = COMMENT_MARKS if now == 'comment' else STRING_MARKS
            parts += [between, blanked(token.group(), marks)]
        else:
            parts.append(re.sub(r'[^\n]', '\0', text[at:token.end()]))
        at = token.end()
        last = now
    return ''.join([*parts, text[at:]])
