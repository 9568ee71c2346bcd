/// \file
/// What is read of the lists of pairs that devices make.
#include <ecga/model/counting_devices.hpp>

#include <clopt/device.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace {

using namespace clopt;
using ecga::CountingDevices;
using ecga::Edge;

constexpr std::uint32_t individuals = 64;
constexpr std::uint32_t loci = 9;
constexpr std::size_t written = 6000;

/// A task whose pairs the host makes, as many that gain as the list takes; the rest of it is what was there before.
struct Lists {
  std::size_t count;
  std::optional<std::size_t> most;

  CountingDevices::BandTask task() const {
    CountingDevices::BandTask task;
    task.prepare = [](CountingDevices::Counter&) {};
    task.count = [](CountingDevices::Counter&, ecga::Band) {};
    task.find = [this](CountingDevices::Counter& counter, ecga::Band, const Buffer<Edge>& list) {
      std::vector<Edge> pairs(list.size(), Edge{0, 0, -1});
      pairs[0].first = static_cast<std::uint32_t>(count);
      const auto listed = std::min({count, list.size() - 1, most.value_or(count)});
      for (std::size_t i = 1; i <= listed; ++i) pairs[i] = {static_cast<std::uint32_t>(i), 0, 1};
      counter.pairs->queue().write(list, pairs);
    };
    task.are_sound = [](std::size_t, std::span<const Edge> found) {
      return std::all_of(found.begin(), found.end(), [](const Edge& pair) { return pair.gain > 0; });
    };
    task.most_listed = most;
    return task;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(lists_of_pairs, *boost::unit_test::label("device"))

// As of a forecast of 9,800 loci that clash more often than a list of clashes takes.
BOOST_AUTO_TEST_CASE(nothing_is_read_behind_what_was_listed) {
  auto& device = test::device();
  const auto queue = device.queue();
  const ecga::Dimensions shape(individuals, loci, 5, 2, 0);
  const ecga::Logarithms logarithms(individuals);
  CountingDevices devices(device, *queue, shape, ecga::Counting::histogram, logarithms);
  const auto size = devices.first().lists[0].size();
  BOOST_REQUIRE(size < written);
  const ecga::Bands bands{{{0, 1}}};
  // Those that a list of the same kind had before are expected of the next one.
  for (const std::optional<std::size_t> most : {std::optional<std::size_t>{}, {std::size_t{7}}, {size + 9}})
    for (const std::size_t count : {std::size_t{0}, std::size_t{3}, std::size_t{7}, std::size_t{8}, std::size_t{300},
                                    size - 1, size, written, std::size_t{2}}) {
      const Lists lists{count, most};
      const auto room = devices.first().lists[0].size() - 1;
      std::vector<Edge> found;
      const auto counted = devices.share(bands, lists.task(), false, false, found);
      BOOST_TEST_CONTEXT(count << " pairs, lists of " << room << " take " << (most ? static_cast<long>(*most) : -1)) {
        BOOST_TEST(counted == count);
        BOOST_REQUIRE(found.size() == (most ? std::min({count, *most, room}) : count));
        std::sort(found.begin(), found.end(), [](const Edge& a, const Edge& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < found.size(); ++i) BOOST_TEST_REQUIRE(found[i].first == i + 1);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
