// Numbers of either sign, zeros and decimals, against all subsets; and texts of amounts.
#include <boost/test/unit_test.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <sstream>

using clopt::InvalidInput;
using namespace clopt::subset_sum;

namespace {

Amounts read(const std::string& text, const std::string& capacity) {
  std::istringstream stream(text);
  return read_amounts(stream, "amounts.txt", decimal_of(capacity));
}

std::string refusal_of_amounts(const std::string& text, const std::string& capacity = "5") {
  try {
    read(text, capacity);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return {};
}

// The largest sum of a subset that is at most the capacity.
std::optional<std::int64_t> best_of_all_subsets(const Amounts& amounts) {
  std::optional<std::int64_t> best;
  for (std::uint32_t subset = 0; subset >> amounts.numbers.size() == 0; ++subset) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < amounts.numbers.size(); ++i)
      if (subset >> i & 1) sum += amounts.numbers[i];
    if (sum <= amounts.capacity && sum > best.value_or(std::numeric_limits<std::int64_t>::min())) best = sum;
  }
  return best;
}

AmountsResult solve_here(const Amounts& amounts, const Options& options = {}) {
  return solve(amounts, options, *clopt::open_device("openmp:0", {.threads = 1, .force = false, .self_test = false}));
}

void agrees_with_all_subsets(const Amounts& amounts, const Options& options) {
  const auto result = solve_here(amounts, options);
  const auto expected = best_of_all_subsets(amounts);
  BOOST_REQUIRE(result.possible == expected.has_value());
  if (!expected) return;
  BOOST_TEST(result.value == *expected);
  BOOST_TEST(result.run.optimal);
  BOOST_TEST(std::is_sorted(result.indices.begin(), result.indices.end()));
  std::int64_t sum = 0;
  for (const auto index : result.indices) {
    sum += amounts.numbers.at(index);
    BOOST_TEST(amounts.numbers[index] != 0);
  }
  BOOST_TEST(sum == *expected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_amounts)

BOOST_AUTO_TEST_CASE(are_read_in_one_unit) {
  const auto amounts = read("12.50, -3;0 .25\n-0.5 # 7\n7.", "10");
  BOOST_TEST(amounts.decimals == 2U);
  BOOST_TEST(amounts.numbers == (std::vector<std::int64_t>{1250, -300, 0, 25, -50, 700}),
             boost::test_tools::per_element());
  BOOST_TEST(amounts.capacity == 1000);
  // The capacity may have the most decimals.
  const auto finer = read("1 2.5", "3.125");
  BOOST_TEST(finer.decimals == 3U);
  BOOST_TEST(finer.numbers == (std::vector<std::int64_t>{1000, 2500}), boost::test_tools::per_element());
  BOOST_TEST(finer.capacity == 3125);
  BOOST_TEST(read("9223372036854775807 -9223372036854775807", "-5").numbers.back() == -9223372036854775807);
  BOOST_TEST(read("0.000000000000000001", "0").numbers.front() == 1);
}

BOOST_AUTO_TEST_CASE(numbers_are_written_as_they_are_read) {
  for (const char* text : {"0", "7", "-7", "0.5", "-0.05", "12.50", "9223372036854775807", "-0.000000000000000001",
                           "9.223372036854775807"})
    BOOST_TEST(text_of(decimal_of(text)) == text);
  BOOST_TEST(text_of(decimal_of(".5")) == "0.5");
  BOOST_TEST(text_of(decimal_of("007.50")) == "7.50");
  for (const char* text : {"", "-", ".", "-.", "--1", "1-", "1..2", "1.2.3", "1e5", "+1", " 1", "1 ", "0x1", "nan",
                           "9223372036854775808", "0.0000000000000000001"})
    BOOST_CHECK_THROW(decimal_of(text), InvalidInput);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_number_is_refused_with_its_line) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"1\n2\nx", ":3:"},   {"1 1e6", "written out"},          {"1 5k", "'5k'"},
      {"", "no number"},    {"9223372036854775808", "large"},  {"0.0000000000000000001", "decimals"},
      {"1 -2-3", "'-2-3'"}, {"9223372036854775807 .5", "unit"}};
  for (const auto& [text, part] : bad) {
    const auto message = refusal_of_amounts(text);
    BOOST_TEST(message.find(part) != std::string::npos, text << ": " << message);
  }
  BOOST_TEST(refusal_of_amounts("0.5", "9223372036854775807").find("capacity") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(tables_have_columns_and_labels) {
  std::istringstream text("sum;invoice\r\n# none\r\n1.350,5;\"A; 1\"\r\n;;\r\n");
  BOOST_CHECK_THROW(read_amounts(text, "table", decimal_of("5"), {.column = "sum"}), InvalidInput);
  std::istringstream right("Sum;invoice\r\n# none\r\n1.350,5;\"A; \"\"1\"\"\"\r\n\r\n-2 \xe2\x82\xac;B\n");
  const AmountsFormat format{"sum", "invoice", ",", ".", ""};
  const auto found = read_amounts(right, "table", decimal_of("1.000", format), format, decimal_of("0,25", format));
  BOOST_TEST(found.amounts.numbers == (std::vector<std::int64_t>{135050, -200}), boost::test_tools::per_element());
  BOOST_TEST(found.amounts.capacity == 100000);
  BOOST_TEST(found.amounts.tolerance == 25);
  BOOST_TEST(found.label == "invoice");
  BOOST_TEST(found.labels == (std::vector<std::string>{"A; \"1\"", "B"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(formats_that_mean_two_things_are_refused) {
  for (const auto& format : {AmountsFormat{.decimal = ";"}, AmountsFormat{.thousands = "x"},
                             AmountsFormat{.separator = "0"}, AmountsFormat{.decimal = ",", .thousands = ","},
                             AmountsFormat{.thousands = "."}, AmountsFormat{.decimal = ",", .separator = ","},
                             AmountsFormat{.decimal = ",,"}, AmountsFormat{.thousands = ",", .separator = ","}}) {
    std::istringstream text("1");
    BOOST_CHECK_THROW(read_amounts(text, "text", {}, format), InvalidInput);
  }
}

BOOST_AUTO_TEST_CASE(agree_with_all_subsets) {
  const auto seed = 1U;
  std::mt19937_64 random(seed);
  const std::vector<std::string> methods{"auto", "bellman", "meet-in-the-middle", "k1", "k3-32"};
  for (int round = 0; round < 300; ++round) {
    Amounts amounts;
    const auto size = 1 + random() % 11;
    const std::uint64_t range = round % 3 == 0 ? 5 : 1000;
    const auto draw = [&] {
      return static_cast<std::int64_t>(random() % (2 * range + 1)) - static_cast<std::int64_t>(range);
    };
    for (std::size_t i = 0; i < size; ++i) amounts.numbers.push_back(round % 7 == 0 ? std::abs(draw()) : draw());
    amounts.capacity = draw() * (round % 2 + 1);
    Options options;
    options.method = methods[static_cast<std::size_t>(round) % methods.size()];
    options.found = [&](std::int64_t value, const std::vector<std::size_t>& indices) {
      std::int64_t sum = 0;
      for (const auto index : indices) sum += amounts.numbers[index];
      BOOST_TEST(sum == value);
      BOOST_TEST(value <= amounts.capacity);
      BOOST_TEST(std::is_sorted(indices.begin(), indices.end()));
    };
    BOOST_TEST_CONTEXT("round " << round << " of seed " << seed << ", " << options.method)
    agrees_with_all_subsets(amounts, options);
  }
}

BOOST_AUTO_TEST_CASE(positive_integers_are_the_instance_of_weights) {
  const auto instance = make_instance("half-small:30", 3);
  const Amounts amounts{
      {instance.weights.begin(), instance.weights.end()}, static_cast<std::int64_t>(instance.capacity), 0};
  const auto device = clopt::open_device("openmp:0", {.threads = 1, .force = false, .self_test = false});
  const auto plain = solve(instance, {}, *device);
  const auto result = solve(amounts, {}, *device);
  BOOST_TEST(result.run.checksum == plain.checksum);
  BOOST_TEST(result.indices == plain.indices);
}

BOOST_AUTO_TEST_CASE(solutions_without_a_method_name_none) {
  const auto nothing = solve_here({{10, 20, 30}, 5, 0});
  BOOST_TEST(nothing.run.solved_by == "preprocessing");
  BOOST_TEST(nothing.run.reason == "no weight fits");
  BOOST_TEST(nothing.value == 0);
  const auto zeros = solve_here({{0, 0}, 5, 0});
  BOOST_TEST(zeros.run.optimal);
  BOOST_TEST(zeros.zeros == 2U);
  BOOST_TEST(zeros.run.solved_by == "preprocessing");
  const auto impossible = solve_here({{3, -2}, -3, 0});
  BOOST_TEST(!impossible.possible);
  BOOST_TEST(impossible.run.optimal);
  Options options;
  options.reduce = false;
  options.method = "k3-32";
  const auto swept = solve(Instance{{2, 4, 6, 8, 10, 14}, 21}, options,
                           *clopt::open_device("openmp:0", {.threads = 1, .force = false, .self_test = false}));
  BOOST_TEST(swept.solved_by == "k3-32");
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  BOOST_CHECK_THROW(solve_here({{-largest, -1}, 0, 0}), InvalidInput);
  BOOST_CHECK_THROW(solve_here({{-1, 2}, largest, 0}), InvalidInput);
  BOOST_CHECK_THROW(solve_here({{std::numeric_limits<std::int64_t>::min()}, 0, 0}), InvalidInput);
  BOOST_CHECK_THROW(solve_here({{}, 0, 0}), InvalidInput);
  Options options;
  options.method = "guess";
  BOOST_CHECK_THROW(solve_here({{0}, 0, 0}, options), InvalidInput);
  BOOST_TEST(solve_here({{-largest, largest}, 0, 0}).value == 0);
}

// A sum that 64 bits do not hold was called a defect of ours.
BOOST_AUTO_TEST_CASE(sums_below_what_a_number_holds_are_refused) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  for (const auto& [numbers, capacity] :
       std::vector<std::pair<std::vector<std::int64_t>, std::int64_t>>{{{-largest, -9}, -largest},
                                                                       {{-largest, -2}, -largest},
                                                                       {{-largest, -largest}, -largest},
                                                                       {{-largest, -1, -1}, -largest}}) {
    const Amounts amounts{numbers, capacity, 0};
    try {
      const auto result = solve_here(amounts);
      // The best that fits: at least the largest one alone.
      BOOST_TEST(result.value <= capacity);
      BOOST_TEST(result.value == -largest);
    } catch (const InvalidInput&) {
      BOOST_ERROR("refused, though one amount is the answer");
    }
  }
  BOOST_CHECK_EXCEPTION(solve_here({{-largest + 5, -9}, -largest, 0}), InvalidInput, [](const InvalidInput& error) {
    return std::string_view(error.what()).find("below -2^63") != std::string_view::npos;
  });
  BOOST_CHECK_THROW(solve_here({{-largest + 1, -5}, -largest, 0}), InvalidInput);
  BOOST_CHECK_THROW(solve_here({{-largest + 7, -largest + 6, -3}, -largest, 0}), InvalidInput);
  BOOST_TEST(solve_here({{-largest + 1, -2}, -largest, 0}).value == -largest - 1);
  BOOST_TEST(!solve_here({{-largest + 1}, -largest, 0}).possible);
}

BOOST_AUTO_TEST_CASE(an_answer_in_memory_that_cannot_be_written_is_packed) {
  constexpr std::size_t page = 1 << 16;
  static_assert(sizeof(AmountsResult) <= page);
  void* const memory = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  BOOST_TEST_REQUIRE(memory != MAP_FAILED);
  const Amounts amounts{{3, -2, 5}, 2, 1};
  auto* const answer = std::construct_at(static_cast<AmountsResult*>(memory), solve_here(amounts));
  BOOST_TEST_REQUIRE(mprotect(memory, page, PROT_READ) == 0);
  const auto packed = pack(std::as_const(*answer));
  BOOST_TEST_REQUIRE(mprotect(memory, page, PROT_READ | PROT_WRITE) == 0);
  const auto read = unpack(packed, amounts);
  BOOST_TEST(read.value == answer->value);
  BOOST_TEST(read.indices == answer->indices, boost::test_tools::per_element());
  std::destroy_at(answer);
  munmap(memory, page);
}

BOOST_AUTO_TEST_SUITE_END()
