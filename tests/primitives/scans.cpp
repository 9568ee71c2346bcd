#include <primitives/operations.hpp>
#include <primitives/scan.hpp>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <vector>

#include "support.hpp"

namespace {

using namespace clopt;
using test::device;
using Words = boost::mpl::list<std::uint32_t, std::uint64_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(scans, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE_TEMPLATE(prefix_sums, T, Words) {
  const auto queue = device().queue();
  primitives::Scan<T> scan(device());
  for (const auto length : test::lengths) {
    const auto values = test::random_integers<T>(length, length + 5);
    std::vector<T> exclusive;
    std::vector<T> inclusive;
    T sum = 0;
    for (const auto value : values) {
      exclusive.push_back(sum);
      sum += value;
      inclusive.push_back(sum);
    }
    const auto buffer = test::upload(*queue, values);
    const auto results = device().buffer<T>("prefix sums", length);
    scan.exclusive(*queue, buffer, length, results);
    BOOST_TEST((test::download(*queue, results, length) == exclusive), "exclusive, of " << length);
    BOOST_TEST(test::download(*queue, scan.total(), 1)[0] == sum);
    queue->fill(scan.total(), T{1});
    scan.inclusive(*queue, buffer, length, results);
    BOOST_TEST((test::download(*queue, results, length) == inclusive), "inclusive, of " << length);
    BOOST_TEST(test::download(*queue, scan.total(), 1)[0] == sum);
    scan.exclusive(*queue, buffer, length, buffer);
    BOOST_TEST((test::download(*queue, buffer, length) == exclusive), "in place, of " << length);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bit_transposes, Word, Words) {
  constexpr std::size_t bits = 8 * sizeof(Word);
  const auto queue = device().queue();
  const auto kernel = device().kernel(primitives::transpose_bits<Word>);
  for (const std::size_t matrices : {1U, 2U, 7U, 1001U}) {
    const auto rows = test::random_integers<Word>(matrices * bits, matrices);
    std::vector<Word> expected(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t column = 0; column < bits; ++column)
        if (rows[i] >> column & 1) expected[i / bits * bits + column] |= Word{1} << i % bits;
    const auto columns = device().buffer<Word>("columns", rows.size());
    queue->launch(kernel, Range::of_items(rows.size()), test::upload(*queue, rows), columns, rows.size());
    BOOST_TEST((test::download(*queue, columns, rows.size()) == expected), matrices << " matrices");
  }
}

BOOST_AUTO_TEST_SUITE_END()
