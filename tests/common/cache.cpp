#include <clopt/detail/cache.hpp>
#include <clopt/error.hpp>
#include <support/folder.hpp>
#include <support/process/environment.hpp>

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace fs = std::filesystem;
using clopt::Cache;
using clopt::test::Folder;
using clopt::test::read_file;
using clopt::test::Variable;
using clopt::test::write_file;

namespace {

// A folder that no user can make, not even root: it would lie in a file.
fs::path impossible_folder(const Folder& folder) {
  write_file(folder.path() / "file", "no folder");
  return folder.path() / "file" / "cache";
}

std::string content_of(unsigned writer, unsigned key) {
  return std::string(1000 + 5000 * writer + key, static_cast<char>('a' + writer));
}

constexpr unsigned shared_keys = 7;

// Writes and reads records that another process writes and reads. Returns the number of records that were neither's.
int share(const Cache& cache, unsigned writer) {
  int wrong = 0;
  for (unsigned round = 0; round < 300; ++round) {
    const unsigned key = (round * (writer + 1)) % shared_keys;
    cache.store("shared", std::to_string(key), content_of(writer, key));
    for (unsigned other = 0; other < shared_keys; ++other) {
      const auto found = cache.load("shared", std::to_string(other));
      if (found && *found != content_of(0, other) && *found != content_of(1, other)) ++wrong;
      // Once written by anyone a record is always there, since a rename replaces it.
      if (!found && other == key) ++wrong;
    }
  }
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cache)

BOOST_AUTO_TEST_CASE(gives_back_what_it_was_given) {
  const Folder folder;
  const Cache cache(folder.path() / "made" / "when needed");
  BOOST_TEST(!cache.load("program", "key").has_value());
  const std::string bytes("a\0b\n\xff", 5);
  const std::string key("line\nline\0", 10);
  cache.store("program", key, bytes);
  cache.store("program", "empty", "");
  BOOST_TEST((cache.load("program", key) == bytes));
  BOOST_TEST((cache.load("program", "empty") == ""));
  BOOST_TEST(!cache.load("option", key).has_value());
  BOOST_TEST(!cache.load("program", key + "x").has_value());
  cache.store("program", key, "new");
  BOOST_TEST((cache.load("program", key) == "new"));
  BOOST_TEST((Cache(folder.path() / "made" / "when needed").load("program", key) == "new"));
  cache.remove("program", key);
  BOOST_TEST(!cache.load("program", key).has_value());
  BOOST_TEST((cache.load("program", "empty") == ""));
}

BOOST_AUTO_TEST_CASE(lists_and_clears_records) {
  const Folder folder;
  const Cache cache(folder.path());
  cache.store("self-test", "a", "1");
  cache.store("program", "b", "22");
  write_file(folder.path() / "program-cut.record", "clopt");
  write_file(folder.path() / "not ours.txt", "stays");
  const auto entries = cache.entries();
  BOOST_TEST_REQUIRE(entries.size() == 3U);
  BOOST_TEST(entries[0].kind == "program");
  BOOST_TEST(entries[2].kind == "self-test");
  BOOST_TEST(entries[2].key == "a");
  BOOST_TEST(entries[2].bytes == fs::file_size(entries[2].file));
  BOOST_TEST(cache.clear() == 3U);
  BOOST_TEST(cache.entries().empty());
  BOOST_TEST(read_file(folder.path() / "not ours.txt") == "stays");
}

BOOST_AUTO_TEST_CASE(damaged_records_are_not_there) {
  const Folder folder;
  const Cache cache(folder.path());
  cache.store("program", "key", "content");
  const auto file = cache.entries().at(0).file;
  const auto whole = read_file(file);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_file(file, whole.substr(0, length));
    BOOST_TEST(!cache.load("program", "key").has_value(), "cut to " << length);
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto other = whole;
    other[i] = static_cast<char>(other[i] ^ 1);
    write_file(file, other);
    BOOST_TEST(!cache.load("program", "key").has_value(), "byte " << i << " changed");
  }
  write_file(file, whole + "more");
  BOOST_TEST(!cache.load("program", "key").has_value());
  write_file(file, std::string(100'000, '\xa5'));
  BOOST_TEST(!cache.load("program", "key").has_value());
  BOOST_TEST(cache.entries().at(0).key.empty());
  cache.store("program", "key", "again");
  BOOST_TEST((cache.load("program", "key") == "again"));
}

// What a writer with the right hash, and other lengths, may have left.
BOOST_AUTO_TEST_CASE(records_with_wrong_lengths_are_not_there) {
  const Folder folder;
  const Cache cache(folder.path());
  cache.store("program", "key", "content");
  const auto file = cache.entries().at(0).file;
  for (const char* body : {"", "3", "key", "\nkeycontent", "x\nkeycontent", "-3\nkeycontent", "+3\nkeycontent",
                           " 3\nkeycontent", "3x\nkeycontent", "99\nkeycontent", "18446744073709551616\nkeycontent",
                           "99999999999999999999999\nkeycontent"}) {
    const auto hash = XXH3_128bits(body, std::strlen(body));
    write_file(file, fmt::format("clopt-cache-1\n{:016x}{:016x}\n{}", hash.high64, hash.low64, body));
    BOOST_CHECK_NO_THROW(BOOST_TEST(!cache.load("program", "key").has_value(), body));
    BOOST_CHECK_NO_THROW(BOOST_TEST(cache.entries().size() == 1U));
  }
  cache.store("program", "key", "again");
  BOOST_TEST((cache.load("program", "key") == "again"));
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_no_record) {
  const Folder folder;
  const Cache cache(folder.path());
  cache.store("program", "key", "content");
  const auto file = cache.entries().at(0).file;
  const auto check = [&](bool is_replaced) {
    BOOST_CHECK_NO_THROW(BOOST_TEST(!cache.load("program", "key").has_value()));
    BOOST_CHECK_NO_THROW(cache.store("program", "key", "again"));
    BOOST_TEST(cache.load("program", "key").has_value() == is_replaced);
    BOOST_CHECK_NO_THROW(BOOST_TEST(cache.entries().size() == 1U));
    BOOST_CHECK_NO_THROW(cache.clear());
    fs::remove_all(file);
  };
  const Variable lenient("CLOPT_CACHE_STRICT", "");
  fs::remove(file);
  fs::create_directory(file);
  check(true);
  fs::create_directory(file);
  write_file(file / "in it", "somebody's");
  check(false);
  // Neither is read: the one would be waited for, the other belongs to another program.
  BOOST_TEST(::mkfifo(file.c_str(), 0600) == 0);
  check(true);
  write_file(folder.path() / "other", "somebody's");
  fs::create_symlink("other", file);
  check(true);
  BOOST_TEST(read_file(folder.path() / "other") == "somebody's");
}

BOOST_AUTO_TEST_CASE(a_folder_that_others_may_write_to_is_not_used) {
  const Folder folder;
  const auto place = folder.path() / "cache";
  const Cache cache(place);
  cache.store("program", "key", "content");
  BOOST_TEST(cache.distrust().empty());
  BOOST_TEST(((fs::status(place).permissions() & fs::perms::all) == fs::perms::owner_all));
  const auto record = read_file(cache.entries().at(0).file);
  for (const auto right : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(place, right, fs::perm_options::add);
    BOOST_TEST(cache.distrust().find("chmod go-w") != std::string::npos);
    BOOST_TEST(!cache.load("program", "key").has_value());
    BOOST_CHECK_NO_THROW(cache.store("program", "key", "other"));
    BOOST_CHECK_NO_THROW(cache.wait_for_turn("program", "key"));
    cache.remove("program", "key");
    BOOST_TEST(read_file(cache.entries().at(0).file) == record);
    BOOST_TEST(std::distance(fs::directory_iterator(place), fs::directory_iterator()) == 1);
    fs::permissions(place, right, fs::perm_options::remove);
    BOOST_TEST((cache.load("program", "key") == "content"));
  }
  // Another user's: only who may do everything can give it away.
  if (::geteuid() != 0) return;
  BOOST_TEST_REQUIRE(::chown(place.c_str(), 12345, static_cast<gid_t>(-1)) == 0);
  BOOST_TEST(cache.distrust().find("another user") != std::string::npos);
  BOOST_TEST(!cache.load("program", "key").has_value());
}

BOOST_AUTO_TEST_CASE(a_record_under_another_s_name_is_not_taken) {
  const Folder folder;
  const Cache cache(folder.path());
  cache.store("program", "mine", "my content");
  const auto mine = cache.entries().at(0).file;
  cache.store("program", "other", "other content");
  const auto entries = cache.entries();
  const auto& other = entries.at(0).key == "other" ? entries.at(0).file : entries.at(1).file;
  fs::copy_file(mine, other, fs::copy_options::overwrite_existing);
  BOOST_TEST(!cache.load("program", "other").has_value());
}

BOOST_AUTO_TEST_CASE(two_processes_share_it) {
  const Folder folder;
  const Cache cache(folder.path());
  const auto child = ::fork();
  BOOST_TEST_REQUIRE(child >= 0);
  if (child == 0) ::_exit(share(cache, 1) == 0 ? 0 : 1);
  const int wrong_here = share(cache, 0);
  int status = -1;
  ::waitpid(child, &status, 0);
  BOOST_TEST(wrong_here == 0);
  BOOST_TEST(status == 0);
  BOOST_TEST(cache.entries().size() == shared_keys);
  for (const auto& item : fs::directory_iterator(folder.path()))
    BOOST_TEST(item.path().extension().string() == ".record", "left behind: " << item.path());
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_written_is_no_error) {
  const Folder folder;
  const Variable lenient("CLOPT_CACHE_STRICT", "");
  const Cache cache(impossible_folder(folder));
  BOOST_CHECK_NO_THROW(cache.store("program", "key", "content"));
  BOOST_TEST(!cache.load("program", "key").has_value());
  BOOST_TEST(cache.entries().empty());
  BOOST_TEST(cache.clear() == 0U);
}

BOOST_AUTO_TEST_CASE(strict_mode_reports) {
  const Folder folder;
  const Variable strict("CLOPT_CACHE_STRICT", "1");
  const Cache cache(impossible_folder(folder));
  BOOST_CHECK_EXCEPTION(cache.store("program", "key", "content"), clopt::Error, [&](const clopt::Error& error) {
    return std::string(error.what()).find(cache.folder()->string()) != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(switched_off_it_remembers_nothing) {
  const Variable strict("CLOPT_CACHE_STRICT", "1");
  const Cache cache(std::nullopt);
  BOOST_CHECK_NO_THROW(cache.store("program", "key", "content"));
  BOOST_TEST(!cache.load("program", "key").has_value());
  BOOST_CHECK_NO_THROW(cache.remove("program", "key"));
  BOOST_TEST(cache.entries().empty());
  BOOST_TEST(cache.clear() == 0U);
}

BOOST_AUTO_TEST_CASE(the_oldest_records_go_when_it_is_full) {
  const Folder folder;
  const Cache cache(folder.path(), 5000);
  for (const auto* key : {"first", "second", "third", "fourth"}) {
    cache.store("program", key, std::string(1000, 'x'));
    // Times of files may be coarse: each is an hour older than the next.
    for (const auto& entry : cache.entries())
      fs::last_write_time(entry.file, fs::last_write_time(entry.file) - std::chrono::hours(1));
  }
  BOOST_TEST(cache.entries().size() == 4U);
  cache.store("program", "large", std::string(2000, 'x'));
  BOOST_TEST(!cache.load("program", "first").has_value());
  BOOST_TEST(!cache.load("program", "second").has_value());
  BOOST_TEST(cache.load("program", "third").has_value());
  BOOST_TEST(cache.load("program", "fourth").has_value());
  BOOST_TEST(cache.load("program", "large").has_value());
}

BOOST_AUTO_TEST_CASE(one_at_a_time_makes_a_record) {
  const Folder folder;
  const Cache cache(folder.path());
  std::optional<Cache::Turn> first(cache.wait_for_turn("program", "key"));
  BOOST_TEST(!first->waited());
  BOOST_TEST(!cache.wait_for_turn("program", "another key").waited());
  std::atomic<bool> is_made = false;
  auto second = std::async(std::launch::async, [&] {
    const auto turn = cache.wait_for_turn("program", "key");
    BOOST_TEST_REQUIRE(turn.waited());
    return is_made.load();
  });
  // However late the second one comes to wait, it must not have had its turn.
  BOOST_TEST((second.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout));
  is_made = true;
  first.reset();
  BOOST_TEST(second.get());
  BOOST_TEST(fs::is_empty(folder.path()));
}

BOOST_AUTO_TEST_CASE(a_turn_that_another_one_has_is_not_waited_for) {
  const Folder folder;
  const Cache cache(folder.path());
  auto first = cache.take_turn("program", "key");
  BOOST_TEST_REQUIRE(first.has_value());
  BOOST_TEST(!cache.take_turn("program", "key").has_value());
  BOOST_TEST(cache.take_turn("program", "another key").has_value());
  first.reset();
  BOOST_TEST(cache.take_turn("program", "key").has_value());
  BOOST_TEST(Cache(std::nullopt).take_turn("program", "key").has_value());
}

BOOST_AUTO_TEST_CASE(a_process_that_is_killed_gives_up_its_turn) {
  const Folder folder;
  const Cache cache(folder.path());
  int ready[2];
  BOOST_TEST_REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto turn = cache.wait_for_turn("program", "key");
    [[maybe_unused]] const auto written = ::write(ready[1], "x", 1);
    for (;;) ::pause();
  }
  char letter = 0;
  BOOST_TEST_REQUIRE(::read(ready[0], &letter, 1) == 1);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  BOOST_TEST(!cache.wait_for_turn("program", "key").waited());
  ::close(ready[0]);
  ::close(ready[1]);
}

BOOST_AUTO_TEST_CASE(where_nothing_is_remembered_no_process_waits) {
  const Folder folder;
  for (const auto& cache : {Cache(std::nullopt), Cache(impossible_folder(folder))}) {
    const auto first = cache.wait_for_turn("program", "key");
    BOOST_TEST(!cache.wait_for_turn("program", "key").waited());
  }
}

BOOST_AUTO_TEST_CASE(the_environment_names_its_folder) {
  using clopt::environment::cache_folder;
  const Folder folder;
  const auto there = folder.path().string();
  const std::string none = "/nonexistent";
  const auto folder_with = [](const std::string& own, const std::string& xdg, const std::string& home) {
    const Variable first("CLOPT_CACHE_DIR", own.c_str());
    const Variable second("XDG_CACHE_HOME", xdg.c_str());
    const Variable third("HOME", home.c_str());
    return cache_folder().value_or("");
  };
  BOOST_TEST((folder_with("/own", "/xdg", there) == "/own"));
  BOOST_TEST((folder_with("own", "/xdg", there) == "own"));
  BOOST_TEST((folder_with("off", "/xdg", there) == ""));
  BOOST_TEST((folder_with("", "/xdg", there) == "/xdg/clopt"));
  BOOST_TEST((folder_with("", "/xdg", none) == "/xdg/clopt"));
  BOOST_TEST((folder_with("", "/xdg", "") == "/xdg/clopt"));
  BOOST_TEST((folder_with("", "", there) == there + "/.cache/clopt"));  // empty counts as unset
  BOOST_TEST((folder_with("", "", "") == ""));
  // Relative ones do not count, nor a home that is not there.
  for (const char* relative : {"xdg", "./xdg", ".", "../xdg", "~/.cache", "$HOME/.cache"}) {
    BOOST_TEST((folder_with("", relative, there) == there + "/.cache/clopt"), relative);
    BOOST_TEST((folder_with("", relative, none) == ""), relative);
    BOOST_TEST((folder_with("", "", relative) == ""), relative);
  }
  for (const auto& home : {none, none + "/", none + "/deeper", there + "/none", std::string("/dev/null")}) {
    BOOST_TEST((folder_with("", "", home) == ""), home);
    BOOST_TEST((folder_with("", home, home) == ""), home);
    BOOST_TEST((folder_with("", home + "/.cache", home) == ""), home);
    BOOST_TEST((folder_with("", home + "/./x/../.cache", home) == ""), home);
    BOOST_TEST((folder_with("", there, home) == there + "/clopt"), home);
  }
  BOOST_TEST((folder_with("", there + "/x", there) == there + "/x/clopt"));
  BOOST_TEST((folder_with("", "/nonexistently", none) == "/nonexistently/clopt"));
}

BOOST_AUTO_TEST_SUITE_END()
