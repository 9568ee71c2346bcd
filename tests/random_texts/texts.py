"""Random texts of objectives: what programs of users may do with numbers, and a compiler or vectors might do otherwise."""

import random

# The parts of OpenCL C whose order of evaluation is defined: side effects stand behind ||, && and ?: alone, each on a
# counter of its own.


class Text:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.reals = ["gene(x, 0)", "gene(x, 1)", "gene(x, 2)", "SCALE"]
        self.wholes = ["genes(x)"]
        self.lines = []
        self.before = []
        self.count = 0
        self.indent = 1
        self.functions = []
        # What shows how a number lies in memory keeps vectors away.
        self.shows_bits = self.random.random() < 0.25

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def add(self, line):
        self.lines.append("  " * self.indent + line)

    def number(self):
        return self.pick("0.5", "2", "-1.25", "3e9", "1e-3", "7", "0", "1e30", "1234.5", "-300.5")

    def real(self, depth=2):
        if depth == 0 or self.random.random() < 0.15:
            return self.pick(*self.reals, self.number())
        sub = lambda: self.real(depth - 1)
        kind = self.random.randrange(16)
        if kind < 5:
            left, sign, right = sub(), self.pick("+", "-", "*", "/"), sub()
            # A whole number by 0 is 0 in clopt, and ends the oracle.
            return f"((real)({left}) / {right})" if sign == "/" else f"({left} {sign} {right})"
        if kind == 5:
            return f"{self.pick('sin', 'cos')}({self.pick('', '1e3 * ', '2e7 * ')}{sub()})"
        if kind == 6:
            return f"{self.pick('exp', 'log', 'sqrt', 'fabs', 'floor', 'trunc')}((real)({sub()}))"
        if kind == 7:
            return f"{self.pick('min', 'max', 'fmin', 'fmax', 'copysign')}((real)({sub()}), (real)({sub()}))"
        if kind == 8:
            return f"clamp((real)({sub()}), (real)({self.pick('-1', '0', sub())}), (real)3)"
        if kind == 9:
            return f"({self.condition(depth - 1)} ? (real)({sub()}) : (real)({sub()}))"
        if kind == 10:
            return f"(real)({self.whole(depth - 1)})"
        if kind == 11:
            return f"tab(x, {self.pick('(uint)', '(int)', '(uchar)')}{self.pick(*self.reals)})"
        if kind == 12 and self.functions:
            return f"{self.pick(*self.functions)}({sub()}, {sub()})"
        if kind == 13:
            return f"SQUARE({sub()})"
        if kind == 14:
            return f"pow(fabs((real)({sub()})), (real)({self.pick('0', '2', '0.5', sub())}))"
        return f"-({sub()})"

    def whole(self, depth=2):
        if depth == 0 or self.random.random() < 0.15:
            return self.pick(*self.wholes, "1", "5", "tab_size")
        sub = lambda: self.whole(depth - 1)
        kind = self.random.randrange(9)
        if kind < 3:
            cast = self.pick("int", "uint", "long", "ulong", "short", "ushort", "char", "uchar", "unsigned int", "signed char")
            return f"((long)({cast}){self.pick(*self.reals, f'({self.real(depth - 1)})')} & 1023)"
        if kind == 3:
            return f"(({sub()}) & 7)"
        if kind == 4:
            return f"(({sub()}) % 5 + ({sub()}) % 3)"
        if kind == 5:
            return f"({self.condition(depth - 1)} ? {self.pick('1', '2')} : 3)"
        if kind == 6:
            return f"(int)!({self.condition(depth - 1)})"
        if kind == 7:
            return f"{self.pick('convert_int', 'convert_uchar', 'WHOLE')}({self.pick(*self.reals)}) % 9"
        # A sum with what a comparison yields keeps vectors away.
        return f"(({self.real(1)} < {self.real(1)}) + 2)" if self.shows_bits else f"(({sub()} < {sub()}) + 2)"

    def condition(self, depth=2):
        sub = lambda: self.condition(depth - 1)
        if depth == 0:
            return f"{self.pick(*self.reals)} {self.pick('<', '>', '<=', '>=', '==', '!=')} {self.pick(*self.reals, self.number())}"
        kind = self.random.randrange(8)
        if kind < 2:
            return f"({sub()} {self.pick('||', '&&')} {sub()})"
        if kind == 2:
            return f"!({sub()})"
        if kind == 3:
            return f"{self.pick('isfinite', 'isnan')}((real)({self.real(depth - 1)}))"
        if kind == 4:
            return f"({self.whole(depth - 1)} > 2)"
        return f"({self.real(depth - 1)} {self.pick('<', '>', '>=')} {self.real(depth - 1)})"

    def statement(self, depth=2):
        kind = self.random.randrange(13 if depth else 6)
        if kind < 2:
            value = self.real(3)
            name = self.name("r")
            self.add(f"real {name} = {value};")
            self.reals.append(name)
        elif kind == 2:
            value = self.whole(2)
            name = self.name("k")
            self.add(f"{self.pick('int', 'uint')} {name} = {value};")
            self.wholes.append(name)
        elif kind == 3:
            self.add(f"sum {self.pick('+=', '-=', '+=')} {self.real(3)};")
        elif kind == 4:
            self.side_effect()
        elif kind == 5:
            self.guard()
        elif kind == 6:
            self.block(f"if ({self.condition(2)})", depth)
            if self.random.random() < 0.5:
                self.block("else", depth)
        elif kind == 7:
            self.loop(depth)
        elif kind == 8:
            self.bits()
        elif kind == 9:
            self.array()
        elif kind == 10:
            name = self.name("p")
            self.add(f"struct Pair {name} = {{{self.real(1)}, {self.pick('2', '3')}}};")
            self.add(f"{name}.second += {self.whole(1)};")
            self.reals.append(f"{name}.first")
            self.wholes.append(f"({name}.second & 1023)")
        elif kind == 11:
            self.block(f"switch ((int)({self.real(1)}))", 0, ["case 0: sum += 1; break;", "case 2: sum -= 3;", "default: sum *= 0.5;"])
        else:
            self.add("if (sum != sum) sum = 3;" if self.random.random() < 0.5 else f"sum = {self.real(1)} - sum;")

    def block(self, head, depth, lines=None):
        self.add(head + " {")
        kept = len(self.reals), len(self.wholes)
        self.indent += 1
        for line in lines or ():
            self.add(line)
        for _ in range(0 if lines else self.random.randint(1, 3)):
            self.statement(depth - 1)
        self.indent -= 1
        del self.reals[kept[0]:], self.wholes[kept[1]:]
        self.add("}")

    def side_effect(self):
        name = self.name("n")
        self.add(f"int {name} = 0;")
        a, b = self.condition(1), self.condition(1)
        self.add(self.pick(f"if ({a} || {name}++ > 0 || {b}) sum += 2;", f"if ({a} && ++{name} > 0 && {b}) sum -= 2;",
                           f"sum += ({a} ? ++{name} : ({name} -= 3));",
                           f"if (({a} || ++{name} != 0) && ({b} || ++{name} != 0)) sum += {name};"))
        self.wholes.append(f"({name} & 63)")

    def guard(self):
        index = self.pick(*self.reals)
        table, size = self.name("t"), self.random.randint(2, 5)
        numbers = ", ".join(self.pick("1", "2.5", "-3") for _ in range(size))
        self.add(f"real {table}[{size}] = {{{numbers}}};")
        # An index that is not a number passes the first two, and is 0.
        self.add(f"if ({index} < 0 || {index} >= {size} || {table}[(int){index}] > 2) sum += {self.real(1)};")
        self.add(self.pick(f"if ({index} >= 0 && {index} < {size} && {table}[(uint){index}] < 2) sum -= 5;",
                           f"sum += {index} >= 0 && {index} < {size} ? {table}[(int)({index})] : (real)1;"))

    def loop(self, depth):
        name, count = self.name("v"), self.name("n")
        start, step = self.pick("0", "0.125"), self.pick("0.25", "0.5")
        head = self.pick(
            f"for (real {name} = {start}; {name} < fabs(sin({self.pick('', '1e4 * ')}{self.pick(*self.reals)})) && {count} < 20; {name} += {step})",
            f"for (real {name} = sin({self.real(1)}); {name} > -0.5 && {count} < 9; {name} -= {step})",
            f"for (uint {name} = 0; {name} < (uint)min(fabs({self.pick(*self.reals)}), (real)6) && {count} < 9; ++{name})",
            f"for (uint {name} = 0; {name} < genes(x); ++{name})")
        self.add(f"int {count} = 0;")
        self.add(head + " {")
        kept = len(self.reals), len(self.wholes)
        self.indent += 1
        self.add(f"++{count};")
        if "real" in head:
            self.reals.append(name)
        else:
            self.reals.append(f"gene(x, {name})")
        for _ in range(self.random.randint(1, 2)):
            self.statement(0 if depth < 2 else 1)
        self.indent -= 1
        del self.reals[kept[0]:], self.wholes[kept[1]:]
        self.add("}")
        self.wholes.append(f"({count} & 31)")

    def bits(self):
        name = self.name("u")
        value = self.name("b")
        self.add(f"const real {value} = {self.real(1)};")
        which = self.random.randrange(4) if self.shows_bits else 3
        if which == 0:
            self.add(f"union Bits {name};")
            self.add(f"{name}.number = {value} == {value} ? {value} : (real)0;")
            self.add(f"sum += {name}.bytes[sizeof(real) - 1];")
        elif which == 1:
            self.add(f"real {name} = {value} == {value} ? {value} : (real)1;")
            self.add(f"sum += ((uchar*)&{name})[{self.pick('0', '1', 'sizeof(real) - 1')}];")
        elif which == 2:
            self.add(f"int {name} = sizeof(real) * 3 + (int)sizeof({value});")
            self.add(f"sum += {name};")
        else:
            self.add(f"real {name}[2] = {{{value}, 1}};")
            self.add(f"const real* p{name} = {name};")
            self.add(f"sum += p{name}[{self.whole(1)} & 1] * *p{name};")

    def array(self):
        name = self.name("t")
        self.add(f"real {name}[4] = {{{self.real(1)}, 2, {self.real(1)}, -1}};")
        self.add(f"{name}[{self.whole(1)} & 3] += {self.real(1)};")
        self.reals.append(f"{name}[{self.random.randrange(4)}]")

    def function(self):
        name = self.name("f")
        lines, self.lines = self.lines, []
        body = self.random.randrange(3)
        if body == 0:
            self.lines = [f"  if (a < b) return a * {self.number()};", "  return b - a;"]
        elif body == 1:
            self.lines = ["  int n = 0;", "  while (a > 1 && n++ < 12) a = a / 2 + sin(b);", "  return a + n;"]
        else:
            self.lines = [f"  return a > 0 || b > {self.number()} ? fmin(a, b) : a + b;"]
        self.before += [f"real {name}(real a, real b) {{", *self.lines, "}"]
        self.lines = lines
        self.functions.append(name)

    def make(self):
        head = ["// clopt: reals, minimise, lower -10, upper 10"]
        self.before = []
        if self.shows_bits:
            self.before.append("union Bits { real number; uchar bytes[sizeof(real)]; };")
        for _ in range(self.random.randint(0, 2)):
            self.function()
        form = self.random.choices(["objective", "smooth", "term", "smooth_term"], [6, 1, 3, 2])[0]
        if form == "term":
            self.reals = ["gene(x, i)", "gene(x, 0)", "SCALE"]
            self.wholes = ["(int)(i & 7)", "genes(x)"]
        function = "real objective_term(individual x, uint i) {" if "term" in form else "real objective(individual x) {"
        self.add("real sum = 0;")
        # Nothing but arithmetic, where a short sine may stand for the long one.
        if form == "smooth_term":
            self.add(f"sum += {self.smooth(3)} * {self.smooth(2)};")
        elif form == "smooth":
            self.add("for (uint i = 0; i < genes(x); ++i)")
            self.add(f"  sum += {self.smooth(3)} * {self.smooth(2)};")
        else:
            for _ in range(self.random.randint(2, 5)):
                self.statement(2)
            self.add(f"sum += {self.real(2)};")
        self.add("return sum;")
        body = "\n".join(self.before + [function] + self.lines + ["}"]) + "\n"
        for word, line in (("SQUARE", "#define SQUARE(a) ((a) * (a))"), ("WHOLE", "#define WHOLE(a) ((int)(a))"),
                           ("Pair", "struct Pair { real first; int second; };")):
            if word in body:
                head.append(line)
        return "\n".join(head) + "\n" + body

    def smooth(self, depth):
        if depth == 0:
            return self.pick("gene(x, i)", "0.5", "SCALE", "1e5")
        sub = lambda: self.smooth(depth - 1)
        return self.pick(lambda: f"({sub()} + {sub()})", lambda: f"{sub()} * {sub()}", lambda: f"sin({sub()} * {sub()})",
                         lambda: f"cos({sub()})", lambda: f"fabs((real)({sub()}))", lambda: "tab(x, i % tab_size)",
                         lambda: f"copysign(1, {sub()})")()


def individuals(seed, count=41, genes=5):
    """Rows of genes that a float holds, some of them special."""
    chance = random.Random(seed)
    special = [0.0, -0.0, 1.0, 3.0, -2.0, 1e30, 2.0**31, 2.0**40, 1600.5, -12345.0, 0.5]
    rows = []
    for i in range(count):
        spread = chance.choice([1, 4, 10, 5000])
        # Few bits, so that both precisions hold them.
        row = [round(chance.uniform(-spread, spread) * 256) / 256 for _ in range(genes)]
        if i % 3 == 0:
            row[chance.randrange(genes)] = chance.choice(special)
        rows.append(row)
    return rows


def text(seed, index):
    return Text(f"{seed} {index}").make()
