// What the host understands of a text, and what it refuses.
#include <clopt/error.hpp>
#include <clopt/objective.hpp>
#include <objective/casts.hpp>
#include <objective/text.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <support/folder.hpp>

namespace {

using namespace clopt;

const std::string term = "real objective_term(individual x, uint i) { return gene(x, i); }\n";

void refuses(const std::function<void()>& action, const std::string& part) {
  try {
    action();
  } catch (const InvalidInput& error) {
    BOOST_TEST(std::string(error.what()).find(part) != std::string::npos, error.what());
    return;
  }
  BOOST_ERROR("not refused: " << part);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(objective_texts)

BOOST_AUTO_TEST_CASE(the_form_is_what_is_defined) {
  const auto form = [](const std::string& text) { return Objective::from_text(text).form(); };
  BOOST_TEST((form(term) == ObjectiveForm::term));
  BOOST_TEST((form("real objective(individual x) { return 0; }") == ObjectiveForm::general));
  BOOST_TEST((form("int objective_count ( individual x, uint i ) { return 1; }") == ObjectiveForm::count));
  BOOST_TEST((form("int objective_word(individual x, uint w) { return 1; }") == ObjectiveForm::word));
  // Not in comments, not where it is called or declared, not as part of a name.
  BOOST_TEST((form("// real objective(individual x) { }\n/* objective_word(individual x) { */" + term) ==
              ObjectiveForm::term));
  BOOST_TEST((form("real objective_term(individual x, uint i);\n" + term +
                   "real my_objective(individual x) { return objective_term(x, 0); }") == ObjectiveForm::term));
  BOOST_TEST(!Objective::from_text(term).has_finish());
  BOOST_TEST(Objective::from_text(term + "real objective_finish(individual x, real s) { return s; }").has_finish());
  refuses([] { Objective::from_text("int f() { return 1; }", "f.cl"); }, "f.cl defines no objective");
  refuses([] { Objective::from_text(""); }, "defines no objective");
  refuses([] { Objective::from_text(term + "real objective(individual x) { return 0; }", "two.cl"); },
          "both objective_term and objective");
}

BOOST_AUTO_TEST_CASE(the_first_comment_gives_the_setting) {
  const auto objective =
      Objective::from_text("/* mine */\n// clopt: reals,maximise, lower -1e3 , upper 2.5, optimum 7\n" + term);
  BOOST_TEST((objective.kind() == GeneKind::reals));
  BOOST_TEST((objective.direction() == Direction::maximise));
  BOOST_TEST(objective.usual_bounds()->lower == -1000.0);
  BOOST_TEST(objective.usual_bounds()->upper == 2.5);
  BOOST_TEST(objective.optimum().value() == 7.0);
  const auto silent = Objective::from_text(term);
  BOOST_TEST((silent.kind() == GeneKind::reals));
  BOOST_TEST(!silent.direction().has_value());
  BOOST_TEST(!silent.usual_bounds().has_value());
  BOOST_TEST((Objective::from_text("int objective_word(individual x, uint w) { return 1; }").kind() == GeneKind::bits));
  BOOST_TEST((Objective::from_text("// clopt: permutation\n" + term).kind() == GeneKind::permutation));
  refuses([] { Objective::from_text("// clopt: real\n" + term, "t.cl"); }, "t.cl: the comment 'clopt:' says 'real'");
  refuses([] { Objective::from_text("// clopt: lower x, upper 1\n" + term); }, "'x' of 'lower'");
  refuses([] { Objective::from_text("// clopt: lower 1\n" + term); }, "both lower and upper");
  refuses([] { Objective::from_text("// clopt: lower 1, upper 1\n" + term); }, "lower below upper");
  refuses([] { Objective::from_text("// clopt: lower nan, upper 1\n" + term); }, "lower");
  refuses([] { Objective::from_text("// clopt: reals\nint objective_word(individual x, uint w) { return 1; }"); },
          "words of bits");
}

BOOST_AUTO_TEST_CASE(literals_become_single) {
  const auto changed = objective::with_single_precision_literals(
      "a = 1.5 + .5 - 2. * 1e3 / 1E-3 + 0x1.8p3 + 3.0f + 7 + 0x1e + 1u; // 2.5\n\"3.5\" /* 4.5 */ x1.e 5e+2;");
  BOOST_TEST(changed ==
             "a = 1.5f + .5f - 2.f * 1e3f / 1E-3f + 0x1.8p3f + 3.0f + 7 + 0x1e + 1u; // 2.5\n\"3.5\" /* 4.5 */ x1.e "
             "5e+2f;");
}

// Whatever hides it: lines that are joined, comments, strings, other spellings.
BOOST_AUTO_TEST_CASE(what_reaches_beyond_the_text_is_refused) {
  const std::vector<std::pair<std::string, std::string>> foreign{
      {"#include <stdlib.h>\n", "t.cl:1: the text of an objective may not have `#include`"},
      {"\n  #  include \"a.h\"\n", "t.cl:2: the text of an objective may not have `#  include`"},
      {"#inc\\\nlude \"a.h\"\n", "t.cl:1: the text of an objective may not have `#include`"},
      {"\n#inc\\ \t\nlude \"a.h\"\n", "t.cl:2:"},
      {"\\\n\\\n# include_next \"a.h\"\n", "t.cl:3: the text of an objective may not have `# include_next`"},
      {"/* */ # /* */ include \"a.h\"\n", "t.cl:1:"},
      {"/\\\n* */ #include \"a.h\"\n", "#include"},
      {"/\\\n/ a comment \\\n that goes on\n#include \"a.h\"\n", "t.cl:4:"},
      {"// a comment ?\?/\n#define A\n", "`?\?/`"},
      {"?\?=include \"a.h\"\n", "`?\?`"},
      {"%:include \"a.h\"\n", "`%:`"},
      {"#pragma OPENCL FP_CONTRACT ON\n", "#pragma"},
      {"#line 7\n", "#line"},
      {"#import \"a.h\"\n", "#import"},
      {"_Pragma(\"once\")\n", "`_Pragma`"},
      {"#define A __attribute__((constructor))\n", "`__attribute__`"},
      {"__attribute__ ((constructor)) void f(void) {}\n", "`__attribute__`"},
      {"[[gnu::constructor]] void f() {}\n", "`[[`"},
      {"[ [gnu::constructor]] void f() {}\n", "`[ [`"},
      {"<:<:gnu::constructor]] void f() {}\n", "`<:`"},
      {"void f(void) { asm(\"nop\"); }\n", "`asm`"},
      {"void f(void) { __asm__ volatile(\"nop\"); }\n", "`__asm__`"},
      {"#define J(a, b) a##b\n", "`##`"},
      {"#define S(a) #a\n", "`#a`"},
      {"#if __has_include(<stdlib.h>)\n#endif\n", "`__has_include`"},
      {"const char* a = R\"(\" /* )\";\n#include <stdlib.h>\n//*/\n", "`R\"`"},
      {"int a = 1'0; const char* b = \"'/*\";\n#include <stdlib.h>\n//*/\n", "`1'`"},
      {"const char* a = \"\\\"/*\";\n#include <stdlib.h>\n//*/\n", "t.cl:2:"},
  };
  for (const auto& [text, part] : foreign) {
    refuses([&written = text] { Objective::from_text(written + term, "t.cl"); }, part);
    refuses([&written = text] { Objective::from_text(std::string(term).append("\n").append(written), "t.cl"); },
            "may not have");
  }
  // None of these does.
  for (const char* text :
       {"#define A(x) ((x) % 3)\n#ifdef A\n#undef A\n#else\n#error no\n#endif\n", "#if 0\n#elif 1\n#endif\n",
        "// #include <stdlib.h>\n/* #pragma\n asm */\n", "constant char a[] = \"#include %: [[\";\n", "// why?\?\n",
        "int asm_of(int include) { return include ? 1 : 2; }\n", "#define A 1 \\\n + 2\n",
        "int f(int a, int b) { int c[2]; c[c[0] % 2] = a; return a < b; }\n"})
    BOOST_CHECK_NO_THROW(Objective::from_text(text + term, "t.cl"));
  for (const auto& name : Objective::names()) BOOST_CHECK_NO_THROW(Objective::from_text(Objective::named(name).text()));
}

// A line's end, a word, a bracket or a definition that one reader sees and another does not.
BOOST_AUTO_TEST_CASE(what_readers_might_take_in_different_ways_is_refused) {
  const std::string violation = "real violation(individual x) { return 1; }\n";
  const std::vector<std::pair<std::string, std::string>> doubtful{
      {"// a\r" + violation, "t.cl:1: the text of an objective may not have `\\x0d`"},
      {"// a\r#include <stdlib.h>\n", "t.cl:1:"},
      {"\n// a\\\r" + violation, "t.cl:2:"},
      {"int a(void) { return 0xe+'1; } // '\n", "`0xe+'`"},
      {"int a(void) { return 0XE-'1; } // '\n", "`0XE-'`"},
      {"#define B [\nB B deprecated]] void f(void) {}\n", "t.cl:1:"},
      {"#define E\n[E[deprecated]] void f(void) {}\n", "t.cl:2:"},
      {"#define A(x) [x]\nA([deprecated]) void f(void) {}\n", "`[`"},
      {"#define ID(x) x\n[ID()[deprecated]] void f(void) {}\n", "t.cl:2:"},
      {"#define ID(x) x\nID([ID()[deprecated]]) void f(void) {}\n", "t.cl:2:"},
      {"real violation(individual x) <% return 1; %>\n", "`<%`"},
      {"#define V violation\nreal V(individual x) { return 1; }\n", "t.cl:1:"},
      {"#define DEF(name) real name(individual x) { return 1; }\nDEF(violation)\n", "t.cl:2:"},
      {"#define P individual x\nreal violation(P) { return 1; }\n", "t.cl:2:"},
      {"#define individual int\n", "`individual`"},
      {"real (violation)(individual x) { return 1; }\n", "`violation()`"},
      {"real violation(x) individual x; { return 1; }\n", "`violation()`"},
      {"real f(real a) {\n#ifdef A\n if (a > 0) {\n#else\n if (a < 0) {\n#endif\n return 1; } return 0; }\n",
       "t.cl:4:"},
      {"real vio\\\nlation(individual x) { return 1; }\n", "t.cl:1:"},
      {"real f(real a) { return a; \n", "t.cl:1:"},
      {"real f(real a) { return (a]; }\n", "`]`"},
      {"namespace { " + violation + "}\n", "`namespace`"},
      {"extern \"C\" { " + violation + "}\n", "`extern`"},
      {"#undef sin\n", "t.cl:1:"},
      // Their values differ from device to device.
      {"int f() { return 1 << 33; }\n", "`33`"},
      {"int f() {\n  return 7 >> 32u; }\n", "t.cl:2:"},
      {"ulong f(ulong a) { a <<= 64; return a; }\n", "`64`"},
      {"int a = 'b;\n", "'b;"},
      {"real a$b(real a) { return a; }\n", "`$`"},
      {"real \xc3\xa4(real a) { return a; }\n", "t.cl:1:"},
      // What a call leaves behind would depend on the order of individuals.
      {"real memo;\n", "t.cl:1:"},
      {"int calls = 3;\n", "t.cl:1:"},
      {"\nstruct { real a; } memo[3];\n", "t.cl:2:"},
      {"real f(real a) {\n  static int n = 0;\n  return a + n++; }\n", "t.cl:2:"},
      {"#define STATIC static\nreal f(real a) { STATIC int n = 0; return a + n++; }\n", "`static`"},
      // Casts whose operand or type is hidden.
      {"#define X 1 + 2.5\nreal f(real a) {\n return (int)X; }\n", "t.cl:3: the text of an objective may not have `X`"},
      {"#define C(t, a) ((t)(a))\nreal f(real a) { return C(int, a); }\n", "t.cl:1:"},
      {"#define F(a) (int)a\n", "t.cl:1:"},
      {"#define TO (int)\n", "t.cl:1:"},
      {"#define F(a, b) ((a) / b)\n", "`b`"},
      {"#define F(a, b) (a / (b))\n", "`a`"},
      {"#define N 3 + 4\nint f(int a) { return a / N; }\n", "t.cl:2:"},
      {"#define ID(t) t\nreal f(real a) { return (ID(int))a; }\n", "t.cl:2:"},
      {"real f(real a) { return int(a); }\n", "`int`"},
      {"enum E { one };\nreal f(real a) { return (enum E)a; }\n", "`enum`"},
      {"real f(real a) { return static_cast<int>(a); }\n", "`static_cast`"},
  };
  for (const auto& [text, part] : doubtful)
    refuses([&written = text] { Objective::from_text(written + term, "t.cl"); }, part);
  refuses([] { Objective::from_text(term + std::string("/* open"), "t.cl"); }, "`/*`");
  refuses([] { Objective::from_text(term + std::string("// open \\"), "t.cl"); }, "`\\`");
  refuses([] { Objective::from_text(std::string("// a\\\0\n", 7) + term, "t.cl"); }, "is not a text");
  // None of these is in doubt.
  for (const char* text :
       {"constant real t[2] = {1, 2};\nconst real two = 2;\nstruct P { real a; };\ntypedef struct { real b; } Q;\n",
        "real far(real a);\nreal far(real a) { return a; }\nreal huber(real residual, real objective) { return "
        "residual; }\n",
        "#define LONG 1 + \\\n  2\n// goes on \\\n here\n", "real violation(real a, real b) { return a - b; }\n",
        "#define N 3\nreal f(individual x) { real t[N]; t[0] = 1; return t[N - 1]; }\r\n",
        "#ifdef A\nreal f(real a) { return a; }\n#else\nreal f(real a) { return -a; }\n#endif\n"})
    BOOST_CHECK_NO_THROW(Objective::from_text(text + std::string(term)));
  BOOST_TEST(
      Objective::from_text("#if 0\n#error {\n#if (\n#endif\n#endif\nreal violation(individual x) { return 1; }\n" +
                           std::string(term))
          .has_violation());
  BOOST_TEST(
      Objective::from_text("real violation(const individual x) { return 1; }\n" + std::string(term)).has_violation());
  BOOST_TEST(
      !Objective::from_text("real violation(real a, real b) { return 1; }\n" + std::string(term)).has_violation());
}

// The operand of a cast is a unary expression.
BOOST_AUTO_TEST_CASE(conversions_are_defined_ones) {
  const std::vector<std::pair<std::string, std::string>> casts{
      {"(int)a * 3", "objective_to_int(a) * 3"},
      {"(uint)-a[2].b->c(d)++ - 1", "objective_to_uint(-a[2].b->c(d)++) - 1"},
      {"(unsigned char)(a + b)", "objective_to_uchar((a + b))"},
      {"(const long int)a", "objective_to_long(a)"},
      {"(int)(real)(uchar)a", "objective_to_int((real)objective_to_uchar(a))"},
      {"(int)!(a > 1)", "objective_to_int(!(a > 1))"},
      {"(real)a + (int*)a + sizeof(int) * a", "(real)a + (int*)a + sizeof(int) * a"},
      {"convert_uchar(a) + min(a, b) + t.min", "objective_to_uchar(a) + objective_min(a, b) + t.min"},
      {"as_uint(a) + fmin(a, b)", "objective_as_uint(a) + fmin(a, b)"},
      {"(float4)(0) + min(a, b)", "(float4)(0) + min(a, b)"},
      {"/* (int)a */ \"(int)a\" // (int)a", "/* (int)a */ \"(int)a\" // (int)a"},
  };
  for (const auto& [before, after] : casts) BOOST_TEST(objective::with_defined_conversions(before, {}) == after);
  BOOST_TEST(
      objective::with_defined_conversions("typedef unsigned short S;\n#define I int\nreal f(int);\n(S)a + (I)b", {}) ==
      "typedef unsigned short S;\n#define I int\nreal f(int);\nobjective_to_ushort(a) + objective_to_int(b)");
  // Functions of the text's own, and tables.
  BOOST_TEST(objective::with_defined_conversions("real min(real a, real b) { return a; }\nmin(a, b)", {}) ==
             "real min(real a, real b) { return a; }\nmin(a, b)");
  BOOST_TEST(objective::with_defined_conversions("max(x, 1)", {"max"}) == "max(x, 1)");
}

// The operands of a division are factors before it, and one unary expression behind it.
BOOST_AUTO_TEST_CASE(divisions_are_defined_ones) {
  const auto read = [](const std::string& statement) {
    const auto text = objective::with_defined_conversions("int f(void) { " + statement + "; }", {});
    return text.substr(14, text.size() - 17);
  };
  const std::vector<std::pair<std::string, std::string>> divisions{
      {"x + a*b/c", "x + objective_quotient(a*b,c)"},
      {"a / b % c", "objective_remainder(objective_quotient(a , b) , c)"},
      {"return -f(a)[2].c/d->e", "return objective_quotient(-f(a)[2].c,d->e)"},
      {"(int)a / -(uint)b", "objective_quotient(objective_to_int(a) , -objective_to_uint(b))"},
      {"i++ / (b / c)", "objective_quotient(i++ , (objective_quotient(b , c)))"},
      {"if (a) *p / b", "if (a) objective_quotient(*p , b)"},
      {"(a) * *p / b", "objective_quotient((a) * *p , b)"},
      {"a && (b) % c || d", "a && objective_remainder((b) , c) || d"},
      {"a != -b / c", "a != objective_quotient(-b , c)"},
      {"a << b / c", "a << objective_quotient(b , c)"},
      {"a[i].b /= c + 1, d %= e", "a[i].b = objective_quotient(a[i].b,  c + 1), d = objective_remainder(d,  e)"},
      {"c ? a /= b : d", "c ? a = objective_quotient(a,  b) : d"},
      {"a / 0", "objective_quotient(a , 0)"},
      {"a / 0x0", "objective_quotient(a , 0x0)"},
      {"switch (a) { case 1: return a / b; }", "switch (a) { case 1: return objective_quotient(a , b); }"},
      // These cannot be 0.
      {"a / 2 + 1.5 / 3.0 + a / sizeof(int) + a / 0x10", "a / 2 + 1.5 / 3.0 + a / sizeof(int) + a / 0x10"},
      {"a /= 2", "a /= 2"},
  };
  for (const auto& [before, after] : divisions) BOOST_TEST(read(before) == after);
  const auto is_kept = [](const std::string& text) {
    BOOST_TEST(objective::with_defined_conversions(text, {}) == text);
  };
  is_kept("#if A / B\n#endif\nconstant int a[] = {1 / A};\n");
  is_kept("#define N 4\nint f(int a) { return a / N; }\n");
  is_kept("int f(float4 a, float4 b) { a / b; }\n");
  BOOST_TEST(objective::with_defined_conversions("#define F(a, b) ((a) / (b))\n", {}) ==
             "#define F(a, b) (objective_quotient((a) , (b)))\n");
  // Where it stands, more may belong to the dividend or the divisor.
  is_kept("#define F(a, b) (a) / (b)\nint f(int a) { return 2 * F(a, a); }\n");
  is_kept("#define MOD(a, m) ((a) + (m)) % (m)\n");
  // What is assigned to is not written twice.
  is_kept("void f(int* a, int i) { a[i++] /= i; }\n");
  is_kept("void f(real* a, real b) { *a /= b; (*a) /= b; }\n");
  is_kept("#define NEXT p[i++]\nvoid f(int* p, int i, int b) { NEXT /= b; p[NEXT] /= b; }\n");
  // Constants.
  is_kept("void f(int a) { enum { k = n / m }; switch (a) { case A / B: break; } int parts[64 / WIDTH]; }\n");
  is_kept("#define N (4)\nint f(int a) { return a / N + a / (4); }\n");
}

BOOST_AUTO_TEST_CASE(what_takes_vectors) {
  using objective::takes_vectors;
  for (const char* text : {"real objective(individual x) { real s = 0; for (uint i = 0; i < genes(x); ++i) s += "
                           "sin(gene(x, i)); return s; }",
                           "real f(real* p) { return p[0] > 1 || p[1] < 2 ? *p : min(p[0], (real)1); }",
                           "#define SQ(a) ((a) * (a))\nSQ(x)", "struct P { real a; uint n; };",
                           "(int)x + convert_uchar(x)", "while (x > 1) x = x / 2;", "mine(x) + shift(x, 0)"})
    BOOST_TEST(takes_vectors(std::string("real mine(real a) { return a; }\n") + text, {"shift"}), text);
  for (const char* text : {"sizeof(real)", "union U { real a; uint b; };", "*(uint*)&x", "(const uint *)p",
                           "typedef uint* P;", "#define P uint*", "erf(x)", "as_uint(x)", "__builtin_memcpy(&a, &b, 4)",
                           "memcpy(&a, &b, 4)", "scalar a", "\"text\"", "volatile real a", "not x", "OBJECTIVE_VECTOR"})
    BOOST_TEST(!takes_vectors(text), text);
}

BOOST_AUTO_TEST_CASE(functions_that_differ_from_device_to_device_are_reported) {
  const auto warning = [](const std::string& expression) {
    return Objective::from_text("real objective(individual x) { return " + expression + "; }", "t.cl").warning();
  };
  BOOST_TEST(warning("exp(gene(x, 0)) + hypot(sqrt(gene(x, 1)), fmin(1, 2)) + mad(1, 2, 3) + step_of(x)") == "");
  BOOST_TEST(
      warning("erf(gene(x, 0))") ==
      "t.cl calls erf, which every device computes in its own way: the run may differ from device to device; take "
      "a formula of the functions that docs/objectives.md lists");
  BOOST_TEST(
      warning("native_exp(1) + erf(1) + exp10(2) + exp10(3)") ==
      "t.cl calls native_exp, erf, exp10, which every device computes in its own way: the run may differ from "
      "device to device; take the function without the prefix for native_exp, pow(10, x) for exp10, else a formula "
      "of the functions that docs/objectives.md lists");
  BOOST_TEST(warning("half_sqrt(2)").find("half_sqrt") != std::string::npos);
  BOOST_TEST(warning("tgamma(2) + get_global_id(0)").find("tgamma, get_global_id,") != std::string::npos);
  // Names of the text's own, and what is no call.
  BOOST_TEST(warning("1; /* erf(x) */ } real f(real erf) { return erf") == "");
  for (const char* text : {"real erf(real x) { return x; }\n", "#define erf(x) (x)\n", "#define erf exp\n"})
    BOOST_TEST(Objective::from_text(text + std::string("real objective(individual x) { return erf(gene(x, 0)); }"))
                   .warning() == "");
  BOOST_TEST(
      Objective::from_text("real objective(individual x) { return length(x, 0); }").table("length", {1}).warning() ==
      "");
  for (const auto& name : Objective::names())
    BOOST_TEST(Objective::from_text(Objective::named(name).text()).warning() == "");
}

BOOST_AUTO_TEST_CASE(genes_that_are_read_by_a_number) {
  using objective::least_genes;
  BOOST_TEST(least_genes(term) == 0U);
  BOOST_TEST(least_genes("gene(x, 0) + gene( y,7u ) + gene(x, 3)") == 8U);
  BOOST_TEST(least_genes("gene(x, 010) + gene(x, 0x9) + gene(x, 1.0) + gene(x, 2 + 3) + gene(x, 4294967295)") == 0U);
  BOOST_TEST(least_genes("// gene(x, 3)\n") == 0U);
}

BOOST_AUTO_TEST_CASE(what_lets_nan_through) {
  using objective::lets_nan_through;
  BOOST_TEST(lets_nan_through("real objective_term(individual x, uint i) { return cos(gene(x, i)); }"));
  BOOST_TEST(
      lets_nan_through("real objective(individual x) { real s = 0; for (uint i = 0; i < 3; ++i) s += 1; return s; }"));
  for (const char* text : {"x < y",
                           "x > y",
                           "x >= y",
                           "x == y",
                           "x != y",
                           "x ? 1 : 2",
                           "if (x) y;",
                           "max(x, y)",
                           "int k = x;",
                           "(uint)x",
                           "pow(x, 0)",
                           "#define f 1",
                           "while (x) ;",
                           "as_uint(x)",
                           "!x",
                           "real s; s = copysign(1, s);",
                           "real s; s = fmod(s, s);",
                           "real s; s += isfinite(s);",
                           "for (real t = 0; t < 1; t += 0.1) ;",
                           "real s; for (uint i = 0; i < s; ++i) ;",
                           "real s; for (s = 0; ;) ;",
                           "for (uint i = convert_uint(s); i < 3; ++i) ;",
                           "for (uint i = (uint)sin(1); i < 3; ++i) ;",
                           "real s; for (uint i = 0; sin(s) < i; ++i) ;",
                           "real s; s = table(x, (uint)s);",
                           "real s; s = unknown(s);",
                           "bool b;",
                           "real s; s || s;",
                           "union U { real a; };",
                           "real s; s &= 1;",
                           "real* s; s->a;",
                           "undeclared"})
    BOOST_TEST(!lets_nan_through(text), text);
  // Built-in objectives are compiled for loops, whatever this says of them.
  for (const auto& name : Objective::names()) {
    const auto text = Objective::named(name).text();
    const bool waves = objective::mentions(text, "sin") || objective::mentions(text, "cos");
    BOOST_TEST((!waves || lets_nan_through(text)), name);
  }
}

BOOST_AUTO_TEST_CASE(names_and_files) {
  BOOST_TEST(Objective::named("rastrigin").is_builtin());
  BOOST_TEST(Objective::named("schwefel").usual_bounds()->upper == 500.0);
  refuses([] { Objective::named("rastrign"); }, "the nearest is rastrigin");
  refuses([] { Objective::find(""); }, "there is no objective");
  refuses([] { Objective::find("nowhere/mine.cl"); }, "nowhere/mine.cl cannot be read");
  refuses([] { Objective::find("/"); }, "cannot be read");
  const test::Folder folder;
  const auto file = folder.path() / "mine.cl";
  test::write_file(file, term);
  BOOST_TEST(Objective::find(file.string()).name() == file.string());
  test::write_file(file, std::string("\0\1\2", 3));
  refuses([&] { Objective::find(file.string()); }, "is not a text");
}

BOOST_AUTO_TEST_CASE(constants_and_tables) {
  auto objective = Objective::from_text(term, "t.cl").constant("A", 1).table("B", {1, 2}).table("C", {3});
  BOOST_TEST(objective.table_values().size() == 3U);
  BOOST_TEST(objective.tables().at("C").first == 2U);
  refuses([&] { objective.constant("A", 2); }, "already");
  refuses([&] { objective.table("A", {2}); }, "already");
  refuses([&] { objective.constant("B_size", 2); }, "already");
  refuses([&] { objective.constant("1x", 2); }, "'1x' cannot name");
  refuses([&] { objective.constant("a b", 2); }, "cannot name");
  refuses([&] { objective.table("D", {}); }, "no values");
  refuses([] { Objective::from_bit_function(nullptr, "nil"); }, "empty function");
  refuses([] { Objective::from_real_function(Objective::RealFunction{}, "nil"); }, "empty function");
  refuses([] { Objective::from_batch_function(nullptr, GeneKind::bits, "nil"); }, "empty function");
}

BOOST_AUTO_TEST_CASE(a_fingerprint_covers_what_a_result_depends_on) {
  const auto make = [] { return Objective::from_text(term).constant("A", 1).table("B", {1, 2}).table("C", {3}); };
  const std::string finish = "\nreal objective_finish(individual x, real sum) { return sum; }";
  const auto function = [](const char* name, GeneKind kind) {
    return Objective::from_batch_function([](auto, auto, auto) {}, kind, name);
  };
  const std::vector<Objective> others{make(),
                                      Objective::from_text(term),
                                      Objective::from_text(term + std::string(" ")),
                                      Objective::from_text(term + finish),
                                      Objective::from_text(term).constant("A", 2).table("B", {1, 2}).table("C", {3}),
                                      Objective::from_text(term).constant("D", 1).table("B", {1, 2}).table("C", {3}),
                                      Objective::from_text(term).constant("A", 1).table("B", {1, 4}).table("C", {3}),
                                      Objective::from_text(term).constant("A", 1).table("B", {1}).table("C", {2, 3}),
                                      Objective::from_text(term).constant("A", 1).table("B", {1, 2}).table("D", {3}),
                                      Objective::from_text(term).constant("A", 1).table("B", {1, 2, 3}),
                                      make().set_kind(GeneKind::integers),
                                      make().set_direction(Direction::minimise),
                                      make().set_direction(Direction::maximise),
                                      make().set_usual_bounds({-1, 1}),
                                      make().set_usual_bounds({-1, 2}),
                                      make().set_usual_bounds({-2, 1}),
                                      function("one", GeneKind::bits),
                                      function("two", GeneKind::bits),
                                      function("one", GeneKind::reals)};
  std::set<std::uint64_t> fingerprints;
  for (const auto& objective : others) fingerprints.insert(objective.fingerprint());
  BOOST_TEST(fingerprints.size() == others.size());
  // Neither a file's name nor a limit that the caller may change.
  BOOST_TEST(make().set_optimum(3).fingerprint() == make().fingerprint());
  BOOST_TEST(Objective::from_text(term, "a.cl").fingerprint() == Objective::from_text(term, "b.cl").fingerprint());
}

BOOST_AUTO_TEST_CASE(kinds_of_functions) {
  const auto batch = Objective::from_batch_function([](auto, auto, auto) {}, GeneKind::permutation, "mine");
  BOOST_TEST(batch.is_function());
  BOOST_TEST(batch.is_batch_function());
  BOOST_TEST(!batch.reads_rows());
  BOOST_TEST(batch.name() == "mine");
  BOOST_TEST((batch.kind() == GeneKind::permutation));
  const auto one = Objective::from_real_function([](std::span<const double>) { return 0.0; });
  BOOST_TEST(one.is_function());
  BOOST_TEST(!one.is_batch_function());
  BOOST_TEST(!Objective::named("sphere").is_batch_function());
}

BOOST_AUTO_TEST_CASE(names_of_enumerations) {
  BOOST_TEST(name_of(GeneKind::bits) == "bits");
  BOOST_TEST(name_of(GeneKind::reals) == "reals");
  BOOST_TEST(name_of(GeneKind::integers) == "integers");
  BOOST_TEST(name_of(GeneKind::permutation) == "permutation");
  BOOST_TEST(name_of(ObjectiveForm::general) == "general");
  BOOST_TEST(name_of(ObjectiveForm::term) == "term");
  BOOST_TEST(name_of(ObjectiveForm::count) == "count");
  BOOST_TEST(name_of(ObjectiveForm::word) == "word");
  BOOST_TEST(name_of(Direction::minimise) == "minimise");
  BOOST_TEST(name_of(Direction::maximise) == "maximise");
}

BOOST_AUTO_TEST_CASE(a_kind_is_said_or_guessed) {
  const std::string text = "real objective(individual x) { return gene(x, 0); }\n";
  auto guessed = Objective::from_text(text);
  BOOST_TEST(!guessed.says_kind());
  BOOST_TEST((guessed.kind() == GeneKind::reals));
  BOOST_TEST(guessed.set_kind(GeneKind::bits).says_kind());
  const auto said = Objective::from_text("// clopt: minimise, bits\n" + text);
  BOOST_TEST(said.says_kind());
  BOOST_TEST((said.kind() == GeneKind::bits));
  BOOST_TEST(!Objective::from_text("int objective_word(individual x, uint i) { return 0; }\n").says_kind());
}

BOOST_AUTO_TEST_CASE(what_a_text_mentions_outside_of_functions) {
  const auto in_terms = [](const char* text) {
    return clopt::objective::mentions_outside(text, "pow", {"objective_finish", "violation"});
  };
  const std::string term = "real objective_term(individual x, uint i) { return gene(x, i); }\n";
  BOOST_TEST(!in_terms((term + "real objective_finish(individual x, real sum) { if (sum > 0) { return pow(sum, 2); } "
                               "return 0; }")
                           .c_str()));
  BOOST_TEST(in_terms((term + "real objective_finish(individual x, real sum) { return sum; }\n"
                              "real f(real a) { return pow(a, 3); }")
                          .c_str()));
  BOOST_TEST(!in_terms((term + "// pow(x, 2)\nreal power(real a) { return a; }").c_str()));
  // Left open, and only declared.
  BOOST_TEST(!in_terms("real violation(individual x"));
  BOOST_TEST(in_terms("real violation(individual x);\nreal f(real a) { return pow(a, 3); }"));
}

BOOST_AUTO_TEST_SUITE_END()
