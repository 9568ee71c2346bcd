#include <clopt/detail/csv.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using clopt::CsvWriter;
using clopt::test::Folder;
using clopt::test::read_file;
using clopt::test::write_file;

namespace {

const std::vector<std::string> columns{"generation", "best"};

void add(CsvWriter& table, std::uint64_t generation, double best) { table.add({generation, best}); }

}  // namespace

BOOST_AUTO_TEST_SUITE(csv)

BOOST_AUTO_TEST_CASE(each_row_is_there_at_once) {
  const Folder folder;
  const auto file = folder.path() / "table.csv";
  CsvWriter table(file, {"generation", "best", "a, \"b\""});
  BOOST_TEST(!fs::exists(file));
  table.add({std::uint64_t{0}, 0.1, std::string()});
  BOOST_TEST(read_file(file) == "generation,best,\"a, \"\"b\"\"\"\n0,0.1,\n");
  table.add({std::uint64_t{1}, 1e300, std::int64_t{-5}});
  BOOST_TEST(read_file(file) == "generation,best,\"a, \"\"b\"\"\"\n0,0.1,\n1,1e+300,-5\n");
}

BOOST_AUTO_TEST_CASE(a_table_without_rows_has_its_columns) {
  const Folder folder;
  CsvWriter table(folder.path() / "table.csv", columns);
  table.finish();
  table.finish();
  BOOST_TEST(read_file(folder.path() / "table.csv") == "generation,best\n");
}

BOOST_AUTO_TEST_CASE(begins_anew_or_continues) {
  const Folder folder;
  const auto file = folder.path() / "table.csv";
  const auto content = [&](const std::string& before, std::optional<std::uint64_t> through) {
    write_file(file, before);
    CsvWriter table(file, columns, through);
    add(table, 9, 1);
    return read_file(file);
  };
  const std::string fresh = "generation,best\n9,1\n";
  BOOST_TEST(content("generation,best\n0,5\n1,4\n2,3\n", std::nullopt) == fresh);
  BOOST_TEST(content("something else\n", std::nullopt) == fresh);
  BOOST_TEST(content("generation,best\n0,5\n1,4\n2,3\n", 1) == "generation,best\n0,5\n1,4\n9,1\n");
  BOOST_TEST(content("generation,best\n0,5\n1,4\n2,3", 8) == "generation,best\n0,5\n1,4\n9,1\n");  // a row cut short
  BOOST_TEST(content("generation,best\n0,5\n", 0) == "generation,best\n0,5\n9,1\n");
  for (const char* before : {"", "gener", "generation,best", "generation,best\n"})
    BOOST_TEST(content(before, 8) == fresh);
  BOOST_CHECK_THROW(content("generation,worst\n0,5\n", 8), clopt::InvalidInput);
  BOOST_TEST(read_file(file) == "generation,worst\n0,5\n");
}

BOOST_AUTO_TEST_CASE(refuses_and_reports) {
  const Folder folder;
  BOOST_CHECK_THROW(CsvWriter(folder.path(), columns), clopt::InvalidInput);
  BOOST_CHECK_THROW(CsvWriter(folder.path() / "none" / "table.csv", columns), clopt::InvalidInput);
  CsvWriter full("/dev/full", columns);
  add(full, 0, 1);
  BOOST_TEST(full.failure().find("/dev/full") != std::string::npos);
  add(full, 1, 1);
}

BOOST_AUTO_TEST_CASE(files_are_written_whole) {
  const Folder folder;
  const auto file = folder.path() / "picture.svg";
  BOOST_TEST(clopt::write_file(file, "one").empty());
  fs::create_symlink("picture.svg", folder.path() / "link");
  BOOST_TEST(clopt::write_file(folder.path() / "link", "two").empty());
  BOOST_TEST(read_file(file) == "two");
  BOOST_TEST(fs::is_symlink(folder.path() / "link"));
  BOOST_TEST(!clopt::write_file("/dev/full", "three").empty());
  BOOST_TEST(clopt::write_file("/dev/null", "three").empty());
  BOOST_TEST(!clopt::write_file(folder.path() / "none" / "picture.svg", "three").empty());
  BOOST_TEST(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
  const int events = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  BOOST_REQUIRE(::inotify_add_watch(events, folder.path().c_str(), IN_CREATE) >= 0);
  clopt::check_writable(folder.path() / "new");
  // Not for a moment: a process that is killed then would leave an empty file.
  alignas(inotify_event) std::array<char, 4096> happened{};
  const auto length = ::read(events, happened.data(), happened.size());
  for (ssize_t at = 0; at < length;) {
    const auto* const event = reinterpret_cast<const inotify_event*>(happened.data() + at);
    BOOST_TEST(std::string(event->name) != "new");
    at += static_cast<ssize_t>(sizeof *event + event->len);
  }
  ::close(events);
  BOOST_TEST(!fs::exists(folder.path() / "new"));
  fs::create_symlink("nowhere", folder.path() / "to nowhere");
  BOOST_CHECK_THROW(clopt::check_writable(folder.path() / "to nowhere"), clopt::InvalidInput);
  clopt::check_writable(file);
  BOOST_TEST(read_file(file) == "two");
}

BOOST_AUTO_TEST_SUITE_END()
