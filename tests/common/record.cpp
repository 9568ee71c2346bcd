#include <clopt/error.hpp>
#include <clopt/record.hpp>
#include <run/record_fields.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

using clopt::Record;

enum class Colour : std::uint8_t { red, green, blue };

struct Inner {
  std::vector<std::string> texts;
  std::optional<double> weight;
};

template <class Archive>
void fields(Archive& archive, Inner& inner) {
  archive("texts", inner.texts)("weight", inner.weight);
}

struct Point {
  double x;
  std::uint32_t colour;
};

struct Outer {
  Inner inner;
  bool is_open = false;
  Colour colour = Colour::red;
  std::vector<Colour> colours;
  std::size_t count = 0;
  std::int64_t balance = 0;
  std::string name;
  std::vector<double> numbers;
  std::optional<std::uint64_t> limit;
  std::vector<Point> points;
};

template <class Archive>
void fields(Archive& archive, Outer& outer) {
  archive("inner", outer.inner)("is_open", outer.is_open)("colour", outer.colour)("colours", outer.colours);
  archive("count", outer.count)("balance", outer.balance)("name", outer.name)("numbers", outer.numbers);
  archive("limit", outer.limit);
  column(archive, "x", outer.points, &Point::x);
  column(archive, "point_colour", outer.points, &Point::colour);
}

Outer example() {
  Outer outer;
  outer.inner = {{"a", "", std::string("b\0c", 3)}, 0.1};
  outer.is_open = true;
  outer.colour = Colour::blue;
  outer.colours = {Colour::green, Colour::red};
  outer.count = 7;
  outer.balance = -3;
  outer.name = "n";
  outer.numbers = {-0.0, 1e-310, std::numeric_limits<double>::infinity()};
  outer.points = {{0.5, 1}, {1.5, 2}};
  return outer;
}

void check_equal(const Outer& one, const Outer& other) {
  BOOST_TEST((one.inner.texts == other.inner.texts));
  BOOST_TEST((one.inner.weight == other.inner.weight));
  BOOST_TEST(one.is_open == other.is_open);
  BOOST_TEST((one.colour == other.colour && one.colours == other.colours));
  BOOST_TEST(one.count == other.count);
  BOOST_TEST(one.balance == other.balance);
  BOOST_TEST(one.name == other.name);
  BOOST_TEST((one.numbers == other.numbers && std::signbit(one.numbers[0]) == std::signbit(other.numbers[0])));
  BOOST_TEST((one.limit == other.limit));
  BOOST_TEST_REQUIRE(one.points.size() == other.points.size());
  for (std::size_t i = 0; i < one.points.size(); ++i)
    BOOST_TEST((one.points[i].x == other.points[i].x && one.points[i].colour == other.points[i].colour));
}

template <class Function>
std::string refusal(const Function& function) {
  try {
    function();
  } catch (const clopt::InvalidInput& error) {
    return error.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(records)

BOOST_AUTO_TEST_CASE(hold_what_their_fields_list) {
  for (const bool has_limit : {false, true}) {
    auto outer = example();
    if (has_limit) outer.limit = 9;
    const auto record = clopt::record_of(outer);
    Outer read;
    read.points.resize(2);
    clopt::read_record(record, read);
    check_equal(read, outer);
    // The same through a checkpoint's file, whose arrays are referred to.
    const clopt::test::Folder folder;
    clopt::CheckpointWriter(folder.path() / "run")
        .write(clopt::record_of_state(clopt::RunIdentity("tour").add("seed", 1), outer));
    const auto checkpoint = clopt::Checkpoint::read(folder.path() / "run", "tour");
    Outer resumed;
    resumed.points.resize(2);
    clopt::read_checkpoint(checkpoint, resumed);
    check_equal(resumed, outer);
    BOOST_TEST(!checkpoint.record().identity().difference(clopt::RunIdentity("tour").add("seed", 1)));
  }
}

BOOST_AUTO_TEST_CASE(refuse_what_does_not_fit) {
  const auto record = clopt::record_of(example());
  const auto says = [&](const auto& change) {
    Outer read;
    read.points.resize(2);
    change(read);
    return refusal([&] { clopt::read_record(record, read); });
  };
  BOOST_TEST(says([](Outer&) {}) == "");
  BOOST_TEST(says([](Outer& outer) { outer.numbers.resize(2); }) == "its array 'numbers' has 3 elements, not 2");
  BOOST_TEST(says([](Outer& outer) { outer.points.resize(3); }) == "its array 'x' has 2 elements, not 3");
  BOOST_TEST(refusal([&] { record.get<double>("count"); }) == "its array 'count' is of type u64, not f64");
  BOOST_TEST(refusal([&] { record.get<double>("numbers"); }) == "its array 'numbers' has 3 elements, not 1");
  BOOST_TEST(refusal([&] { record.get<double>("nothing"); }) == "it has no array 'nothing'");
}

BOOST_AUTO_TEST_CASE(share_their_arrays_and_have_parts) {
  Record whole;
  {
    Record part;
    part.add("a", std::vector<float>{1, 2}).add("b", "text");
    whole.add_part("1/", part).add_part("10/", part).add("c", Colour::green);
  }
  BOOST_TEST(whole.fields().size() == 5U);
  const auto part = whole.part("1/");
  BOOST_TEST(part.fields().size() == 2U);
  BOOST_TEST((part.get<std::vector<float>>("a") == std::vector<float>{1, 2}));
  BOOST_TEST(part.get<std::string>("b") == "text");
  BOOST_TEST(part.array<float>("a").data() == whole.array<float>("10/a").data());
  BOOST_TEST((whole.get<Colour>("c") == Colour::green));
  BOOST_TEST(whole.holds<float>("1/a"));
  BOOST_TEST(!whole.holds<double>("1/a"));
  // Of equal names the first counts.
  whole.add("c", 2.5);
  BOOST_TEST((whole.get<Colour>("c") == Colour::green));
}

BOOST_AUTO_TEST_CASE(have_the_fields_that_messages_have) {
  const auto outer = example();
  const std::map<std::string, std::pair<std::size_t, double>> map{{"one", {1, 2.5}}, {"two", {3, 4.5}}};
  using Choice = std::variant<std::monostate, bool, std::string>;
  const std::vector<Choice> choices{std::string("text"), true, std::monostate()};
  const auto bytes = clopt::encode(outer.inner, map, std::vector<Inner>{outer.inner, {}}, outer.points, choices);
  clopt::ByteReader reader(bytes);
  BOOST_TEST((reader.take<Inner>().texts == outer.inner.texts));
  BOOST_TEST((reader.take<std::map<std::string, std::pair<std::size_t, double>>>() == map));
  const auto list = reader.take<std::vector<Inner>>();
  BOOST_TEST_REQUIRE(list.size() == 2U);
  BOOST_TEST((list[0].weight == outer.inner.weight));
  BOOST_TEST(!list[1].weight.has_value());
  BOOST_TEST(reader.take<std::vector<Point>>()[1].x == 1.5);
  BOOST_TEST((reader.take<std::vector<Choice>>() == choices));
  BOOST_TEST(reader.rest().empty());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    clopt::ByteReader cut{std::span<const std::byte>(bytes).first(size)};
    BOOST_CHECK_THROW((cut.take<Inner>(), cut.take<std::map<std::string, std::pair<std::size_t, double>>>(),
                       cut.take<std::vector<Inner>>(), cut.take<std::vector<Point>>(), cut.take<std::vector<Choice>>()),
                      clopt::BytesEnd);
  }
}

BOOST_AUTO_TEST_SUITE_END()
