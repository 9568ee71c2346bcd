// Folders for files that others read while a process works.
#include <support/files/temporary_folder.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <support/folder.hpp>

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(temporary_folder)

BOOST_AUTO_TEST_CASE(the_next_one_takes_away_what_killed_processes_left) {
  const clopt::test::Folder place;
  const clopt::test::Variable temporary("TMPDIR", place.path().string());
  // Killed while it worked, while it began, and folders and files of others.
  clopt::test::write_file(place.path() / "clopt-trial-abcdef" / "file", "1");
  fs::create_directory(place.path() / ".clopt-abcdef");
  clopt::test::write_file(place.path() / ".clopt-others" / "file", "1");
  clopt::test::write_file(place.path() / ".clopt-0123456789abcdef.new", "1");
  clopt::test::write_file(place.path() / "clopt-another-abcdef" / "file", "1");
  const clopt::TemporaryFolder folder("trial");
  BOOST_TEST(folder.path().filename().string().starts_with("clopt-trial-"));
  BOOST_TEST(!fs::exists(place.path() / "clopt-trial-abcdef"));
  BOOST_TEST(!fs::exists(place.path() / ".clopt-abcdef"));
  BOOST_TEST(fs::exists(place.path() / ".clopt-others"));
  BOOST_TEST(fs::exists(place.path() / ".clopt-0123456789abcdef.new"));
  BOOST_TEST(fs::exists(place.path() / "clopt-another-abcdef"));
}

// Each may take another one's, which has no lock yet, for one that a killed process left.
BOOST_AUTO_TEST_CASE(many_begin_at_once) {
  const clopt::test::Folder place;
  const clopt::test::Variable temporary("TMPDIR", place.path().string());
  std::atomic<int> there = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  constexpr int count = 500;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < count; ++i) {
        const clopt::TemporaryFolder folder("trial");
        std::error_code error;
        there += !folder.path().empty() && fs::exists(folder.path(), error) ? 1 : 0;
      }
    });
  for (auto& thread : threads) thread.join();
  BOOST_TEST(there == 4 * count);
  BOOST_TEST(fs::is_empty(place.path()));
}

BOOST_AUTO_TEST_SUITE_END()
