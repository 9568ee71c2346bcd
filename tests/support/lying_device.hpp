/// \file
/// A device that gives wrong results.
#pragma once

#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace clopt::test {

/// What a device gives wrong: one bit of what is read of a buffer, each time.
struct Lie {
  std::string buffer;
  std::size_t bit;   ///< counted from the first one that is read; beyond the end nothing is wrong
  int reported = 0;  ///< how often
};

class LyingQueue : public FailingQueue {
 public:
  LyingQueue(std::unique_ptr<Queue> queue, std::atomic<int>& launches, Lie& lie)
      : FailingQueue(std::move(queue), launches), lie_(lie) {}

 protected:
  Event do_read(Memory& from, std::size_t offset, void* to, std::size_t bytes) override {
    auto event = FailingQueue::do_read(from, offset, to, bytes);
    event.wait();
    if (from.name() == lie_.buffer && lie_.bit / 8 < bytes) {
      static_cast<unsigned char*>(to)[lie_.bit / 8] ^= static_cast<unsigned char>(1U << lie_.bit % 8);
      ++lie_.reported;
    }
    return event;
  }

 private:
  Lie& lie_;
};

/// The OpenMP device, with a lie.
class LyingDevice : public FailingDevice {
 public:
  explicit LyingDevice(Lie lie) : FailingDevice(enough_launches), lie_(std::move(lie)) {}
  const Lie& lie() const { return lie_; }

 protected:
  std::unique_ptr<Queue> do_queue(const QueueOptions& options) override {
    return std::make_unique<LyingQueue>(inner().queue(options), launches(), lie_);
  }

 private:
  static constexpr int enough_launches = 1 << 30;
  Lie lie_;
};

/// Has the device lie in one buffer, in each of the first bits: the run ends by an error that names it, and a sound
/// device after it gives the right result. \param solve gets devices, and gives the checksum.
template <class Solve>
void refuse_lies(const std::string& buffer, std::size_t first_bit, std::size_t bits, const Solve& solve) {
  const auto sound = open_device("openmp:0");
  const std::shared_ptr<Device> alone[] = {sound};
  const auto expected = solve(std::span(alone));
  for (auto bit = first_bit; bit < first_bit + bits; ++bit) BOOST_TEST_CONTEXT("bit " << bit << " of " << buffer) {
      const auto lying = std::make_shared<LyingDevice>(Lie{buffer, bit});
      const std::shared_ptr<Device> liar[] = {lying};
      BOOST_CHECK_EXCEPTION(solve(std::span(liar)), DeviceError, [](const DeviceError& error) {
        const std::string what = error.what();
        BOOST_TEST(what.find("openmp:0") != what.npos, what);
        BOOST_TEST(what.find("host") != what.npos, what);
        return true;
      });
      BOOST_TEST(lying->lie().reported > 0);
      const std::shared_ptr<Device> helped[] = {lying, sound};
      BOOST_CHECK_NO_THROW(BOOST_TEST(solve(std::span(helped)) == expected));
    }
}

}  // namespace clopt::test
