#include <boost/test/unit_test.hpp>
#include <clopt/subset_sum.hpp>
#include <limits>

using namespace clopt::subset_sum;

namespace {

Result answer(std::uint64_t value, std::vector<std::size_t> indices, Proof proof) {
  Result result;
  result.value = value;
  result.indices = std::move(indices);
  result.proof = proof;
  result.optimal = proof != Proof::none;
  return result;
}

const Instance even{{6, 10, 14, 100}, 25};  // 100 never fits; 24 is the largest multiple of 2

void accepts(const Instance& instance, const Result& result) {
  const std::string fault = check(instance, result);
  BOOST_TEST(fault.empty(), fault);
}

void rejects(const Instance& instance, const Result& result, std::string_view because) {
  const std::string fault = check(instance, result);
  BOOST_TEST(fault.find(because) != std::string::npos, "'" << fault << "' should speak of '" << because << "'");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_checker)

BOOST_AUTO_TEST_CASE(right_answers_pass) {
  accepts(even, answer(24, {1, 2}, Proof::divisor));
  accepts(even, answer(24, {1, 2}, Proof::exhaustive));
  accepts(even, answer(20, {0, 2}, Proof::none));
  accepts(even, answer(0, {}, Proof::none));
  accepts({{6, 10, 100}, 25}, answer(16, {0, 1}, Proof::everything_fits));
  accepts({{6, 10}, 16}, answer(16, {0, 1}, Proof::capacity_reached));
  accepts({{1}, 0}, answer(0, {}, Proof::capacity_reached));
}

BOOST_AUTO_TEST_CASE(tampered_answers_do_not) {
  rejects(even, answer(24, {1, 4}, Proof::divisor), "out of range");
  rejects(even, answer(20, {1, 1}, Proof::none), "ascend");
  rejects(even, answer(24, {2, 1}, Proof::divisor), "ascend");
  rejects(even, answer(22, {1, 2}, Proof::none), "sum up to 24");
  rejects(even, answer(24, {}, Proof::divisor), "sum up to 0");
  rejects(even, answer(30, {0, 1, 2}, Proof::none), "above the capacity");
}

BOOST_AUTO_TEST_CASE(false_proofs_do_not) {
  rejects(even, answer(24, {1, 2}, Proof::capacity_reached), "reach the capacity");
  rejects(even, answer(20, {0, 2}, Proof::divisor), "common divisor");
  rejects({{3, 5}, 4}, answer(3, {0}, Proof::capacity_reached), "reach the capacity");
  rejects({{3, 5}, 6}, answer(5, {1}, Proof::divisor), "common divisor");
  rejects({{7}, 5}, answer(0, {}, Proof::divisor), "common divisor");
  rejects(even, answer(24, {1, 2}, Proof::everything_fits), "everything");
  Result result = answer(24, {1, 2}, Proof::divisor);
  result.optimal = false;
  rejects(even, result, "not called optimal");
  result = answer(24, {1, 2}, Proof::none);
  result.optimal = true;
  rejects(even, result, "without a proof");
  rejects(even, answer(24, {1, 2}, static_cast<Proof>(77)), "no such proof");
}

BOOST_AUTO_TEST_CASE(sums_do_not_wrap) {
  const std::uint64_t huge = std::numeric_limits<std::int64_t>::max();
  const Instance instance{{huge, huge, 2, 5}, huge};
  // Modulo 2^64 these would give 0 and 5.
  rejects(instance, answer(0, {0, 1, 2}, Proof::none), "sum up to 18446744073709551616");
  rejects(instance, answer(5, {0, 1, 2, 3}, Proof::none), "sum up to 18446744073709551621");
}

BOOST_AUTO_TEST_SUITE_END()
