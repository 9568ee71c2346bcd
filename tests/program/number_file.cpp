#include <frame/files/number_file.hpp>

#include <clopt/error.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
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
  file_refused("1,2\n3,x\n", ":2:");
  file_refused("1,2\nx,y\n", ":2:");
  file_refused("x,2\n", ":1:");
  file_refused("x,y\nz,u\n", ":2:");
  file_refused("1\n\n# three\nnan\n", ":4:");
  file_refused("x\n1\n-inf\n", ":3:");
  file_refused("x\n1\n0x10\n", ":3:");
  file_refused("", "no numbers");
  file_refused("x,y\n", "no numbers");
  file_refused("\xff\xfe\n1\n\x01\n", ":3:");
  BOOST_CHECK_THROW(read_rows("/"), clopt::InvalidInput);
  BOOST_CHECK_THROW(read_rows("/no/such/file"), clopt::InvalidInput);
}

// A first row that only resembles one of names was dropped.
BOOST_AUTO_TEST_CASE(a_first_row_of_numbers_is_no_row_of_names) {
  for (const char* row :
       {"inf", "-Infinity", "1e999", "0x10", "1,5;2,5", "1.2.3", "1'000", "nan,nan", "NA", "+-5", "1,5 2,5"})
    file_refused(std::string(row) + "\n1\n", ":1:");
  for (const char* row : {"x,y", "2theta,count", "\"1st, of all\",b", "NA,x", "# 1\nx", "sodium", "e", "-"})
    BOOST_TEST((rows_in(std::string(row) + "\n1,2\n") == Rows{{1, 2}}), row);
}

BOOST_AUTO_TEST_CASE(what_is_missing_shifts_no_column) {
  for (const char* row : {"1,,3", "1;;3", ",1,3", "1,3,", "1, ,3", "1;2;", ",", ";", "1,\"\",3", "1,nan,3", "1,NA,3"})
    file_refused("x\n" + std::string(row) + "\n", ":2:");
  file_refused("1,,3\n", ":1: column 2 is empty");
  file_refused("1,2\n3,#N/A\n", ":2: column 2 is empty");
}

BOOST_AUTO_TEST_CASE(decimal_commas_make_no_columns) {
  for (const char* row :
       {"1,5;2,5", "1,5;2", "1;2,5", "1,5 2,5", "1,5\t2,5", "\"1,5\",2", "1.000,5;2", "1;2;3,", "1,2;3,4"})
    file_refused("x\n" + std::string(row) + "\n", ":2:");
  file_refused("x\n1,5;2,5\n", "'1,5' is not a finite number; write decimals with a point");
}

BOOST_AUTO_TEST_CASE(spreadsheets_fields_are_read) {
  const Rows expected{{1, -2.5, 3}, {4, 5, 6}};
  for (const char* text :
       {"1,-2.5,3\n4,5,6\n", "1;-2.5;3\r\n4;5;6\r\n", "1,-2.5,3\r4,5,6\r", "+1 , -2.5 , +3\n4,5,6",
        "1\t-2.5\t3\n4\t5\t6\n", "\"1\",\"-2.5\",\"3\"\n4,5,6\n", "a,b,c\r1,-2.5,3\r4,5,6",
        "\xef\xbb\xbf\"a\";\"b\";\"c\"\n1;-2.5;3\n4;5;6", "# c\r\r1 -2.5 3 # 7\r4 5 6", "1,-25e-1,.3e1\n4.,5,6"})
    BOOST_TEST((rows_in(text) == expected), text);
}

BOOST_AUTO_TEST_CASE(data_of_fits_may_lack_numbers) {
  const clopt::test::TemporaryFolder folder;
  const auto rows = [&](const std::string& text) {
    return clopt::apps::read_rows_with_gaps(folder.file("fit.csv", text));
  };
  for (const char* text :
       {"1,,3\n", "1;;3\n", "1,nan,3\n", "1 NA 3\n", "x,y,z\n1,,3\n", "1,\"\",3", "1,NaN,+3\r", "1, ,3"}) {
    const auto found = rows(text);
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST_REQUIRE(found.size() == 1U);
      BOOST_TEST_REQUIRE(found[0].size() == 3U);
      BOOST_TEST((found[0][0] == 1 && std::isnan(found[0][1]) && found[0][2] == 3));
    }
  }
  BOOST_CHECK_THROW(rows("1,5;2,5\n"), clopt::InvalidInput);
  BOOST_CHECK_THROW(rows("1,inf,3\n"), clopt::InvalidInput);
  BOOST_CHECK_THROW(rows("1,+-2,3\n"), clopt::InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
