#include <clopt/clopt.hpp>

#include <boost/test/unit_test.hpp>

#include <set>
#include <string_view>
#include <vector>

namespace {

// Each value of an enumeration has a name of its own.
template <class Enumeration>
void check_names(const std::vector<Enumeration>& values, const std::vector<std::string_view>& names) {
  BOOST_REQUIRE(values.size() == names.size());
  for (std::size_t i = 0; i < values.size(); ++i) BOOST_TEST(clopt::name_of(values[i]) == names[i]);
  BOOST_TEST(std::set<std::string_view>(names.begin(), names.end()).size() == names.size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(names)

BOOST_AUTO_TEST_CASE(of_what_all_solvers_share) {
  using namespace clopt;
  check_names<Ending>({Ending::complete, Ending::target, Ending::generations, Ending::evaluations, Ending::time,
                       Ending::stagnation, Ending::interrupted},
                      {"complete", "target", "generations", "evaluations", "time", "stagnation", "interrupted"});
  check_names<DeviceKind>({DeviceKind::cpu, DeviceKind::gpu, DeviceKind::other}, {"cpu", "gpu", "other"});
  check_names<MemoryKind>({MemoryKind::device, MemoryKind::host_visible}, {"device", "host_visible"});
  check_names<SubgroupProvider>(
      {SubgroupProvider::khr, SubgroupProvider::intel, SubgroupProvider::ptx, SubgroupProvider::emulated},
      {"khr", "intel", "ptx", "emulated"});
  const std::vector<std::string_view> types{"u8", "i8", "u32", "i32", "u64", "i64", "f32", "f64", "text"};
  const auto named = names_of_record_types();
  BOOST_TEST((types == std::vector<std::string_view>(named.begin(), named.end())));
  check_names<GeneKind>({GeneKind::bits, GeneKind::reals, GeneKind::integers, GeneKind::permutation},
                        {"bits", "reals", "integers", "permutation"});
  check_names<ObjectiveForm>(
      {ObjectiveForm::general, ObjectiveForm::term, ObjectiveForm::count, ObjectiveForm::word, ObjectiveForm::residual},
      {"general", "term", "count", "word", "residual"});
  check_names<Direction>({Direction::minimise, Direction::maximise}, {"minimise", "maximise"});
}

BOOST_AUTO_TEST_SUITE_END()
