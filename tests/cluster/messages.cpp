/// \file
/// Messages that a rank cannot have sent.
#include <clopt/error.hpp>
#include <exchange/run/messages.hpp>

#include <boost/test/unit_test.hpp>

namespace {

BOOST_AUTO_TEST_SUITE(cluster_messages)

// Ranks check what they send: anything else is a fault of clopt, not of its user.
BOOST_AUTO_TEST_CASE(a_rank_that_sends_no_schedule_is_an_internal_error) {
  clopt::exchange::SearchResult sent;
  sent.schedule = {3, {{2, {0, 1}}, {1, {1, 0, 2}}}};
  const auto whole = clopt::exchange::encode_result(sent);
  BOOST_TEST(clopt::exchange::decode_result(clopt::ByteReader(whole)).schedule.placements.size() == 2U);
  sent.schedule.placements.front().slot = 3;
  const auto beyond = clopt::exchange::encode_result(sent);
  BOOST_CHECK_THROW(static_cast<void>(clopt::exchange::decode_result(clopt::ByteReader(beyond))), clopt::InternalError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
