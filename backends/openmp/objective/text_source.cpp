#include "text_source.hpp"

#include <clopt/detail/kernel_source.hpp>

#include <fmt/format.h>

namespace clopt::openmp {
namespace {

// A program with what is compiled at run time as texts.
Program with_run_time_texts(const Program& program) {
  Program whole = program;
  static constexpr struct {
    const char* file;
    const char* text;
  } texts[] = {
#include <generated/run_time_texts.inc>
  };
  for (const auto& text : texts) whole.texts[text.file] = text.text;
  return whole;
}

// What stands before every reading of a text.
std::string opening_of(const Program& program) {
  std::string source;
  if (!program.fast_math)
    source = fmt::format(
        "#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || "
        "defined(__NO_SIGNED_ZEROS__) || __FINITE_MATH_ONLY__ || __FLT_EVAL_METHOD__ == 2\n#error {0}\n#endif\n"
        "static_assert(sizeof 1.0 == sizeof(double), \"{0}\");\n",
        other_arithmetic);
  // Else functions whose parameters gcc has replaced stay calls where `flatten` asks for none, and loops with calls do
  // not become vectors.
  if (!is_of_fits(program))
    source += "#ifndef __clang__\n#pragma GCC optimize(\"no-ipa-sra\", \"no-strict-aliasing\")\n#endif\n";
  source +=
      "#include \"shared/elementary/elementary.h\"\n#include \"shared/objective/constraint.h\"\n"
      "#include \"shared/objective/scalar.h\"\n#include \"objective/batch.hpp\"\n";
  if (is_of_fits(program)) source += "#include \"objective/fit_batch.hpp\"\n#include <new>\n";
  for (const auto& [name, value] : program.defines.entries())
    if ((name.starts_with("OBJECTIVE_") || name.starts_with("FIT_")) && name != "OBJECTIVE_GENES" &&
        name != "OBJECTIVE_EXACT")
      source += fmt::format("#define {} {}\n", name, value);
  // Words of OpenCL C that mean nothing here.
  return source +
         "#define global\n#define __global\n#define local\n#define __local\n#define private\n#define __private\n"
         "#define constant static const\n#define __constant static const\n#define restrict __restrict\n"
         "#define OBJECTIVE_CLONES(attributes, result, name, parameters, arguments) attributes static result name "
         "parameters\n"
         "namespace clopt::shared { namespace {\n";
}

const char* real_of(const Program& program) {
  return program.defines.find("OBJECTIVE_DOUBLE") == "1" ? "double" : "float";
}

std::string function_of(const char* name, const char* batch, const char* function) {
  return fmt::format(
      "extern \"C\" __attribute__((visibility(\"default\"))) void {}(const clopt::{}& batch) {{\n"
      "  clopt::shared::{}(batch);\n}}\n",
      name, batch, function);
}

// The program's text twice, as loops.hpp requires it, and the loops; with vectors, a third time.
std::string source_of_loops(const Program& program, bool vectors) {
  const bool moderate = program.defines.find("OBJECTIVE_LETS_NAN_THROUGH") == "1";
  auto source = opening_of(program);
  for (const bool second : {false, true})
    source += fmt::format(
        "namespace {} {{\ntypedef {} real;\n#define OBJECTIVE_MODERATE {}\n#include \"shared/objective/individual.h\"\n"
        "#include \"objective_text.cl\"\n#include \"shared/objective/sum.h\"\n#undef OBJECTIVE_MODERATE\n}}\n",
        second ? "moderate" : "exact", real_of(program), second && moderate ? 1 : 0);
  if (vectors)
    source += fmt::format(
        "#define OBJECTIVE_VECTOR_READING\n#define OBJECTIVE_VECTOR\n#define OBJECTIVE_MODERATE {}\n"
        "namespace vectors {{\ntypedef {} scalar;\n#include \"objective/vector_number.hpp\"\n"
        "#include \"objective/vector_individual.hpp\"\n"
        "typedef number real;\n#include \"shared/objective/individual.h\"\n"
        "#include \"objective_text.cl\"\n#include \"shared/objective/sum.h\"\n}}\n"
        "#undef OBJECTIVE_VECTOR\n#undef OBJECTIVE_MODERATE\n",
        moderate ? 1 : 0, real_of(program));
  source += "#include \"objective/loops.hpp\"\n} }\n" + function_of(exported::evaluate, "ObjectiveBatch", "evaluate") +
            function_of(exported::exact, "ObjectiveBatch", "evaluate_exactly");
  if (program.defines.find("OBJECTIVE_RESIDUAL") == "1")
    source += function_of(exported::residuals, "ObjectiveBatch", "residuals");
  return source;
}

// The text and the method of fits, once for one fit and, with vectors, once for many. Each brings its own individual.
std::string source_of_fits(const Program& program, bool vectors) {
  constexpr const char* text_and_method =
      "#include \"shared/objective/individual.h\"\n#include \"objective_text.cl\"\n#include "
      "\"shared/objective/sum.h\"\n"
      "#include \"shared/fit/levenberg_marquardt.h\"\n#include \"shared/fit/errors.h\"\n"
      "#include \"shared/fit/sections.h\"\n";
  auto source = opening_of(program);
  source += fmt::format(
      "#define OBJECTIVE_MODERATE 0\n#define OBJECTIVE_STRIDED_ROWS\n#define OBJECTIVE_GENES FIT_PARAMETERS\n"
      "namespace one {{\ntypedef {} real;\n{}}}\n#undef FIT_ANY\n#undef FIT_POWER\n",
      real_of(program), text_and_method);
  if (vectors)
    source += fmt::format(
        "#define FIT_VECTORS\n#define OBJECTIVE_VECTOR\nnamespace vectors {{\ntypedef {} scalar;\n"
        "#include \"objective/vector_number.hpp\"\n#include \"objective/fit_individual.hpp\"\ntypedef number real;\n"
        "{}}}\n",
        real_of(program), text_and_method);
  if (program.defines.find("FIT_LONG_ROWS") == "1")
    return source + "#include \"objective/long_row_loops.hpp\"\n} }\n" +
           function_of(exported::long_rows, "LongRowsBatch", "long_rows");
  return source + "#include \"objective/fit_loops.hpp\"\n} }\n" + function_of(exported::fits, "FitBatch", "fit_batch");
}

}  // namespace

bool is_of_fits(const Program& program) { return !program.defines.find("FIT_PARAMETERS").empty(); }

bool can_be_vectors(const Program& program) {
  return program.defines.find("OBJECTIVE_FORM") == "0U" && program.defines.find("OBJECTIVE_KIND") == "1U" &&
         program.defines.find("OBJECTIVE_TAKES_VECTORS") == "1" && program.defines.find("FIT_LANES") != "0" &&
         !program.fast_math && !program.quick_build;
}

std::string source_of(const Program& program, bool vectors) {
  const auto source = is_of_fits(program) ? source_of_fits(program, vectors) : source_of_loops(program, vectors);
  return expand_includes(source, "objective.cpp", with_run_time_texts(program));
}

}  // namespace clopt::openmp
