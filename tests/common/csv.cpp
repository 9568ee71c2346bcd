#include <clopt/checkpoint.hpp>
#include <clopt/detail/csv.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
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
  clopt::check_writable(file);
  BOOST_TEST(read_file(file) == "two");
}

BOOST_AUTO_TEST_CASE(links_to_nothing_are_followed) {
  const Folder folder;
  fs::create_symlink("new", folder.path() / "link");
  fs::create_symlink("link", folder.path() / "link to a link");
  fs::create_symlink(folder.path() / "none" / "new", folder.path() / "into no folder");
  fs::create_symlink("round", folder.path() / "round");
  clopt::check_writable(folder.path() / "link to a link");
  BOOST_TEST(!fs::exists(folder.path() / "new"));
  BOOST_TEST(clopt::write_file(folder.path() / "link to a link", "one").empty());
  BOOST_TEST(read_file(folder.path() / "new") == "one");
  BOOST_TEST(fs::is_symlink(folder.path() / "link"));
  for (const char* name : {"into no folder", "round"}) {
    BOOST_CHECK_THROW(clopt::check_writable(folder.path() / name), clopt::InvalidInput);
    BOOST_TEST(!clopt::write_file(folder.path() / name, "one").empty());
  }
}

BOOST_AUTO_TEST_CASE(a_file_keeps_its_rights_and_its_owner) {
  const Folder folder;
  const auto file = folder.path() / "file";
  const auto mode = [&] {
    struct stat found {};
    BOOST_REQUIRE(::stat(file.c_str(), &found) == 0);
    return found.st_mode & 07777;
  };
  const auto mask = ::umask(022);
  BOOST_TEST(clopt::write_file(file, "new").empty());
  BOOST_TEST(mode() == 0644U);
  for (const mode_t each : {0600U, 0640U, 0666U, 0755U, 0200U, 02660U}) {
    BOOST_REQUIRE(::chmod(file.c_str(), each) == 0);
    BOOST_TEST(clopt::write_file(file, "again").empty());
    BOOST_TEST(mode() == each);
  }
  BOOST_REQUIRE(::chmod(file.c_str(), 0600) == 0);
  CsvWriter(file, {"a"}).finish();
  BOOST_TEST(mode() == 0600U);
  constexpr uid_t another = 12345;
  if (::geteuid() == 0 && ::chown(file.c_str(), another, another) == 0) {
    BOOST_TEST(clopt::write_file(file, "another's").empty());
    struct stat found {};
    BOOST_REQUIRE(::stat(file.c_str(), &found) == 0);
    BOOST_TEST((found.st_uid == another && found.st_gid == another));
    BOOST_TEST(mode() == 0600U);
  }
  ::umask(mask);
}

BOOST_AUTO_TEST_CASE(a_pipe_is_neither_opened_by_the_check_nor_waited_for_while_rows_come) {
  const Folder folder;
  const auto pipe = folder.path() / "pipe";
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  clopt::check_writable(pipe);  // without a reader
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  const auto read_pipe = [&] {
    std::array<char, 100> bytes{};
    const auto count = ::read(reader, bytes.data(), bytes.size());
    return std::string(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  };
  clopt::check_writable(pipe);
  BOOST_TEST(clopt::write_file(pipe, "one").empty());
  BOOST_TEST(read_pipe() == "one");
  ::close(reader);
  std::optional<CsvWriter> table(std::in_place, pipe, std::vector<std::string>{"a"});
  table->add({std::uint64_t{1}});
  table->add({std::uint64_t{2}});
  std::string found;
  std::jthread late([&] {
    std::ifstream stream(pipe);
    found.assign(std::istreambuf_iterator<char>(stream), {});
  });
  table->finish();
  BOOST_TEST(table->failure().empty());
  table.reset();
  late.join();
  BOOST_TEST(found == "a\n1\n2\n");
}

BOOST_AUTO_TEST_CASE(a_stream_is_written_on) {
  const Folder folder;
  const auto file = folder.path() / "file";
  write_file(file, "begun\n");
  const int opened = ::open(file.c_str(), O_WRONLY | O_APPEND);
  const int reading = ::open(file.c_str(), O_RDONLY);
  for (const std::string place : {"/dev/fd/", "/proc/self/fd/"}) {
    clopt::check_writable(place + std::to_string(opened));
    BOOST_TEST(clopt::write_file(place + std::to_string(opened), "more\n").empty());
    BOOST_CHECK_THROW(clopt::check_writable(place + std::to_string(reading)), clopt::InvalidInput);
    BOOST_CHECK_THROW(clopt::check_writable(place + "1000"), clopt::InvalidInput);
  }
  fs::create_symlink("/dev/fd/" + std::to_string(opened), folder.path() / "link");
  CsvWriter(folder.path() / "link", {"a"}, 5).finish();
  BOOST_TEST(read_file(file) == "begun\nmore\nmore\na\n");
  BOOST_CHECK_THROW(clopt::CheckpointWriter("/dev/fd/" + std::to_string(opened)), clopt::InvalidInput);
  ::close(opened);
  ::close(reading);
}

BOOST_AUTO_TEST_CASE(names_of_one_file_have_one_identity) {
  const Folder folder;
  const auto& home = folder.path();
  write_file(home / "file", "");
  fs::create_directory(home / "inner");
  fs::create_hard_link(home / "file", home / "hard");
  fs::create_symlink("file", home / "soft");
  fs::create_symlink("../soft", home / "inner" / "deep");
  fs::create_symlink("new", home / "to new");
  fs::create_directory_symlink(home, home / "inner" / "home");
  const auto identity = [&](const fs::path& name) { return clopt::place_of(home / name).identity; };
  for (const char* same : {"hard", "soft", "inner/deep", "./file", "inner/../file", "inner/home/hard"})
    BOOST_TEST((identity(same) == identity("file")), same);
  for (const char* same : {"to new", "./new", "inner/../new", "inner/home/new", "inner/home/to new"})
    BOOST_TEST((identity(same) == identity("new")), same);
  for (const char* other : {"new", "inner/new", "inner", "other"})
    BOOST_TEST((identity(other) != identity("file")), other);
  BOOST_TEST((identity("inner/new") != identity("new")));
}

BOOST_AUTO_TEST_SUITE_END()
