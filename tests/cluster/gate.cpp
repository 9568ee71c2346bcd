// What ranks must have in common.
#include <boost/test/unit_test.hpp>
#include <cluster/start_check.hpp>
#include <group/message_fields.hpp>
#include <run/bytes.hpp>

#include <clopt/error.hpp>

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace cluster = clopt::cluster;

namespace {

std::string changed(std::string description, const std::string& name, const std::string& value) {
  const auto begin = description.find(name + "=") + name.size() + 1;
  return description.replace(begin, description.find('\n', begin) - begin, value);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cluster_gate)

BOOST_AUTO_TEST_CASE(ranks_that_are_alike_pass) {
  const auto own = cluster::description_of_this_rank();
  BOOST_TEST(cluster::difference({own}).empty());
  BOOST_TEST(cluster::difference({own, changed(own, "host", "node7")}).empty());
}

BOOST_AUTO_TEST_CASE(a_difference_names_rank_host_and_field) {
  const auto own = changed(cluster::description_of_this_rank(), "host", "node0");
  const auto like = changed(own, "host", "node1");
  for (const std::string name : {"version of clopt", "hash of the kernels' texts", "version of the interfaces",
                                 "linear programmes (CLP)", "order of bytes"}) {
    BOOST_TEST_REQUIRE(own.find("\n" + name + "=") != std::string::npos);
    const auto verdict = cluster::difference({own, like, changed(changed(own, "host", "node2"), name, "another")});
    for (const auto* part : {"rank 2 on node2", "another", "rank 0 on node0", name.c_str()})
      BOOST_TEST(verdict.find(part) != std::string::npos, "'" << part << "' is not in: " << verdict);
  }
  // Another version may have other fields.
  BOOST_TEST(!cluster::difference({own, "host=node1\n"}).empty());
  BOOST_TEST(!cluster::difference({"host=node1\n", own}).empty());
  BOOST_TEST(!cluster::difference({own, own + "more=1\n"}).empty());
  BOOST_TEST(!cluster::difference({own, ""}).empty());
}

BOOST_AUTO_TEST_CASE(messages_keep_every_bit) {
  clopt::ByteWriter message;
  message.add(std::string("text")).add(std::vector<double>{-0.0, 1e-310}).add(std::optional<double>(3.5));
  message.add(std::optional<bool>()).add(std::uint8_t{7});
  const auto bytes = message.take();
  clopt::ByteReader reader(bytes);
  BOOST_TEST(reader.take<std::string>() == "text");
  const auto numbers = reader.take<std::vector<double>>();
  BOOST_TEST_REQUIRE(numbers.size() == 2U);
  BOOST_TEST(std::signbit(numbers[0]));
  BOOST_TEST(numbers[1] == 1e-310);
  BOOST_TEST(reader.take<std::optional<double>>().value() == 3.5);
  BOOST_TEST(!reader.take<std::optional<bool>>().has_value());
  BOOST_TEST(reader.take<std::uint8_t>() == 7);
  BOOST_TEST(reader.rest().empty());
  BOOST_CHECK_THROW(reader.take<std::uint8_t>(), clopt::InternalError);
  // Every message that is cut is found to be.
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    clopt::ByteReader cut{std::span<const std::byte>(bytes).first(size)};
    BOOST_CHECK_THROW((cut.take<std::string>(), cut.take<std::vector<double>>(), cut.take<std::optional<double>>(),
                       cut.take<std::optional<bool>>(), cut.take<std::uint8_t>()),
                      clopt::InternalError);
  }
  const auto endless = clopt::ByteWriter().add(std::numeric_limits<std::uint64_t>::max()).take();
  BOOST_CHECK_THROW(clopt::ByteReader(endless).take<std::vector<double>>(), clopt::InternalError);
}

BOOST_AUTO_TEST_CASE(objectives_arrive_as_they_were_sent) {
  auto text =
      clopt::Objective::from_text("real objective(individual x) { return A[0] * gene(x, 0) + B[1] + C; }", "own.cl");
  text.constant("C", 0.5).table("B", {1, 2}).table("A", {3}).set_direction(clopt::Direction::maximise);
  text.set_usual_bounds({-1, 3}).set_optimum(9);
  for (const auto& sent : {text, clopt::Objective::named("rastrigin"), clopt::Objective::named("onemax")}) {
    const auto bytes = clopt::encode(sent);
    clopt::ByteReader reader(bytes);
    auto got = clopt::Objective::named("sphere");
    reader("objective", got);
    BOOST_TEST(reader.rest().empty());
    BOOST_TEST(got.fingerprint() == sent.fingerprint());
    BOOST_TEST(got.name() == sent.name());
    BOOST_TEST(got.is_builtin() == sent.is_builtin());
    BOOST_TEST(got.table_values() == sent.table_values());
    BOOST_TEST((got.optimum() == sent.optimum()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
