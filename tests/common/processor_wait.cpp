#include <boost/test/unit_test.hpp>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include <support/process/processor_wait.hpp>
#include <support/process/system_file.hpp>

namespace {

using clopt::ProcessorWait;
using namespace std::chrono_literals;

// A process that does nothing but spin or sleep, on the processor of another.
class Child {
 public:
  Child(bool spins, int policy) : id_(fork()) {
    if (id_ != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first_processor(), &one);
    sched_setaffinity(0, sizeof one, &one);
    const sched_param none{};
    sched_setscheduler(0, policy, &none);
    for (volatile bool forever = true; forever;)
      if (!spins) pause();
    _exit(0);
  }
  ~Child() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  pid_t id() const { return id_; }

 private:
  static int first_processor() {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    int first = 0;
    while (!CPU_ISSET(first, &allowed)) ++first;
    return first;
  }
  pid_t id_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(processor_wait)

BOOST_AUTO_TEST_CASE(of_a_process_that_others_hold_up, *boost::unit_test::label("long")) {
  const Child busy(true, SCHED_OTHER);
  const Child idle(true, SCHED_IDLE);
  // However busy the machine is, the second one waits for most of the time; its time in the queue may be accounted
  // late.
  const auto begin = std::chrono::steady_clock::now();
  double waited = 0;
  ProcessorWait wait;
  while (waited <= 0.2 && std::chrono::steady_clock::now() - begin < 60s) {
    std::this_thread::sleep_for(20ms);
    waited = wait.seconds(idle.id());
  }
  BOOST_TEST(waited > 0.2);
  const std::chrono::duration<double> past = std::chrono::steady_clock::now() - begin;
  BOOST_TEST(waited < past.count() + 1);
}

// A process that sleeps, while one that it has started waits for a processor.
BOOST_AUTO_TEST_CASE(of_the_children_of_a_process) {
  const pid_t parent = fork();
  if (parent == 0) {
    setpgid(0, 0);
    const Child busy(true, SCHED_OTHER);
    const Child idle(true, SCHED_IDLE);
    for (;;) pause();
  }
  setpgid(parent, parent);
  const auto begin = std::chrono::steady_clock::now();
  ProcessorWait wait;
  double waited = 0;
  while (waited <= 0.2 && std::chrono::steady_clock::now() - begin < 60s) {
    std::this_thread::sleep_for(20ms);
    waited = wait.seconds(parent);
  }
  BOOST_TEST(waited > 0.2);
  kill(-parent, SIGKILL);
  waitpid(parent, nullptr, 0);
}

BOOST_AUTO_TEST_CASE(of_a_process_that_sleeps) {
  const Child sleeper(false, SCHED_OTHER);
  const auto begin = std::chrono::steady_clock::now();
  // On a busy machine it waits for a processor before it sleeps.
  double before = -1;
  ProcessorWait wait;
  double after = wait.seconds(sleeper.id());
  while (after != before && std::chrono::steady_clock::now() - begin < 60s) {
    before = after;
    std::this_thread::sleep_for(300ms);
    after = wait.seconds(sleeper.id());
  }
  BOOST_TEST(after == before);
}

BOOST_AUTO_TEST_CASE(of_a_process_that_is_none) { BOOST_TEST(ProcessorWait().seconds(-1) == 0); }

// A process may end between opening and reading its file; a folder opens and is not read either.
BOOST_AUTO_TEST_CASE(a_file_that_opens_and_is_not_read_has_no_words) {
  BOOST_TEST(clopt::words_of_file("/").empty());
  BOOST_TEST(clopt::words_of_file("/nowhere").empty());
  BOOST_TEST(!clopt::words_of_file("/proc/meminfo").empty());
}

BOOST_AUTO_TEST_SUITE_END()
