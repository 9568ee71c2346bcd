/// \file
/// The table of fields, on options of each type, and the tables of all solvers.
#include <clopt/clopt.hpp>
#include <clopt/fields.hpp>
#include <clopt/record.hpp>

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

namespace {

using clopt::Field;
using clopt::FieldTable;
using clopt::FieldValue;

struct Tour {
  std::string start = "nearest";
  std::uint32_t cities = 5;
  std::uint64_t ants = 0;
  double decay = 0.5;
  std::optional<double> weight;
  std::optional<std::uint64_t> rounds;
  bool closed = true;
  std::optional<bool> improve;
  std::vector<double> lengths;
};

FieldTable fields(Tour& o) {
  FieldTable table(o);
  table("start", &o.start).choices({"nearest", "random"});
  table("cities", &o.cities).range(1, 9).needs("start", {"random"});
  table("ants", &o.ants).range(2, 8).unset("as many as cities");
  table("decay", &o.decay).range(0.0, 1.0).python("rho");
  table("weight", &o.weight).range(0.0, Field::unbounded);
  table("rounds", &o.rounds).needs("cities", 2).effect(clopt::FieldEffect::limit);
  table("closed", &o.closed);
  table("improve", &o.improve);
  table("city_lengths", &o.lengths);
  return table;
}

template <class Work>
std::string message_of(Work work) {
  try {
    work();
    return {};
  } catch (const clopt::InvalidInput& error) {
    return error.what();
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(field_tables)

BOOST_AUTO_TEST_CASE(values_of_each_type_are_set) {
  Tour tour;
  auto table = fields(tour);
  const std::map<std::string, FieldValue> values{{"start", std::string("random")},
                                                 {"cities", std::uint64_t{7}},
                                                 {"ants", std::uint64_t{3}},
                                                 {"decay", 0.25},
                                                 {"weight", 2.0},
                                                 {"rounds", std::uint64_t{9}},
                                                 {"closed", false},
                                                 {"improve", true},
                                                 {"city_lengths", std::vector<double>{1, 2}}};
  for (const auto& [name, value] : values) {
    table.at(name).set(value);
    BOOST_TEST((table.at(name).value() == value), name);
  }
  BOOST_TEST((tour.start == "random" && tour.cities == 7 && tour.weight == 2 && !tour.closed && tour.improve == true));
  table.at("decay").set(std::uint64_t{1});
  BOOST_TEST(tour.decay == 1);
  for (const auto* name : {"ants", "weight", "rounds", "improve"}) {
    table.at(name).set({});
    BOOST_TEST((table.at(name).value() == FieldValue()), name);
  }
}

BOOST_AUTO_TEST_CASE(defaults_are_those_of_a_new_object) {
  Tour tour{"random", 3, 4, 0.1, 1.0, 2, false, true, {1}};
  const auto table = clopt::fields_of(tour);
  BOOST_TEST((table.at("start").usual() == FieldValue(std::string("nearest"))));
  BOOST_TEST((table.at("cities").usual() == FieldValue(std::uint64_t{5})));
  BOOST_TEST((table.at("ants").usual() == FieldValue()));
  BOOST_TEST((table.at("closed").usual() == FieldValue(true)));
  BOOST_TEST((table.at("improve").usual() == FieldValue()));
}

BOOST_AUTO_TEST_CASE(wrong_values_are_refused_in_one_form) {
  Tour tour;
  auto table = fields(tour);
  const auto refused = [&](const char* name, const FieldValue& value) {
    return message_of([&] { table.at(name).set(value); });
  };
  BOOST_TEST(refused("cities", std::uint64_t{10}) == "`cities` is 10; give an integer from 1 to 9");
  BOOST_TEST(refused("cities", std::uint64_t{1} << 40) == "`cities` is 1099511627776; give an integer from 1 to 9");
  BOOST_TEST(refused("cities", 2.5) == "`cities` is 2.5; give an integer from 1 to 9");
  // Here 0 stands for none where nothing is given, and is no value that can be given.
  BOOST_TEST(refused("ants", std::uint64_t{0}) == "`ants` is 0; give an integer from 2 to 8");
  BOOST_TEST(refused("decay", 1.5) == "`decay` is 1.5; give a number from 0 to 1");
  BOOST_TEST(refused("decay", std::uint64_t{2}) == "`decay` is 2; give a number from 0 to 1");
  BOOST_TEST(refused("weight", -1.0) == "`weight` is -1; give a number from 0 on");
  BOOST_TEST(refused("closed", std::uint64_t{1}) == "`closed` is 1; give true or false");
  BOOST_TEST(refused("start", std::string("last")) == "there is no `start` 'last'; choose one of nearest, random");
  BOOST_TEST(refused("city_lengths", 1.0) == "`city_lengths` is 1; give finite numbers, with commas between them");
  BOOST_TEST((tour.cities == 5 && tour.ants == 0 && tour.decay == 0.5 && tour.start == "nearest"));
  BOOST_CHECK_NO_THROW(table.check());
  tour.decay = -1;
  BOOST_TEST(message_of([&] { table.check(); }) == "`decay` is -1; give a number from 0 to 1");
}

BOOST_AUTO_TEST_CASE(ranges_are_described) {
  Tour tour;
  const auto table = clopt::fields_of(tour);
  BOOST_TEST(table.at("cities").range_text() == "1 to 9");
  BOOST_TEST(table.at("decay").range_text() == "0 to 1");
  BOOST_TEST(table.at("weight").range_text() == "0 or more");
  for (const auto* name : {"rounds", "start", "closed", "city_lengths"}) BOOST_TEST(table.at(name).range_text() == "");
}

BOOST_AUTO_TEST_CASE(fields_have_several_names) {
  Tour tour;
  const auto table = clopt::fields_of(tour);
  for (const auto* name : {"city_lengths", "city-lengths"}) BOOST_TEST(table.find(name)->name == "city_lengths");
  BOOST_TEST(table.find("rho")->name == "decay");
  BOOST_TEST(table.find("length") == nullptr);
  BOOST_CHECK_THROW(table.at("length"), clopt::InternalError);
}

BOOST_AUTO_TEST_CASE(a_field_applies_where_what_it_needs_does) {
  Tour tour;
  const auto table = clopt::fields_of(tour);
  const auto refused = [&](const std::string& name) {
    return message_of([&] { table.check_needs(std::vector{name}); });
  };
  BOOST_TEST(refused("cities") == "`cities` belongs to `start` random, and this run has nearest; leave it out");
  BOOST_TEST(refused("rounds") == "`rounds` belongs to `cities`, of which this run has none; leave it out");
  tour.start = "random";
  tour.cities = 1;
  BOOST_TEST((table.applies(table.at("cities")) && !table.applies(table.at("rounds"))));
  BOOST_TEST(refused("rounds") == "`rounds` needs `cities` of 2 or more; give it, or leave `rounds` out");
  tour.cities = 2;
  BOOST_TEST(table.applies(table.at("rounds")));
  BOOST_TEST(refused("rounds") == "");
}

BOOST_AUTO_TEST_CASE(what_version_0_1_wrote_for_none_is_none) {
  const clopt::RunIdentity old("tour", {{"step", "1 % of the range"}, {"steps", "as few as can be found"}});
  clopt::RunIdentity now("tour");
  now.add("step", std::string_view("none")).add("steps", std::string_view("none"));
  BOOST_TEST(old.difference_text(now, "its run", "this one has") == "");
  clopt::RunIdentity other("tour");
  other.add("step", 0.5).add("steps", std::string_view("none"));
  BOOST_TEST(old.difference_text(other, "its run", "this one has") ==
             "its run has the `step` none, and this one has 0.5");
  BOOST_TEST(clopt::RunIdentity("tour").difference_text(other, "the first one", "this one has") ==
             "the first one has no `step`, and this one has 0.5");
}

// What no compiler finds.
template <class Options>
void check_table() {
  Options options;
  const auto table = clopt::fields_of(options);
  BOOST_CHECK_NO_THROW(table.check());
  std::set<std::string> names;
  std::set<std::string> arguments;
  for (const auto& field : table) {
    BOOST_TEST_CONTEXT(field.name) {
      BOOST_TEST(names.insert(field.name).second);
      if (!field.alias.empty()) BOOST_TEST(names.insert(field.alias).second);
      if (field.in_python) BOOST_TEST(arguments.insert(field.python.empty() ? field.name : field.python).second);
      BOOST_TEST(!field.help.empty());
      BOOST_TEST(!field.group.empty());
      BOOST_TEST((field.is_flag() == field.value_name.empty()));
      BOOST_TEST((field.usual() == field.value()));
      BOOST_TEST(field.whole_range.first <= field.whole_range.second);
      BOOST_TEST(field.real_range.first <= field.real_range.second);
      if (!field.need) continue;
      const auto* const needed = table.find(field.need->field);
      BOOST_REQUIRE(needed != nullptr);
      BOOST_TEST((needed->is_text() != field.need->choices.empty()));
      for (const auto& choice : field.need->choices) BOOST_TEST(needed->accepts(choice), choice);
    }
  }
}

BOOST_AUTO_TEST_CASE(tables_of_solvers_have_no_faults) {
  check_table<clopt::subset_sum::Options>();
  check_table<clopt::genetic::Options>();
  check_table<clopt::differential_evolution::Options>();
  check_table<clopt::ecga::Options>();
  check_table<clopt::exchange::Options>();
}

BOOST_AUTO_TEST_SUITE_END()
