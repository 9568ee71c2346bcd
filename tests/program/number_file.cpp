#include <frame/files/number_file.hpp>

#include <clopt/error.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "run.hpp"

using clopt::apps::read_rows;
using Rows = std::vector<std::vector<double>>;

namespace {

Rows rows_in(const std::string& text, bool bits = false) {
  const clopt::test::TemporaryFolder folder;
  return read_rows(folder.file("numbers.csv", text), bits);
}

void file_refused(const std::string& text, const std::string& naming) {
  try {
    rows_in(text);
    BOOST_ERROR("taken: " << text);
  } catch (const clopt::InvalidInput& error) {
    const std::string what = error.what();
    BOOST_TEST(what.find("numbers.csv") != std::string::npos);
    BOOST_TEST(what.find(naming) != std::string::npos, what << " does not name " << naming);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(number_file)

BOOST_AUTO_TEST_CASE(rows_of_numbers) {
  BOOST_TEST((rows_in("1,2.5\n-3e2,+4\n") == Rows{{1, 2.5}, {-300, 4}}));
  BOOST_TEST((rows_in("1 2\t3;4\r\n\n # nothing\n5 # five") == Rows{{1, 2, 3, 4}, {5}}));
  BOOST_TEST((rows_in("x,y\n1,2\n") == Rows{{1, 2}}));
  // As spreadsheets write UTF-8.
  BOOST_TEST((rows_in("\xef\xbb\xbf"
                      "1,2\n3,4\n") == Rows{{1, 2}, {3, 4}}));
  BOOST_TEST((rows_in("\xef\xbb\xbfx,y\n1,2\n") == Rows{{1, 2}}));
  BOOST_TEST((rows_in("# x\n\nx,y\n1,2\n") == Rows{{1, 2}}));
  BOOST_TEST((rows_in("0110\n1\n1,0,1\n", true) == Rows{{0, 1, 1, 0}, {1}, {1, 0, 1}}));
  BOOST_TEST((rows_in("0110\n") == Rows{{110}}));
}

BOOST_AUTO_TEST_CASE(names_the_line) {
  file_refused("1,2\n3,x\n", "line 2");
  file_refused("1,2\nx,y\n", "line 2");
  file_refused("x,2\n", "line 1");
  file_refused("x,y\nz,u\n", "line 2");
  file_refused("1\n\n# three\nnan\n", "line 4");
  file_refused("inf\n1\n-inf\n", "line 3");
  file_refused("1e999\n1\n0x10\n", "line 3");
  file_refused("", "no numbers");
  file_refused("x,y\n", "no numbers");
  file_refused("\xff\xfe\n1\n\x01\n", "line 3");
  BOOST_CHECK_THROW(read_rows("/"), clopt::InvalidInput);
  BOOST_CHECK_THROW(read_rows("/no/such/file"), clopt::InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
