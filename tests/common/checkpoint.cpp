#include <clopt/checkpoint.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>
#include <clopt/fields.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace fs = std::filesystem;
using clopt::Checkpoint;
using clopt::CheckpointWriter;
using clopt::InvalidInput;
using clopt::Record;
using clopt::test::Folder;
using clopt::test::read_file;
using clopt::test::write_file;

namespace {

// The options of two versions of a solver.
struct Older {
  std::uint64_t seed = 1;
};
clopt::FieldTable fields(Older& o) {
  clopt::FieldTable table;
  table("seed", &o.seed);
  return table;
}
struct Newer {
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> immigrants{};
  double rate = 0.5;
};
clopt::FieldTable fields(Newer& o) {
  clopt::FieldTable table;
  table("seed", &o.seed);
  table("immigrants", &o.immigrants);
  table("rate", &o.rate);
  return table;
}

// A state whose every number follows from one.
std::vector<std::uint64_t> numbers_of(std::uint64_t round, std::size_t count) {
  std::vector<std::uint64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = round * 0x9e3779b97f4a7c15U + i;
  return numbers;
}

bool write_round(CheckpointWriter& writer, std::uint64_t round, std::size_t count = 1000) {
  const auto numbers = numbers_of(round, count);
  Record state{clopt::RunIdentity("tour")};
  state.add("round", round).add("numbers", numbers);
  return writer.write(state);
}

// The round of a file, whose numbers must be those of that round.
std::uint64_t round_of(const fs::path& file) {
  const auto checkpoint = Checkpoint::read(file, "tour");
  const auto round = checkpoint.number<std::uint64_t>("round");
  const auto numbers = checkpoint.array<std::uint64_t>("numbers");
  BOOST_TEST((numbers == numbers_of(round, numbers.size())));
  return round;
}

// What reading says against a file; empty where it says nothing.
std::string complaint(const fs::path& file, const std::string& solver = "tour") {
  try {
    const auto checkpoint = Checkpoint::read(file, solver);
    return {};
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <class Function>
std::string refusal(const Function& function) {
  try {
    function();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(checkpoint)

BOOST_AUTO_TEST_CASE(gives_back_what_it_was_given) {
  const Folder folder;
  const auto file = folder.path() / "run.checkpoint";
  const std::vector<float> reals{0.5F, -0.0F, std::numeric_limits<float>::infinity()};
  const std::vector<std::int8_t> bytes{-128, 0, 127};
  CheckpointWriter writer(file, R"({"cities":"ü,\n"})");
  BOOST_TEST(!fs::exists(file));
  Record state{clopt::RunIdentity("tour")};
  state.add("generation", std::uint64_t{1} << 63).add("reals", reals).add("bytes", bytes);
  state.add("none", std::vector<double>{}).add("best", -1.25);
  BOOST_TEST(writer.write(state));
  BOOST_TEST(writer.written() == 1U);
  const auto read = Checkpoint::read(file, "tour");
  BOOST_TEST(read.solver() == "tour");
  BOOST_TEST(read.parameters() == R"({"cities":"ü,\n"})");
  BOOST_TEST(read.number<std::uint64_t>("generation") == std::uint64_t{1} << 63);
  BOOST_TEST((read.array<float>("reals", 3) == reals));
  BOOST_TEST(std::signbit(read.array<float>("reals")[1]));
  BOOST_TEST((read.array<std::int8_t>("bytes") == bytes));
  BOOST_TEST(read.array<double>("none", 0).empty());
  BOOST_TEST(read.number<double>("best") == -1.25);
  BOOST_TEST(read.has("none"));
  BOOST_TEST(!read.has("some"));
  BOOST_TEST(!fs::exists(file.string() + ".new"));
}

BOOST_AUTO_TEST_CASE(holds_what_the_owner_adds) {
  const Folder folder;
  const auto file = folder.path() / "run.checkpoint";
  CheckpointWriter writer(file, "{}");
  const std::vector<double> picture{1, 2, 3};
  writer.set_additions([&](Record& state) { state.add("program.plot", picture); });
  BOOST_TEST(write_round(writer, 4));
  BOOST_TEST(round_of(file) == 4U);
  BOOST_TEST((Checkpoint::read(file, "tour").array<double>("program.plot") == picture));
}

BOOST_AUTO_TEST_CASE(refuses_what_is_not_asked_for) {
  const Folder folder;
  const auto file = folder.path() / "run.checkpoint";
  CheckpointWriter writer(file, "{}");
  BOOST_TEST(write_round(writer, 7, 3));
  const auto read = Checkpoint::read(file, "tour");
  BOOST_TEST(contains(refusal([&] { read.array<std::uint64_t>("cities"); }), "cities"));
  BOOST_TEST(contains(refusal([&] { read.array<std::uint64_t>("numbers", 4); }), "3 elements, not 4"));
  BOOST_TEST(contains(refusal([&] { read.array<double>("numbers"); }), "u64, not f64"));
  BOOST_TEST(contains(refusal([&] { read.refuse("too many cities"); }), file.string()));
  BOOST_TEST(contains(complaint(file, "genetic"), "tour"));
  BOOST_TEST(complaint(file, "").empty());
}

BOOST_AUTO_TEST_CASE(names_what_is_wrong_with_a_file) {
  const Folder folder;
  const auto file = folder.path() / "file";
  BOOST_TEST(contains(complaint(file), "No such file"));
  BOOST_TEST(contains(complaint(folder.path()), "not a regular file"));
  write_file(file, "");
  BOOST_TEST(contains(complaint(file), "empty"));
  write_file(file, "1 2 3\n");
  BOOST_TEST(contains(complaint(file), "not a checkpoint"));
  write_file(file, std::string(100'000, '\0'));
  BOOST_TEST(contains(complaint(file), "not a checkpoint"));
  write_file(file, "clopt-checkpoint");
  BOOST_TEST(contains(complaint(file), "cut"));
}

BOOST_AUTO_TEST_CASE(finds_every_cut_and_every_flipped_bit) {
  const Folder folder;
  const auto file = folder.path() / "run.checkpoint";
  CheckpointWriter writer(file, "{\"seed\": 1}");
  BOOST_TEST(write_round(writer, 3, 7));
  const auto whole = read_file(file);
  const auto damaged = folder.path() / "damaged";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_file(damaged, whole.substr(0, length));
    BOOST_TEST(!complaint(damaged).empty(), "cut after " << length << " bytes of " << whole.size());
  }
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    auto flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    write_file(damaged, flipped);
    BOOST_TEST(!complaint(damaged).empty(), "bit " << bit);
  }
  write_file(damaged, whole + '\0');
  BOOST_TEST(!complaint(damaged).empty());
  write_file(damaged, whole);
  BOOST_TEST(complaint(damaged).empty());
}

BOOST_AUTO_TEST_CASE(checks_where_it_writes_before_any_work) {
  const Folder folder;
  const auto writes_to = [](const fs::path& file) {
    return refusal([&] { const CheckpointWriter writer(file, "{}"); });
  };
  BOOST_TEST(contains(writes_to(folder.path()), folder.path().string()));
  BOOST_TEST(contains(writes_to(folder.path() / "none" / "file"), "none"));
  BOOST_TEST(contains(writes_to("/dev/null"), "/dev/null"));
  BOOST_TEST(contains(writes_to(""), "no name"));
  write_file(folder.path() / "weights.txt", "1 2 3\n");
  BOOST_TEST(contains(writes_to(folder.path() / "weights.txt"), "not a checkpoint"));
  BOOST_TEST(read_file(folder.path() / "weights.txt") == "1 2 3\n");
  write_file(folder.path() / "empty", "");
  BOOST_TEST(writes_to(folder.path() / "empty").empty());
  BOOST_TEST(writes_to(folder.path() / "new").empty());
  BOOST_TEST(!fs::exists(folder.path() / "new"));
}

// Files that have the names which checkpoints were once begun under, and links of such names, are the user's.
BOOST_AUTO_TEST_CASE(leaves_other_files_alone) {
  const Folder folder;
  const auto file = folder.path() / "run";
  write_file(folder.path() / "run.new", "mine");
  write_file(folder.path() / "target", "mine too");
  fs::create_symlink("target", folder.path() / "other.new");
  fs::create_symlink("nowhere", folder.path() / "third.new");
  for (const char* name : {"run", "other", "third"}) {
    CheckpointWriter writer(folder.path() / name, "{}");
    BOOST_TEST(write_round(writer, 5));
    BOOST_TEST(round_of(folder.path() / name) == 5U);
  }
  BOOST_TEST(read_file(folder.path() / "run.new") == "mine");
  BOOST_TEST(read_file(folder.path() / "target") == "mine too");
  BOOST_TEST(fs::is_symlink(folder.path() / "other.new"));
  BOOST_TEST(fs::is_symlink(folder.path() / "third.new"));
  BOOST_TEST(!fs::exists(folder.path() / "nowhere"));
  BOOST_TEST(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 7);
}

// As any file that the user makes.
BOOST_AUTO_TEST_CASE(has_the_rights_that_the_mask_leaves) {
  const Folder folder;
  for (const mode_t mask : {022U, 077U, 002U}) {
    const auto before = ::umask(mask);
    CheckpointWriter writer(folder.path() / std::to_string(mask), "{}");
    BOOST_TEST(write_round(writer, 1));
    BOOST_TEST(clopt::write_file(folder.path() / "text", "one").empty());
    ::umask(before);
    for (const auto& file : {folder.path() / std::to_string(mask), folder.path() / "text"})
      BOOST_TEST((fs::status(file).permissions() == static_cast<fs::perms>(0666U & ~mask)));
    fs::remove(folder.path() / "text");
  }
}

BOOST_AUTO_TEST_CASE(follows_a_link) {
  const Folder folder;
  write_file(folder.path() / "target", "");
  fs::create_symlink("target", folder.path() / "link");
  CheckpointWriter writer(folder.path() / "link", "{}");
  BOOST_TEST(write_round(writer, 5));
  BOOST_TEST(fs::is_symlink(folder.path() / "link"));
  BOOST_TEST(round_of(folder.path() / "target") == 5U);
}

BOOST_AUTO_TEST_CASE(is_due_after_its_interval) {
  const Folder folder;
  BOOST_TEST(CheckpointWriter(folder.path() / "always", "{}", 0).due());
  CheckpointWriter writer(folder.path() / "run", "{}", 1e6);
  BOOST_TEST(!writer.due());
  BOOST_TEST(write_round(writer, 1));
  BOOST_TEST(!writer.due());
  CheckpointWriter soon(folder.path() / "soon", "{}", 1e-6);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  BOOST_TEST(soon.due());
}

// A limit on the size of files stands for a full disk.
BOOST_AUTO_TEST_CASE(a_full_disk_leaves_the_one_before) {
  const Folder folder;
  const auto file = folder.path() / "run.checkpoint";
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    CheckpointWriter writer(file, "{}");
    bool good = write_round(writer, 1, 100);
    const rlimit limit{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    good = good && !write_round(writer, 2, 10'000) && contains(writer.failure(), "run.checkpoint");
    good = good && write_round(writer, 3, 50) && writer.failure().empty();  // there is space for it
    good = good && !write_round(writer, 4, 10'000) && writer.written() == 2;
    _exit(good ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  BOOST_TEST(status == 0);
  BOOST_TEST(round_of(file) == 3U);
  BOOST_TEST(!fs::exists(file.string() + ".new"));
}

// Killed at a random moment of its writing, again and again: the file is always whole, and never goes back.
BOOST_AUTO_TEST_CASE(is_whole_whenever_the_process_is_killed) {
  const Folder folder;
  const auto file = folder.path() / "run.checkpoint";
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  BOOST_TEST_CONTEXT("seed " << seed) {
    std::uint64_t before = 0;
    for (int kills = 0; kills < 100; ++kills) {
      const pid_t child = fork();
      if (child == 0) {
        CheckpointWriter writer(file, "{}", 0);
        for (std::uint64_t round = before + 1;; ++round)
          if (!write_round(writer, round, 1 + round * 7919 % 40'000)) _exit(1);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<>(0, 20'000)(random)));
      kill(child, SIGKILL);
      int status = 0;
      waitpid(child, &status, 0);
      BOOST_REQUIRE(WIFSIGNALED(status));
      if (!fs::exists(file)) continue;
      const auto round = round_of(file);
      BOOST_TEST(round >= before);
      before = round;
    }
    BOOST_TEST(before > 0U);
  }
}

// Two runs that were given one file by mistake: whatever is there is one of theirs, whole.
BOOST_AUTO_TEST_CASE(two_writers_never_mix) {
  const Folder folder;
  const auto file = folder.path() / "run.checkpoint";
  // Made before there are two, since the second of two that begin at once is refused.
  CheckpointWriter writer(file, "{}", 0);
  const auto work = [&](std::size_t count) {
    for (std::uint64_t round = 0; round < 100'000 && writer.written() < 100; ++round)
      // The other run may have been put to sleep while it writes.
      if (!write_round(writer, round, count)) std::this_thread::sleep_for(std::chrono::microseconds(100));
    return writer.written() == 100;
  };
  const pid_t child = fork();
  if (child == 0) _exit(work(20'000) ? 0 : 1);
  BOOST_TEST(work(3));
  round_of(file);
  int status = -1;
  waitpid(child, &status, 0);
  BOOST_TEST(status == 0);
  round_of(file);
}

BOOST_AUTO_TEST_CASE(only_the_same_run_continues) {
  const Folder folder;
  const auto identity = [](std::uint64_t seed, double weight, const std::vector<double>& data) {
    clopt::RunIdentity of("tour");
    of.add("seed", seed).add("weight", weight).add("kind", "open").add_data("data", data);
    return of;
  };
  const std::vector<double> data{1, 2, 0.1};
  CheckpointWriter(folder.path() / "run").write(Record(identity(3, 0.1, data)));
  const auto checkpoint = Checkpoint::read(folder.path() / "run", "");
  BOOST_TEST(checkpoint.solver() == "tour");
  BOOST_CHECK_NO_THROW(checkpoint.require(identity(3, 0.1, data)));
  const auto says = [&](const clopt::RunIdentity& other) {
    try {
      checkpoint.require(other);
      return std::string();
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
  };
  BOOST_TEST(says(identity(4, 0.1, data)).find("its run has the `seed` 3, and this one has 4") != std::string::npos);
  // To the last bit, also of a zero's sign.
  BOOST_TEST(says(identity(3, std::nextafter(0.1, 1), data)).find("`weight` 0.1,") != std::string::npos);
  BOOST_TEST(says(identity(3, 0.1, {1, 2, std::nextafter(0.1, 1)})).find("`data` 3 numbers") != std::string::npos);
  BOOST_TEST(says(identity(3, 0.1, {1, 2})).find("and this one has 2 numbers") != std::string::npos);
  clopt::RunIdentity fewer("tour");
  fewer.add("seed", 3U);
  BOOST_TEST(says(fewer).find("its run has the `data` 3 numbers") != std::string::npos);
  BOOST_TEST(says(clopt::RunIdentity("genetic")).find("a run of tour wrote it, and genetic") != std::string::npos);
}

// What an older version did is what the default of a later option does.
BOOST_AUTO_TEST_CASE(an_option_that_came_later_has_its_default) {
  const Folder folder;
  const auto identity = [](const auto& options) {
    clopt::RunIdentity of("tour");
    clopt::add_fields(of, options);
    return of;
  };
  CheckpointWriter(folder.path() / "older").write(Record(identity(Older{3})));
  const auto older = Checkpoint::read(folder.path() / "older", "tour");
  BOOST_CHECK_NO_THROW(older.require(identity(Newer{3})));
  BOOST_CHECK_THROW(older.require(identity(Newer{4})), InvalidInput);
  BOOST_CHECK_THROW(older.require(identity(Newer{3, 2})), InvalidInput);
  BOOST_CHECK_THROW(older.require(identity(Newer{3, {}, 0.25})), InvalidInput);
  CheckpointWriter(folder.path() / "newer").write(Record(identity(Newer{3, 2, 0.25})));
  const auto newer = Checkpoint::read(folder.path() / "newer", "tour");
  BOOST_CHECK_NO_THROW(newer.require(identity(Newer{3, 2, 0.25})));
  BOOST_CHECK_THROW(newer.require(identity(Newer{3})), InvalidInput);
  BOOST_CHECK_THROW(newer.require(identity(Older{3})), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
