/// \file
/// Reads inputs once, without libFuzzer: clopt-fuzz TARGET FILE|FOLDER...
#include "target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace clopt::fuzz {

// Nothing is mutated here.
std::size_t mutate_bytes(std::uint8_t*, std::size_t, std::size_t) { std::abort(); }

}  // namespace clopt::fuzz

namespace {

using namespace clopt;

std::vector<fs::path> files_of(int count, char** names) {
  std::vector<fs::path> files;
  for (int i = 0; i < count; ++i) {
    if (!fs::is_directory(names[i])) {
      files.emplace_back(names[i]);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(names[i])) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

int read_once(int count, char** arguments) {
  if (count < 2) throw InvalidInput("clopt-fuzz TARGET FILE|FOLDER...");
  const auto& target = fuzz::Target::of(arguments[1]);
  const auto files = files_of(count - 2, arguments + 2);
  if (files.empty()) throw InvalidInput("there is no input");
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw InvalidInput(fmt::format("{} cannot be read", file.string()));
    const std::string input{std::istreambuf_iterator<char>(stream), {}};
    // Read last where the process ends.
    fmt::print("{}: ", file.filename().string());
    std::fflush(stdout);
    const auto refusal = target.run(input);
    fmt::print("{}\n", refusal.empty() ? "read" : printable(refusal, 200, true));
  }
  fmt::print("{} inputs\n", files.size());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return read_once(count, arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
