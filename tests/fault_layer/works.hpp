/// \file
/// A small run of each solver, and whether its report is true, computed without clopt.
#pragma once

#include <program/run.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace clopt::test {

using Json = nlohmann::json;

/// A run that takes some milliseconds on a device. Where its arguments have `FILE`, it writes a file.
struct Work {
  std::string name;
  std::vector<std::string> arguments;  ///< without the device
  std::string input{};
  /// What is not true in the result and the file that was written; empty where all is.
  std::function<std::string(const Json& result, const std::string& file)> untruth;
  bool takes_devices = true;  ///< whether the program takes several devices for it
};

inline std::vector<std::uint64_t> genes_of(const Json& result) {
  return result.at("best").at("genes").get<std::vector<std::uint64_t>>();
}

// Even weights and an odd capacity, which are not reduced: the best is one less, and a sweep has to prove it.
inline Work subset_sum_work(const std::string& method, const std::vector<std::string>& options = {}) {
  constexpr std::uint64_t capacity = 3001;
  std::vector<std::uint64_t> weights;
  std::string text;
  for (std::uint64_t i = 0; i < 49; ++i) {
    weights.push_back(2 + 2 * ((i * 7919 + 13) % 125));
    text += std::to_string(weights.back()) + "\n";
  }
  std::vector<std::string> arguments{"subset-sum", "-",    "--capacity", std::to_string(capacity),
                                     "--method",   method, "--no-reduce"};
  std::string name = "subset-sum/" + method;
  for (const auto& option : options) {
    arguments.push_back(option);
    if (!option.starts_with("--")) name += "/" + option;
  }
  return {name, arguments, text,
          [weights](const Json& result, const std::string&) -> std::string {
            std::uint64_t sum = 0;
            for (const std::uint64_t index : result.at("indices")) sum += weights.at(index);
            if (sum != result.at("value")) return "the value is not that of the subset";
            if (sum > capacity) return "the subset is heavier than the capacity";
            if (result.at("optimal") && sum != capacity - 1) return "the value is not the optimum";
            return {};
          },
          false};
}

// Numbers that no sweep could take; the best is the sum of every third of them, which the run does not know.
inline Work meeting_work() {
  std::vector<std::uint64_t> weights;
  std::string text;
  std::uint64_t number = 1;
  for (std::uint64_t i = 0; i < 26; ++i) {
    number = number * 6364136223846793005U + 1442695040888963407U;
    weights.push_back((std::uint64_t{1} << 40) + (number >> 24));
    text += std::to_string(weights.back()) + "\n";
  }
  std::uint64_t capacity = 0;
  for (std::size_t i = 0; i < weights.size(); i += 3) capacity += weights[i];
  return {"subset-sum/meet-in-the-middle",
          {"subset-sum", "-", "--capacity", std::to_string(capacity), "--method", "meet-in-the-middle", "--no-reduce"},
          text,
          [weights, capacity](const Json& result, const std::string&) -> std::string {
            std::uint64_t sum = 0;
            for (const std::uint64_t index : result.at("indices")) sum += weights.at(index);
            if (sum != result.at("value")) return "the value is not that of the subset";
            if (sum > capacity) return "the subset is heavier than the capacity";
            if (result.at("optimal") && sum != capacity) return "the value is not the optimum";
            return {};
          },
          false};
}

inline Work genetic_work() {
  constexpr std::uint64_t target = 8;
  return {"genetic",
          {"genetic", "--objective", "onemax", "--genes", "33", "--population", "17", "--generations", "99", "--target",
           std::to_string(target)},
          {},
          [](const Json& result, const std::string&) -> std::string {
            std::uint64_t ones = 0;
            for (const auto gene : genes_of(result)) ones += gene;
            if (static_cast<double>(ones) != result.at("best").at("fitness"))
              return "the fitness is not that of the genes";
            if (result.at("ending") == "target" && ones > target) return "the target is not reached";
            return {};
          },
          false};
}

inline Work differential_evolution_work() {
  constexpr double target = 0.1;
  return {"differential-evolution",
          {"differential-evolution", "--objective", "sphere", "--dimensions", "3", "--population", "9", "--problems",
           "3", "--generations", "99", "--target", std::to_string(target)},
          {},
          [](const Json& result, const std::string&) -> std::string {
            double sum = 0;
            for (const double parameter : result.at("best").at("parameters")) sum += parameter * parameter;
            const auto reported = result.at("best").at("value");
            // Of single precision: an infinite one is printed as null, and the least are 0.
            constexpr double least = 1e-37;
            const bool overflows = sum > static_cast<double>(std::numeric_limits<float>::max());
            if (reported.is_null() ? !overflows : !(std::abs(sum - reported.get<double>()) <= 1e-5 * sum + least))
              return "the value is not that of the parameters";
            std::uint64_t solved = 0;
            for (const auto& value : result.at("values")) solved += value.is_number() && value.get<double>() <= target;
            if (solved < result.at("solved").get<std::uint64_t>()) return "fewer problems are solved than told";
            if (result.at("solved") > 0 && sum > target * (1 + 1e-5)) return "the best problem is not solved";
            return {};
          },
          true};
}

inline Work ecga_work() {
  constexpr std::uint64_t block = 5;
  constexpr std::uint64_t target = 18;
  return {"ecga",
          {"ecga", "--objective", "trap5", "--length", "20", "--population", "399", "--target", std::to_string(target)},
          {},
          [](const Json& result, const std::string&) -> std::string {
            const auto genes = genes_of(result);
            std::uint64_t fitness = 0;
            for (std::size_t begin = 0; begin < genes.size(); begin += block) {
              std::uint64_t ones = 0;
              for (std::size_t i = begin; i < begin + block; ++i) ones += genes.at(i);
              fitness += ones == block ? block : block - 1 - ones;
            }
            if (static_cast<double>(fitness) != result.at("best").at("fitness"))
              return "the fitness is not that of the genes";
            if (result.value("target_reached", false) && fitness < target) return "the target is not reached";
            return {};
          }};
}

// Whether a schedule of the complete exchange of the mesh 2 x 3 uses each channel once a slot and leaves nothing out.
inline std::string fault_of_schedule(const Json& schedule) {
  constexpr std::uint64_t nodes = 6;
  constexpr std::int64_t columns = 3;
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  std::set<std::tuple<std::uint64_t, std::int64_t, std::int64_t>> uses;
  for (const auto& transfer : schedule.at("transfers")) {
    const auto path = transfer.at("path").get<std::vector<std::int64_t>>();
    if (path.front() != transfer.at("from") || path.back() != transfer.at("to")) return "a path leads elsewhere";
    if (transfer.at("slot") >= schedule.at("steps")) return "a slot is past the last";
    pairs.emplace(transfer.at("from"), transfer.at("to"));
    for (std::size_t i = 1; i < path.size(); ++i) {
      const auto distance =
          std::abs(path[i] / columns - path[i - 1] / columns) + std::abs(path[i] % columns - path[i - 1] % columns);
      if (distance != 1) return "a path leaves the mesh";
      if (!uses.emplace(transfer.at("slot"), path[i - 1], path[i]).second) return "a channel is used twice in a slot";
    }
  }
  return pairs.size() == nodes * (nodes - 1) ? "" : "a transfer is left out";
}

inline Work exchange_work(const std::string& optimizer) {
  Work work{"exchange/" + optimizer,
            {"exchange", "--topology", "mesh:2x3", "--optimizer", optimizer, "--output", "FILE"},
            {},
            [](const Json& result, const std::string& file) -> std::string {
              if (result.at("conflicts") != 0) return result.at("optimal") ? "it is not optimal" : "";
              if (result.at("lower_bound") > 4) return "the bound is too high";
              const auto schedule = Json::parse(file);
              if (schedule.at("steps") != result.at("steps")) return "the schedule has other steps";
              return fault_of_schedule(schedule);
            }};
  work.takes_devices = optimizer != "umda";
  if (optimizer == "umda")
    for (const auto* argument : {"--offload", "device", "--population", "65", "--generations", "19"})
      work.arguments.emplace_back(argument);
  return work;
}

/// Whether a work's name has the text in it that CLOPT_TEST_WORK gives; without it, each is chosen.
inline bool is_chosen(const std::string& name) {
  const char* text = std::getenv("CLOPT_TEST_WORK");
  return !text || name.find(text) != std::string::npos;
}

inline std::vector<Work> chosen(std::vector<Work> works) {
  std::erase_if(works, [](const Work& work) { return !is_chosen(work.name); });
  return works;
}

inline std::vector<Work> all_works() {
  return {subset_sum_work("k1"), subset_sum_work("k3-32"), genetic_work(),       differential_evolution_work(),
          ecga_work(),           exchange_work("anneal"),  exchange_work("umda")};
}

inline std::vector<Work> works() { return chosen(all_works()); }

/// These, and other ways of subset-sum to an optimum, which a lost launch or a wrong number could hide.
inline std::vector<Work> works_that_prove() {
  auto all = all_works();
  all.push_back(subset_sum_work("k2"));
  all.push_back(subset_sum_work("k3-32", {"--recovery", "checkpoints"}));
  all.push_back(meeting_work());
  return chosen(std::move(all));
}

}  // namespace clopt::test
