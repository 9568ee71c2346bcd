#include <clopt/detail/streams.hpp>
#include <support/folder.hpp>
#include <support/process/log.hpp>

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using clopt::DriverOutput;
using clopt::write_stream;

namespace {

struct Printed {
  std::string output;
  std::string error;
  int status = -1;
};

// What some work prints in a process of its own.
Printed printed(const std::function<void()>& work) {
  const clopt::test::Folder folder;
  const auto output = folder.path() / "output";
  const auto error = folder.path() / "error";
  std::fflush(stdout);  // else the child has what lies in the buffer too
  const auto child = ::fork();
  if (child == 0) {
    dup2(open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), 1);
    dup2(open(error.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), 2);
    try {
      work();
    } catch (const std::exception&) {
      ::_exit(1);
    }
    std::fflush(stdout);
    ::_exit(0);
  }
  Printed printed;
  int status = 0;
  ::waitpid(child, &status, 0);
  printed.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  printed.output = clopt::test::read_file(output);
  printed.error = clopt::test::read_file(error);
  return printed;
}

// As drivers print: through the C library's buffer, and past it.
void print_as_a_driver() {
  std::printf("driver's output\n");
  std::fprintf(stderr, "driver's error\n");
  static_cast<void>(::write(2, "2 warnings\n", 11) + ::write(1, "shader\n", 7));
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(driver_output)

BOOST_AUTO_TEST_CASE(is_hidden_and_ours_is_not) {
  const auto all = printed([] {
    clopt::hide_driver_output();
    std::printf("before\n");
    {
      const DriverOutput hidden;
      print_as_a_driver();
      write_stream(1, "ours\n");
      write_stream(2, "our error\n");
      const DriverOutput nested;
      print_as_a_driver();
    }
    std::printf("after\n");
    write_stream(2, "end\n");
  });
  BOOST_TEST(all.status == 0);
  BOOST_TEST(all.output == "before\nours\nafter\n");
  BOOST_TEST(all.error == "our error\nend\n");
}

BOOST_AUTO_TEST_CASE(is_shown_where_it_is_not_hidden) {
  const auto all = printed([] {
    const DriverOutput shown;
    print_as_a_driver();
  });
  BOOST_TEST(lines(all.output) == 2U);
  BOOST_TEST(all.error == "driver's error\n2 warnings\n");
}

BOOST_AUTO_TEST_CASE(is_logged) {
  const auto all = printed([] {
    ::setenv("CLOPT_LOG", "build", 1);
    clopt::hide_driver_output();
    const DriverOutput hidden;
    print_as_a_driver();
    clopt::log("build", "ours");
  });
  BOOST_TEST(all.output.empty());
  BOOST_TEST(all.error.find("clopt build: ours\nclopt build: the driver says: ") == 0U, all.error);
  for (const char* part : {"driver's output", "driver's error", "2 warnings", "shader"})
    BOOST_TEST(all.error.find(part) != std::string::npos, all.error);
}

BOOST_AUTO_TEST_CASE(the_streams_come_back_after_a_failure) {
  const auto all = printed([] {
    clopt::hide_driver_output();
    try {
      const DriverOutput hidden;
      print_as_a_driver();
      throw std::runtime_error("the driver fails");
    } catch (const std::runtime_error&) {
      std::fprintf(stderr, "caught\n");
    }
  });
  BOOST_TEST(all.error == "caught\n");
}

// Closed streams stay closed, and others do not take their numbers.
BOOST_AUTO_TEST_CASE(a_closed_stream_is_no_error) {
  const auto all = printed([] {
    clopt::hide_driver_output();
    ::close(1);
    {
      const DriverOutput hidden;
      print_as_a_driver();
    }
    write_stream(2, "end\n");
    if (fcntl(1, F_GETFD) != -1) throw std::runtime_error("somebody opened it");
  });
  BOOST_TEST(all.status == 0);
  BOOST_TEST(all.error == "end\n");
}

BOOST_AUTO_TEST_CASE(threads_lose_nothing_of_ours) {
  constexpr std::size_t threads = 4;
  constexpr std::size_t rounds = 200;
  const auto all = printed([] {
    clopt::hide_driver_output();
    std::vector<std::thread> team;
    for (std::size_t i = 0; i < threads; ++i)
      team.emplace_back([] {
        for (std::size_t round = 0; round < rounds; ++round) {
          {
            const DriverOutput hidden;
            static_cast<void>(::write(2, "driver\n", 7));
            write_stream(2, "within\n");
          }
          write_stream(2, "without\n");
        }
      });
    for (auto& thread : team) thread.join();
  });
  BOOST_TEST(all.status == 0);
  BOOST_TEST(lines(all.error) == 2 * threads * rounds);
  BOOST_TEST(all.error.find("driver") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
