// The compilers of texts: none, and those that a machine has.
#include <clopt/objective.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <support/folder.hpp>
#include "evaluation.hpp"

namespace {

using namespace clopt;
using test::holds;
using test::Layout;

bool is_on_path(const std::string& command) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::filesystem::exists(std::filesystem::path(folder) / command)) return true;
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(compilers)

// clang 14 made values of references to vectors of 512 bits, and read them from other registers than they were passed
// in: where sin has large arguments, behind a function that vectors go through.
BOOST_AUTO_TEST_CASE(vectors_come_through_calls) {
  if (test::platform() != "openmp" || !test::are_compilers_native()) return;
  std::vector<std::vector<float>> all(41, std::vector<float>(5));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < 5; ++j) all[i][j] = static_cast<float>((i * 37 + j * 11) % 83) * 120.5F - 4900;
  for (const std::string name : {"g++", "clang++"}) {
    if (!is_on_path(name)) continue;
    const test::Variable compiler("CXX", name);
    // The name makes it another text, which is compiled again.
    const auto objective = Objective::from_text("// clopt: reals\n// by " + name + R"(
real objective(individual x) {
  real sum = 0;
  for (uint i = 0; i < genes(x); ++i) sum += copysign(1, gene(x, i)) * sin(1e5 * gene(x, i));
  return sum;
})",
                                                "signs.cl");
    const auto alone = test::evaluate<float>(objective, all, 5, Layout::one_by_one);
    BOOST_TEST_INFO(name);
    BOOST_TEST(test::evaluate<float>(objective, all, 5, Layout::side_by_side) == alone,
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(without_a_compiler_the_message_names_the_remedy) {
  if (test::platform() != "openmp") return;
  const auto objective =
      Objective::from_text("real objective_term(individual x, uint i) { return gene(x, i) * 77; }", "untold.cl");
  const auto run = [&] {
    test::evaluate<float>(objective, std::vector<std::vector<float>>{{0.5F, -1, 2}}, 3, Layout::one_by_one);
  };
  {
    const test::Variable compiler("CXX", "/nowhere/c++");
    BOOST_TEST(holds(test::message_of(run), "/nowhere/c++"));
  }
  const test::Folder empty;
  const test::Variable compiler("CXX", "");
  const test::Variable path("PATH", empty.path().string());
  const auto message = test::message_of(run);
  BOOST_TEST(holds(message, "g++"), message);
  BOOST_TEST(holds(message, "pocl-opencl-icd"), message);
}

BOOST_AUTO_TEST_SUITE_END()
