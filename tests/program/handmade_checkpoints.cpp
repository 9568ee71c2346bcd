/// \file
/// Checkpoints that no run has written: cut, altered in each part, with right and wrong hashes, of other runs. Each is
/// refused in one line, with status 2, and makes the program allocate nothing that its bytes ask for.
#include <boost/test/unit_test.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fuzz/checkpoint_parts.hpp>
#include <support/folder.hpp>
#include "run.hpp"

using clopt::fuzz::CheckpointParts;
using clopt::test::TemporaryFolder;
using Words = std::vector<std::string>;

namespace {

struct Run {
  std::string solver;
  Words words;  // that begin it
};

// Subset-sum has no checkpoints.
const std::vector<Run> runs{
    {"genetic", {"--genes", "20", "--population", "10", "--generations", "2"}},
    {"differential-evolution", {"--dimensions", "3", "--problems", "2", "--generations", "2"}},
    {"ecga", {"--length", "20", "--population", "100", "--generations", "2"}},
    {"exchange", {"--topology", "ring:5", "--optimizer", "umda", "--population", "32", "--generations", "2"}},
    {"exchange",
     {"--topology", "mesh:3x3", "--optimizer", "anneal", "--steps", "bound", "--replicas", "2", "--generations", "2"}},
    {"genetic", {"--objective", "sphere", "--genes", "3", "--population", "10", "--generations", "2"}},
};

// Which begin where the fixed part, of 32 bytes, ends.
struct Places {
  std::size_t solver, version, identity, parameters, table, arrays, hash;
};

std::size_t sized(const std::string& text) { return 8 + text.size(); }

Places places_in(const CheckpointParts& parts) {
  Places at{};
  at.solver = 32;
  at.version = at.solver + sized(parts.solver);
  at.identity = at.version + sized(parts.version);
  at.parameters = at.identity + 8;
  for (const auto& [name, text] : parts.identity) at.parameters += sized(name) + sized(text);
  at.table = at.parameters + sized(parts.parameters);
  at.arrays = at.table + 8;
  for (const auto& array : parts.arrays) at.arrays += sized(array.name) + 12;
  at.hash = at.arrays;
  for (const auto& array : parts.arrays) at.hash += array.bytes.size();
  return at;
}

// The most memory that one of the runs so far had, in KiB.
long most_memory() {
  struct rusage used {};
  getrusage(RUSAGE_CHILDREN, &used);
  return used.ru_maxrss;
}

class Resumed {
 public:
  explicit Resumed(const Run& run) : solver_(run.solver) {
    Words words{run.solver, "--device", "openmp:0", "--threads", "1", "--checkpoint", whole_};
    words.insert(words.end(), run.words.begin(), run.words.end());
    const auto outcome = clopt::test::run(words);
    BOOST_REQUIRE_MESSAGE(outcome.status == 0 || outcome.status == 4, outcome.error);
    bytes_ = clopt::test::read_file(whole_);
    auto taken = clopt::fuzz::take_apart(bytes_);
    BOOST_REQUIRE(taken.has_value());
    parts_ = *std::move(taken);
    BOOST_REQUIRE(clopt::fuzz::put_together(parts_) == bytes_);
    memory_ = most_memory();
  }
  const std::string& bytes() const { return bytes_; }
  const CheckpointParts& parts() const { return parts_; }

  std::string is_refused(const std::string& what, const std::string& bytes) const {
    const auto file = folder_.file("handmade", bytes);
    const auto outcome =
        clopt::test::run({solver_, "--resume", file, "--device", "openmp:0", "--threads", "1", "--generations", "3"});
    BOOST_TEST_CONTEXT(solver_ << ": " << what << ": " << outcome.output << outcome.error) {
      BOOST_TEST(outcome.status == 2);
      BOOST_TEST(outcome.output.empty());
      BOOST_TEST(outcome.error_lines() == 1U);
      // It names the checkpoint, or the option that the file's parameters have.
      const auto names = [&](const char* text) { return outcome.error.find(text) != std::string::npos; };
      BOOST_TEST((names("checkpoint") || names(": --") || names(": topology '")));
      BOOST_TEST(most_memory() < memory_ + 65536);
    }
    return outcome.error;
  }
  /// The checkpoint of parts that a function changes.
  std::string is_refused(const std::string& what, const std::function<void(CheckpointParts&)>& change) const {
    auto changed = parts_;
    change(changed);
    return is_refused(what, clopt::fuzz::put_together(changed));
  }

 private:
  TemporaryFolder folder_;
  std::string solver_;
  std::string whole_ = (folder_.path() / "whole").string();
  std::string bytes_;
  CheckpointParts parts_;
  long memory_ = 0;
};

std::string with_right_hash(std::string bytes) {
  clopt::fuzz::make_right(bytes);
  return bytes;
}

void replace_first(std::string& text, const std::string& part, const std::string& by) {
  const auto at = text.find(part);
  BOOST_REQUIRE(at != std::string::npos);
  text.replace(at, part.size(), by);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_handmade_checkpoints)

BOOST_AUTO_TEST_CASE(cut_or_longer) {
  for (const auto& run : runs) {
    const Resumed resumed(run);
    const auto& bytes = resumed.bytes();
    const auto at = places_in(resumed.parts());
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{16}, std::size_t{31}, std::size_t{47},
                                   at.identity + 3, at.arrays, at.hash, bytes.size() - 1})
      resumed.is_refused("its first " + std::to_string(size) + " bytes", bytes.substr(0, size));
    resumed.is_refused("a byte more", bytes + '\0');
    // A hash of what is left, so that the parts themselves end too soon.
    for (const std::size_t size : {at.solver + 20, at.parameters + 20, at.table + 20, at.arrays + 16})
      resumed.is_refused("the hash of its first bytes, " + std::to_string(size),
                         with_right_hash(bytes.substr(0, size)));
    resumed.is_refused("the hash of a byte more", with_right_hash(bytes + '\0'));
  }
}

BOOST_AUTO_TEST_CASE(a_byte_altered_in_each_part) {
  for (const auto& run : runs) {
    const Resumed resumed(run);
    const auto at = places_in(resumed.parts());
    for (const std::size_t place :
         {std::size_t{3}, std::size_t{17}, std::size_t{21}, std::size_t{25}, at.solver + 9, at.version + 9,
          at.identity + 17, at.parameters + 9, at.table + 17, at.arrays, at.hash - 1, at.hash + 5}) {
      auto bytes = resumed.bytes();
      bytes[place] = static_cast<char>(bytes[place] ^ 4);
      resumed.is_refused("byte " + std::to_string(place), bytes);
      // What the size and the hash are made right of is no error.
      if (place != 25 && place < at.table)
        resumed.is_refused("byte " + std::to_string(place) + " and its hash", with_right_hash(bytes));
    }
  }
}

BOOST_AUTO_TEST_CASE(counts_beyond_all_memory) {
  for (const auto& run : runs) {
    const Resumed resumed(run);
    const auto at = places_in(resumed.parts());
    const auto bytes_of_first_array = at.table + 8 + sized(resumed.parts().arrays.front().name) + 4;
    for (const std::size_t place : {at.solver, at.version, at.identity, at.identity + 8, at.parameters, at.table,
                                    at.table + 8, bytes_of_first_array})
      for (const std::uint64_t count : {std::uint64_t{1} << 33, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
        auto bytes = resumed.bytes();
        std::memcpy(&bytes[place], &count, sizeof count);
        resumed.is_refused(std::to_string(count) + " at byte " + std::to_string(place), with_right_hash(bytes));
      }
  }
}

BOOST_AUTO_TEST_CASE(other_arrays) {
  for (const auto& run : runs) {
    const Resumed resumed(run);
    // Those of the program, such as a picture's, are read where it is asked for; nothing reads the list that exchange
    // has of its own arrays.
    for (std::size_t i = 0; i < resumed.parts().arrays.size(); ++i) {
      const auto& name = resumed.parts().arrays[i].name;
      if (name.starts_with("program.") || name == "search") continue;
      resumed.is_refused("an unknown type of " + name, [&](auto& parts) { parts.arrays[i].type = 77; });
      resumed.is_refused("another type of " + name,
                         [&](auto& parts) { parts.arrays[i].type = parts.arrays[i].type == 8 ? 0 : 8; });
      // Checkpoints of earlier versions have none.
      if (name == "best_model_generation" || name == "fitness_double" || name == "is_improved") continue;
      resumed.is_refused("no " + name, [&](auto& parts) {
        parts.arrays.erase(parts.arrays.begin() + static_cast<std::ptrdiff_t>(i));
      });
    }
  }
}

template <class T>
void set_number(CheckpointParts::Array& array, std::size_t place, T number) {
  BOOST_REQUIRE(clopt::fuzz::bytes_of(array.type) == sizeof number);
  std::memcpy(&array.bytes.at(place * sizeof number), &number, sizeof number);
}

BOOST_AUTO_TEST_CASE(arrays_that_stand_twice) {
  for (const auto& run : runs) {
    const Resumed resumed(run);
    for (const auto& array : resumed.parts().arrays) {
      const auto error =
          resumed.is_refused("two of " + array.name, [&](CheckpointParts& parts) { parts.arrays.push_back(array); });
      BOOST_TEST(error.find('\'' + array.name + "' twice") != std::string::npos, error);
    }
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none) {
  constexpr std::uint32_t type_of_float = 6;
  constexpr std::uint32_t type_of_double = 7;
  for (const auto& run : runs) {
    const Resumed resumed(run);
    for (std::size_t i = 0; i < resumed.parts().arrays.size(); ++i) {
      const auto& array = resumed.parts().arrays[i];
      if (array.bytes.empty() || array.name.starts_with("program.")) continue;
      const auto count = array.bytes.size() / std::max<std::size_t>(1, clopt::fuzz::bytes_of(array.type));
      for (const auto place : {std::size_t{0}, count - 1}) {
        const auto what = "no number at " + std::to_string(place) + " of " + array.name;
        if (array.type == type_of_float)
          resumed.is_refused(what, [&](CheckpointParts& parts) {
            set_number(parts.arrays[i], place, std::numeric_limits<float>::quiet_NaN());
          });
        if (array.type == type_of_double)
          resumed.is_refused(what, [&](CheckpointParts& parts) {
            set_number(parts.arrays[i], place, std::numeric_limits<double>::quiet_NaN());
          });
      }
    }
  }
}

// Values that are better than those of their individuals: no device is to blame for them.
BOOST_AUTO_TEST_CASE(values_of_other_individuals) {
  constexpr std::size_t place_of_best = 2;
  const auto refuses = [](std::size_t run, const std::string& name, std::size_t place, auto number) {
    const Resumed resumed(runs[run]);
    const auto error = resumed.is_refused("another value in " + name, [&](CheckpointParts& parts) {
      const auto found =
          std::find_if(parts.arrays.begin(), parts.arrays.end(), [&](const auto& array) { return array.name == name; });
      BOOST_REQUIRE(found != parts.arrays.end());
      set_number(*found, place, number);
    });
    BOOST_TEST(error.find(name.substr(name.find('/') + 1)) != std::string::npos, error);
  };
  refuses(0, "limits", place_of_best, -30.0F);
  refuses(5, "limits", place_of_best, -1.0F);
  refuses(1, "values", 0, -1.0);
  refuses(2, "best_fitness", 0, 30.0);
  refuses(3, "search/fitness", 0, std::uint64_t{0});
  refuses(4, "search/conflicts-0", 0, std::uint64_t{0});
}

BOOST_AUTO_TEST_CASE(of_other_runs) {
  for (const auto& run : runs) {
    const Resumed resumed(run);
    for (const std::string solver : {"", "subset-sum", "subset_sum", "nobody", "genetic", "ecga"})
      if (solver != resumed.parts().solver)
        resumed.is_refused("of " + solver, [&](auto& parts) { parts.solver = solver; });
    for (const std::string version : {"", "0.0.9", "99.0.0", "0.1", "\n\x1b[31m"})
      resumed.is_refused("of version " + version, [&](auto& parts) { parts.version = version; });
    resumed.is_refused("an identity without entries", [](auto& parts) { parts.identity.clear(); });
    resumed.is_refused("another seed",
                       [](auto& parts) { replace_first(parts.parameters, "\"seed\":1", "\"seed\":2"); });
    for (const std::string text :
         {"", "{", "[]", "null", "{}", "{\"parameters\":{}}", "{\"parameters\":7,\"limits\":[]}"})
      resumed.is_refused("the parameters " + text, [&](auto& parts) { parts.parameters = text; });
    resumed.is_refused("deep parameters", [](auto& parts) { parts.parameters = std::string(1 << 20, '['); });
  }
}

// A size that the parameters ask for is compared with the run's own before there is memory for it.
BOOST_AUTO_TEST_CASE(sizes_beyond_all_memory) {
  const std::vector<std::pair<std::size_t, std::pair<std::string, std::string>>> sizes{
      {0, {"\"population\":10", "\"population\":2000000000"}},
      {0, {"\"genes\":20", "\"genes\":2000000000"}},
      {1, {"\"dimensions\":3", "\"dimensions\":60000"}},
      {1, {"\"problems\":2", "\"problems\":2000000000"}},
      {2, {"\"population\":100", "\"population\":2000000000"}},
      {2, {"\"length\":20", "\"length\":2000000000"}},
      {3, {"\"population\":32", "\"population\":2000000000"}},
      {3, {"ring:5", "ring:2000000000"}},
      {4, {"mesh:3x3", "mesh:30000x30000"}},
  };
  for (const auto& [run, change] : sizes) {
    const Resumed resumed(runs[run]);
    resumed.is_refused(change.second, [&, &change = change](auto& parts) {
      replace_first(parts.parameters, change.first, change.second);
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
