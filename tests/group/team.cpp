// A rank's part in a run that ranks make in step, and which of its devices take it.
#include <boost/test/unit_test.hpp>
#include <clopt/devices.hpp>
#include <group/team.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using clopt::Bytes;
using clopt::Device;
using clopt::group::Kind;
using clopt::group::LostDevice;
using clopt::group::Mailbox;
using clopt::group::Order;
using clopt::group::PartOutcome;
using clopt::group::Range;
using clopt::group::TeamMember;

namespace {

using Devices = std::vector<std::shared_ptr<Device>>;
using Part = std::function<std::pair<Bytes, std::uint64_t>(std::span<const std::shared_ptr<Device>>, const Order&)>;

// What a rank at the second place reports of its part.
PartOutcome end_of(const Devices& devices, std::uint64_t failed, const Part& part, bool is_first = false) {
  Mailbox mailbox(1, 7);
  const std::vector<TeamMember> members{{0, 0}, {7, failed}};
  std::thread worker([&] {
    try {
      clopt::group::serve_team(members, devices, mailbox, is_first, part);
    } catch (...) {
      mailbox.send_error();
    }
  });
  mailbox.deliver(Kind::go, clopt::ByteReader(clopt::encode(std::uint64_t{2})));
  mailbox.deliver(Kind::range, clopt::ByteReader(clopt::encode(Range{0, 1, 1}, Bytes())));
  PartOutcome end;
  for (bool has_come = false; !has_come; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
    while (const auto message = mailbox.collect()) {
      clopt::ByteReader reader(*message);
      const auto kind = reader.take<Kind>();
      reader.take<std::uint32_t>();
      if (kind == Kind::error) end.failure = "the job has ended";
      has_come = has_come || kind == Kind::error || kind == Kind::result;
      if (kind != Kind::result) continue;
      const auto result = reader.take<clopt::group::RangeResult>();
      end = clopt::decode<PartOutcome>(result.result);
    }
  mailbox.deliver(Kind::end, clopt::ByteReader({}));
  worker.join();
  return end;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cluster_team)

BOOST_AUTO_TEST_CASE(a_device_that_failed_takes_no_part) {
  const Devices devices{clopt::open_device("openmp:0"), clopt::open_device("openmp:0"), clopt::open_device("openmp:0")};
  Devices seen;
  const auto lose = [&](std::size_t number) {
    return [&, number](std::span<const std::shared_ptr<Device>> own,
                       const Order& order) -> std::pair<Bytes, std::uint64_t> {
      BOOST_TEST(order.range.first == 1U);
      seen.assign(own.begin(), own.end());
      throw LostDevice(number, "it is gone");
    };
  };
  auto end = end_of(devices, 0, lose(1));
  BOOST_TEST((seen == devices));
  BOOST_TEST((end.kind == PartOutcome::Kind::failed));
  BOOST_TEST(end.device == 1U);
  BOOST_TEST(end.has_other_device);
  BOOST_TEST(end.failure == "openmp:0: it is gone");
  // Of those that are left, the second one is the third of all.
  end = end_of(devices, 0b010, lose(1));
  BOOST_TEST((seen == Devices{devices[0], devices[2]}));
  BOOST_TEST(end.device == 2U);
  BOOST_TEST(end.has_other_device);
  end = end_of(devices, 0b110, lose(0));
  BOOST_TEST((seen == Devices{devices[0]}));
  BOOST_TEST(end.device == 0U);
  BOOST_TEST(!end.has_other_device);
}

BOOST_AUTO_TEST_CASE(how_parts_end) {
  const Devices devices{clopt::open_device("openmp:0")};
  const auto throws = [&](const auto& error) {
    return [error](std::span<const std::shared_ptr<Device>>, const Order&) -> std::pair<Bytes, std::uint64_t> {
      throw error;
    };
  };
  const auto done = end_of(devices, 0, [](std::span<const std::shared_ptr<Device>>, const Order&) {
    return std::pair(Bytes{std::byte{3}}, std::uint64_t{5});
  });
  BOOST_TEST((done.kind == PartOutcome::Kind::done));
  BOOST_TEST((done.result == Bytes{std::byte{3}}));
  BOOST_TEST((end_of(devices, 0, throws(clopt::Cancelled("stopped"))).kind == PartOutcome::Kind::none));
  BOOST_TEST((end_of(devices, 0, throws(clopt::DeviceError("gone"))).kind == PartOutcome::Kind::failed));
  // There is no room at another rank, but what the first one refuses is refused.
  BOOST_TEST((end_of(devices, 0, throws(clopt::InvalidInput("too large"))).kind == PartOutcome::Kind::failed));
  BOOST_TEST(end_of(devices, 0, throws(clopt::InvalidInput("too large")), true).failure == "the job has ended");
  BOOST_TEST(end_of(devices, 0, throws(clopt::Error("a defect"))).failure == "the job has ended");
}

BOOST_AUTO_TEST_SUITE_END()
