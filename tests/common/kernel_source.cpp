#include <clopt/detail/kernel_source.hpp>
#include <clopt/error.hpp>
#include <device/kernels/kernel_list.hpp>
#include <support/folder.hpp>
#include <support/occurrences.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

using clopt::BuildError;
using clopt::expand_includes;
using clopt::explain_log;
using clopt::kernel_source;
using clopt::Program;
using clopt::test::Folder;
using clopt::test::occurrences;
using clopt::test::Variable;
using clopt::test::write_file;

namespace {

// Whether an error's message holds a text.
auto says(const std::string& text) {
  return [text](const std::exception& error) {
    BOOST_TEST_MESSAGE(error.what());
    return std::string(error.what()).find(text) != std::string::npos;
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernel_sources)

BOOST_AUTO_TEST_CASE(includes_are_put_in_place_with_their_lines) {
  Program program;
  program.texts["a.h"] = "in a\n#include \"folder/b.h\"\nafter b\n";
  program.texts["folder/b.h"] = "in b\n  #  include <c.h>\n";
  program.texts["folder/c.h"] = "in c";
  const std::string expected =
      "#line 1 \"main.cl\"\n"
      "first\n"
      "#line 1 \"a.h\"\n"
      "in a\n"
      "#line 1 \"folder/b.h\"\n"
      "in b\n"
      "#line 1 \"folder/c.h\"\n"  // found beside the file that includes it
      "in c\n"
      "#line 3 \"folder/b.h\"\n"
      "#line 3 \"a.h\"\n"
      "after b\n"
      "#line 3 \"main.cl\"\n"
      "third\n";
  BOOST_TEST(expand_includes("first\n#include \"a.h\"\nthird\n", "main.cl", program) == expected);
}

BOOST_AUTO_TEST_CASE(a_header_with_a_guard_is_put_in_place_once) {
  Program program;
  program.texts["guarded.h"] = "/* a comment */\n#ifndef G\n#define G\n#include \"inner.h\"\nin guarded\n#endif\n";
  program.texts["inner.h"] = "#ifndef I\n#define I\nin inner\n#endif\n";
  program.texts["plain.h"] = "#ifdef P\nin plain\n#endif\n";
  const auto expand = [&](const std::string& text) { return expand_includes(text, "main.cl", program); };
  const auto twice = expand("#include \"guarded.h\"\n#include \"guarded.h\"\n#include \"inner.h\"\nlast\n");
  BOOST_TEST(occurrences(twice, "in guarded") == 1U);
  BOOST_TEST(occurrences(twice, "in inner") == 1U);
  // The lines after it have their numbers.
  BOOST_TEST(twice.ends_with("#line 2 \"main.cl\"\n\n\nlast\n"));
  // Where it may not have been compiled, it is put in place again.
  const auto conditional = expand("#ifdef X\n#include \"guarded.h\"\n#endif\n#include \"guarded.h\"\n");
  BOOST_TEST(occurrences(conditional, "in guarded") == 2U);
  BOOST_TEST(occurrences(conditional, "in inner") == 2U);
  // What has no guard may be meant to be there twice.
  BOOST_TEST(occurrences(expand("#include \"plain.h\"\n#include \"plain.h\"\n"), "in plain") == 2U);
}

BOOST_AUTO_TEST_CASE(other_lines_stay) {
  const std::string text =
      "#include <no/such/file.h>\n"
      "#define include \"a.h\"\n"
      "// #include \"a.h\"\n"
      "#includes\n"
      "#include\n"
      "#\n";
  Program program;
  program.texts["a.h"] = "in a";
  BOOST_TEST(expand_includes(text, "x", program) == "#line 1 \"x\"\n" + text);
  BOOST_TEST(expand_includes("", "x") == "#line 1 \"x\"\n");
}

BOOST_AUTO_TEST_CASE(includes_that_never_end_are_refused) {
  Program program;
  program.texts["a.h"] = "#include \"b.h\"\n";
  program.texts["b.h"] = "#include \"a.h\"\n";
  BOOST_CHECK_EXCEPTION(expand_includes("#include \"a.h\"\n", "x", program), BuildError, says("never end"));
}

BOOST_AUTO_TEST_CASE(embedded_files_are_found) {
  BOOST_TEST(clopt::kernel_file("subset_sum/walk_back") == "subset_sum/walk_back.cl");
  const auto source = kernel_source("subset_sum/sweep_bits.cl");
  BOOST_TEST(source.find("kernel void sweep_bits(") != source.npos);
  BOOST_TEST(source.find("complementary_bits(word high") != source.npos);
  BOOST_TEST(occurrences(source, "#include \"") == 0U);
  BOOST_CHECK_EXCEPTION(kernel_source("subset_sum/none.cl"), BuildError, says("'subset_sum/none.cl'"));
  BOOST_CHECK_EXCEPTION(clopt::kernel_file("subset_sum/none"), BuildError, says("'subset_sum/none'"));
}

BOOST_AUTO_TEST_CASE(every_embedded_kernel_file_expands) {
  std::size_t kernels = 0;
  for (const auto& text : clopt::embedded_kernel_texts()) {
    if (!text.file.ends_with(".cl")) continue;
    const auto source = kernel_source(text.file);
    kernels += occurrences(source, "\nkernel ");
    BOOST_TEST(source.starts_with("#line 1 \"" + std::string(text.file) + "\"\n"));
  }
  BOOST_TEST(kernels >= 2U);
}

BOOST_AUTO_TEST_CASE(a_folder_of_files_comes_before_the_embedded_ones) {
  const Folder folder;
  const Variable path("CLOPT_KERNEL_PATH", folder.path());
  const auto embedded = kernel_source("subset_sum/sweep_bits.cl");
  write_file(folder.path() / "shared" / "subset_sum" / "bits.h", "replaced\n");
  const auto source = kernel_source("subset_sum/sweep_bits.cl");
  BOOST_TEST(source != embedded);
  BOOST_TEST(source.find("\nreplaced\n") != source.npos);
  BOOST_TEST(source.find("kernel void sweep_bits(") != source.npos);
  BOOST_TEST(source.find("word complementary_bits(") == source.npos);
  Program program;
  program.texts["shared/subset_sum/bits.h"] = "the program's own\n";
  BOOST_TEST(occurrences(kernel_source("subset_sum/sweep_bits.cl", program), "the program's own") == 1U);
}

BOOST_AUTO_TEST_CASE(logs_show_our_lines) {
  Program program;
  program.texts["objective.cl"] = "line one\nline two\nline three";
  const auto source =
      "#define A 1\n" + clopt::expand_includes("before\n#include \"objective.cl\"\nafter\n", "whole.cl", program);
  const std::string log =
      "objective.cl:2:7: error: what is this\n\nelsewhere.cl:1:1: error: unknown\nplain words\n"
      "objective.cl:4:1: error: no such line\nobjective.cl:3: error: last\n"
      "error: objective.cl:1:2: as PoCL says it\n<kernel>:6:1: as NVIDIA says it\nwhole.cl:3:1: beyond the include\n";
  BOOST_TEST(explain_log(log, source) ==
             "objective.cl:2:7: error: what is this\n  2 | line two\nelsewhere.cl:1:1: error: unknown\nplain words\n"
             "objective.cl:4:1: error: no such line\nobjective.cl:3: error: last\n  3 | line three\n"
             "error: objective.cl:1:2: as PoCL says it\n  1 | line one\n"
             "<kernel>:6:1: as NVIDIA says it\n  objective.cl:2 | line two\n"
             "whole.cl:3:1: beyond the include\n  3 | after\n");
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "words\n";
  BOOST_TEST(occurrences(explain_log(many, source), "words") < 100U);
  BOOST_TEST(explain_log(many, source).ends_with("...\n"));
}

BOOST_AUTO_TEST_SUITE_END()
