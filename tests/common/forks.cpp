#include <clopt/detail/activity.hpp>
#include <clopt/devices.hpp>
#include <support/threads/process_mutex.hpp>

#include <sys/wait.h>
#include <unistd.h>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace {

// What a child does in a process of its own: the way it ends shows whether it succeeds, or hangs.
template <class Work>
bool succeeds_in_child(const Work& work) {
  const auto child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::_exit(work() ? 0 : 1);
  }
  int status = -1;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(forks)

BOOST_AUTO_TEST_CASE(child_finds_what_a_busy_thread_guards_free_and_whole) {
  clopt::ProcessMutex mutex(clopt::Holding::alone);
  // Two numbers that are equal whenever no thread holds the mutex.
  std::atomic<unsigned> first = 0, second = 0;
  const std::jthread busy([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      {
        const std::lock_guard lock(mutex);
        ++first;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        ++second;
      }
      // Or else a fork, which waits for a second, may never find it free on a busy machine.
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  });
  for (int i = 0; i < 50; ++i)
    BOOST_TEST(succeeds_in_child([&] {
      const std::lock_guard lock(mutex);
      return first == second;
    }));
}

BOOST_AUTO_TEST_CASE(child_has_what_stays_taken_anew) {
  clopt::ProcessMutex mutex(clopt::Holding::others);
  std::atomic<bool> is_taken = false;
  const std::jthread holder([&](const std::stop_token& stop) {
    const std::lock_guard lock(mutex);
    is_taken = true;
    while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  while (!is_taken) std::this_thread::yield();
  BOOST_TEST(succeeds_in_child([&] {
    const std::lock_guard lock(mutex);
    return true;
  }));
}

BOOST_AUTO_TEST_CASE(thread_that_forks_keeps_what_it_holds) {
  clopt::ProcessMutex mutex(clopt::Holding::others);
  std::unique_lock lock(mutex);
  BOOST_TEST(succeeds_in_child([&] {
    lock.unlock();
    lock.lock();
    return true;
  }));
  lock.unlock();
  lock.lock();
}

// The activities of threads that the child has not lie on stacks that its own threads take.
BOOST_AUTO_TEST_CASE(child_knows_only_its_own_activities) {
  std::atomic<bool> is_busy = false;
  const std::jthread busy([&](const std::stop_token& stop) {
    const clopt::Activity activity("waiting", "for an end");
    is_busy = true;
    while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  while (!is_busy) std::this_thread::yield();
  const clopt::Activity before("forking", "a process");
  BOOST_TEST(clopt::activities().size() == 2U);
  BOOST_TEST(succeeds_in_child([] {
    auto own = std::make_unique<clopt::Activity>("being", "in a child");
    const bool is_one = clopt::activities().size() == 1;
    std::thread([] { const clopt::Activity another("being", "in its thread"); }).join();
    own.reset();
    return is_one && clopt::activities().empty();
  }));
  BOOST_TEST(clopt::activities().size() == 2U);
  {
    // One that began before the fork, and ends after it.
    auto across = std::make_unique<clopt::Activity>("forking", "another process");
    BOOST_TEST(succeeds_in_child([&] {
      const clopt::Activity own("being", "in a child");
      across.reset();
      return clopt::activities().size() == 1;
    }));
  }
  BOOST_TEST(clopt::activities().size() == 2U);
}

// In a process of its own: other tests need one that has listed none yet.
BOOST_AUTO_TEST_CASE(child_lists_devices_while_another_thread_does) {
  BOOST_TEST(succeeds_in_child([] {
    (void)clopt::list_devices();
    const std::jthread busy([](const std::stop_token& stop) {
      while (!stop.stop_requested()) (void)clopt::list_devices();
    });
    bool all = true;
    for (int i = 0; i < 50; ++i) all &= succeeds_in_child([] { return !clopt::list_devices().devices.empty(); });
    return all;
  }));
}

BOOST_AUTO_TEST_SUITE_END()
