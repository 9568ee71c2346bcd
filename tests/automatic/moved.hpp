/// \file
/// Runs whose device changes where a test wants it.
#pragma once

#include <automatic/device_choice.hpp>
#include <clopt/devices.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace clopt::test {

/// The device under test as an accelerator.
inline std::shared_ptr<Device> accelerator() { return {std::shared_ptr<void>(), &device()}; }

/// A run that moves to the other device with each \p every th progress that has new work. \param moves counts them.
inline Devices moved_each(int every, std::shared_ptr<Device> to = accelerator(),
                          std::shared_ptr<int> moves = std::make_shared<int>(0)) {
  AutomaticOptions options;
  options.device = {.threads = 2, .self_test = false};
  options.open_accelerator = [to = std::move(to)] { return to; };
  options.moves = [every, moves = std::move(moves),
                   state = std::make_shared<std::pair<int, double>>(0, -1)](const Progress& progress) {
    auto& [count, last] = *state;
    const double work = progress.evaluations ? static_cast<double>(*progress.evaluations) : progress.done;
    if (work <= last) return false;
    last = work;
    const bool is_to_move = ++count % every == 0;
    *moves += is_to_move ? 1 : 0;
    return is_to_move;
  };
  return chosen_by_work(std::move(options));
}

/// The processor alone.
inline std::vector<std::shared_ptr<Device>> processor() {
  return {open_device("openmp:0", {.threads = 2, .self_test = false})};
}

/// After how many reports of progress a run moves.
class Moves {
 public:
  Moves() : seed_(std::random_device()()), engine_(seed_) {}
  std::string text() const { return "seed " + std::to_string(seed_); }
  int draw() { return std::uniform_int_distribution<int>(1, 2)(engine_); }

 private:
  unsigned seed_;
  std::mt19937 engine_;
};

/// The parts of a run have all the work, and each device is there once.
inline void require_parts(const RunResult& run) {
  BOOST_TEST_REQUIRE(!run.devices.empty());
  double shares = 0;
  for (const auto& part : run.devices) shares += part.share;
  BOOST_TEST(std::abs(shares - 1) < 1e-9);
  BOOST_TEST(run.devices.front().id == "openmp:0");
}

}  // namespace clopt::test
