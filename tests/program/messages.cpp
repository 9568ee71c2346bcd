// Messages of the library with the names of options in place of fields.
#include <boost/test/unit_test.hpp>

#include <frame/options/options.hpp>

using clopt::apps::OptionParser;
using clopt::apps::with_option_names;

BOOST_AUTO_TEST_SUITE(messages)

BOOST_AUTO_TEST_CASE(fields_become_options_of_the_subcommand) {
  OptionParser parser("tour", "[OPTION...]", "Finds a tour.");
  parser.value("tournament-size", "N", "how many meet").values("device", "ID", "where").switch_("json", "one object");
  parser.switch_("polish", "polished").switch_("no-polish", "not polished");
  parser.hidden("plot").argument("FILE");
  BOOST_TEST(parser.parse({"--json"}).has_value());
  BOOST_TEST(with_option_names("`tournament_size` is 1; give 2 or more") == "--tournament-size is 1; give 2 or more");
  BOOST_TEST(with_option_names("`json`, `plot` and `device`") == "--json, --plot and --device");
  // What is no option of it stays as it is, and so does what is no name.
  BOOST_TEST(with_option_names("`weights` is empty; see `clopt tour --help`") ==
             "`weights` is empty; see `clopt tour --help`");
  BOOST_TEST(with_option_names("a ` alone, `json` and ` once more") == "a ` alone, `json` and ` once more");
  BOOST_TEST(with_option_names("`json` and a ` alone") == "--json and a ` alone");
  BOOST_TEST(with_option_names("``") == "``");
  // What switches a field off.
  BOOST_TEST(with_option_names("give `polish = false`") == "give --no-polish");
  BOOST_TEST(with_option_names("give `check = false`") == "give `check = false`");
  // An argument that is no option.
  BOOST_TEST(with_option_names("`FILE`") == "`FILE`");
  BOOST_TEST(with_option_names("") == "");
}

BOOST_AUTO_TEST_CASE(the_last_subcommand_counts) {
  OptionParser one("one", "", "");
  one.value("seed", "N", "the seed");
  OptionParser other("other", "", "");
  other.value("steps", "N", "the steps");
  one.parse({});
  BOOST_TEST(with_option_names("`seed` and `steps`") == "--seed and `steps`");
  // A subcommand that is used wrongly has names too.
  BOOST_CHECK_THROW(other.parse({"--seed", "1"}), std::exception);
  BOOST_TEST(with_option_names("`seed` and `steps`") == "`seed` and --steps");
}

BOOST_AUTO_TEST_SUITE_END()
