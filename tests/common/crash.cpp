// Handlers of crashes: only a text's are reported, and all others go where they went before.
#include <clopt/crash.hpp>

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>
#include <thread>

namespace {

using clopt::ObjectiveCrash;
using clopt::RunningObjective;
using clopt::set_objective_crash_handler;

// How a process of its own ends that does this: "status N" or "signal N". It writes no core.
std::string end_of(const std::function<void()>& work) {
  const auto child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE}) std::signal(signal, SIG_DFL);
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "status " + std::to_string(WEXITSTATUS(status));
}

const std::string killed_by_fault = "signal " + std::to_string(SIGSEGV);

void fault() { *reinterpret_cast<volatile int*>(8) = 1; }

void report_by_status(const ObjectiveCrash& crash) {
  const bool right = crash.signal == SIGSEGV && std::string_view(crash.name) == "SIGSEGV" &&
                     std::string_view(crash.objective) == "mine.cl";
  ::_exit(right ? 40 : 41);
}
void return_from_crash(const ObjectiveCrash&) {}

}  // namespace

BOOST_AUTO_TEST_SUITE(crashes)

BOOST_AUTO_TEST_CASE(nothing_is_handled_until_it_is_asked_for) {
  BOOST_TEST(end_of([] {
               const RunningObjective running("mine.cl");
               fault();
             }) == killed_by_fault);
}

BOOST_AUTO_TEST_CASE(only_what_a_text_raises_is_reported) {
  const auto with_handler = [](const std::function<void()>& work) {
    return end_of([&] {
      set_objective_crash_handler(&report_by_status);
      work();
    });
  };
  BOOST_TEST(with_handler([] {
               const RunningObjective running("mine.cl");
               fault();
             }) == "status 40");
  BOOST_TEST(with_handler([] {
               std::thread([] {
                 const RunningObjective running("mine.cl");
                 fault();
               }).join();
             }) == "status 40");
  BOOST_TEST(with_handler(fault) == killed_by_fault);
  BOOST_TEST(with_handler([] {
               { const RunningObjective running("mine.cl"); }
               fault();
             }) == killed_by_fault);
  // Another thread's text.
  BOOST_TEST(with_handler([] {
               const RunningObjective running("mine.cl");
               std::thread(fault).join();
             }) == killed_by_fault);
  // Sent, not raised by the text.
  BOOST_TEST(with_handler([] {
               const RunningObjective running("mine.cl");
               ::kill(::getpid(), SIGSEGV);
               ::sleep(5);
             }) == killed_by_fault);
  BOOST_TEST(with_handler([] {
               set_objective_crash_handler(nullptr);
               const RunningObjective running("mine.cl");
               fault();
             }) == killed_by_fault);
  BOOST_TEST(end_of([] {
               set_objective_crash_handler(&return_from_crash);
               const RunningObjective running("mine.cl");
               fault();
             }) == killed_by_fault);
}

BOOST_AUTO_TEST_CASE(the_handler_before_gets_what_is_not_a_texts) {
  BOOST_TEST(end_of([] {
               std::signal(SIGSEGV, [](int) { ::_exit(50); });
               set_objective_crash_handler(&report_by_status);
               fault();
             }) == "status 50");
  BOOST_TEST(end_of([] {
               struct sigaction action {};
               action.sa_flags = SA_SIGINFO;
               action.sa_sigaction = [](int, siginfo_t* information, void*) {
                 ::_exit(information->si_addr == reinterpret_cast<void*>(8) ? 51 : 52);
               };
               sigaction(SIGSEGV, &action, nullptr);
               set_objective_crash_handler(&report_by_status);
               fault();
             }) == "status 51");
  BOOST_TEST(end_of([] {
               std::signal(SIGABRT, SIG_IGN);
               set_objective_crash_handler(&report_by_status);
               ::kill(::getpid(), SIGABRT);
             }) == "status 0");
}

BOOST_AUTO_TEST_SUITE_END()
