/// \file
/// What `clopt validate` runs of subset-sum: every method on instances whose optimum is known.
#include <clopt/detail/numbers.hpp>
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include <commands/solver.hpp>

namespace clopt::apps::subset_sum {
namespace {

namespace solver = clopt::subset_sum;

/// An instance and its optimum, found apart from this library by a bit set of reachable sums in Python.
struct KnownInstance {
  const char* name;
  std::uint64_t optimum;
  enum { small, large, huge, heavy } size;  ///< for all methods; for the quick ones; for --long; for any weights
};

constexpr KnownInstance known_instances[] = {
    {"half-small:30", 703650, KnownInstance::small},
    {"p:16", 1999444, KnownInstance::small},
    {"uniform:30", 999876, KnownInstance::small},
    {"avis:24", 6809, KnownInstance::small},
    {"todd:12", 425478, KnownInstance::small},
    {"odd-three:40", 1186053, KnownInstance::small},
    {"most-fit:30", 2340304, KnownInstance::small},
    {"half:100", 23677080, KnownInstance::large},
    {"odd-three:400", 11356273, KnownInstance::large},
    {"most-fit:300", 27422886, KnownInstance::large},
    {"half:1000", 248907300, KnownInstance::huge},
    {"p:300", 37500000, KnownInstance::huge},
    {"many-digits:38", 9225456988152074, KnownInstance::heavy},
};

// Multiples of 10 but for three: only these bring the last digit of the capacity.
solver::Instance odd_three(std::uint64_t n) {
  solver::Instance instance;
  for (std::uint64_t j = 0; j < n; ++j) instance.weights.push_back(10 * (1000 + j * j * 7919 % 9001) + (j < 3));
  const auto sum = std::accumulate(instance.weights.begin(), instance.weights.end(), std::uint64_t{0});
  instance.capacity = sum / 20 * 10 + 7;
  return instance;
}

// A capacity above half of the sum: the items that are left out are searched.
solver::Instance most_fit(std::uint64_t n) {
  solver::Instance instance;
  for (std::uint64_t j = 0; j < n; ++j) instance.weights.push_back(2 * (10'000 + j * j * 104'729 % 90'001));
  const auto sum = std::accumulate(instance.weights.begin(), instance.weights.end(), std::uint64_t{0});
  instance.capacity = sum / 20 * 17 | 1;
  return instance;
}

// Even weights to 1e15, and an odd capacity.
solver::Instance many_digits(std::uint64_t n) {
  solver::Instance instance;
  for (std::uint64_t j = 0, state = n; j < n; ++j) {
    state = state * 6364136223846793005 + 1442695040888963407;
    instance.weights.push_back((state >> 15) % 500'000'000'000'000 * 2 + 2);
  }
  instance.capacity = std::accumulate(instance.weights.begin(), instance.weights.end(), std::uint64_t{0}) / 2 | 1;
  return instance;
}

solver::Instance make(const std::string& name) {
  const auto colon = name.find(':');
  const auto kind = name.substr(0, colon);
  const auto n = leading_number(std::string_view(name).substr(colon + 1));
  if (kind == "odd-three") return odd_three(n);
  if (kind == "most-fit") return most_fit(n);
  if (kind == "many-digits") return many_digits(n);
  return solver::make_instance(name, 1);
}

/// Every method, and every way to run it.
std::vector<solver::Options> ways_to_run() {
  std::vector<solver::Options> ways;
  for (const auto& method : choices_of<solver::Options>("method")) {
    solver::Options options;
    options.method = method;
    // The reductions would leave most methods nothing to do; `auto` is there to use them.
    options.reduce = method == "auto";
    ways.push_back(options);
    if (method == "k2") {
      options.barrier = "cyclic";
      ways.push_back(options);
    }
    if (solver::is_k3(method)) {
      ways.back().recovery = "table";
      options.recovery = "checkpoints";
      ways.push_back(options);
      options.recovery = "host";
      if (method == "k3-64") ways.push_back(options);
    }
  }
  return ways;
}

std::string name_of(const solver::Options& options) {
  if (options.method == "k2") return "k2/" + options.barrier;
  const bool is_usual = options.recovery == "auto" || options.recovery == "table";
  return is_usual ? options.method : options.method + "/" + options.recovery;
}

ValidationOutcome solve(const KnownInstance& known, const solver::Options& options, Device& device,
                        const RunControl& control) {
  const auto result = solver::solve(make(known.name), options, device, control);
  ValidationOutcome outcome{result.checksum, {}};
  const bool may_be_less = options.method == "bbe" && !result.optimal;
  if (may_be_less ? result.value > known.optimum : result.value != known.optimum)
    outcome.wrong = fmt::format("the value is {}, and the optimum is {}", result.value, known.optimum);
  else if (!result.optimal && options.method != "bbe")  // which only decides whether the capacity is reached
    outcome.wrong = "the optimum is not proven";
  return outcome;
}

// Profits that hardly differ from the weights, so that bounds show little.
solver::Amounts knapsack(std::int64_t n) {
  solver::Amounts amounts;
  for (std::int64_t j = 0; j < n; ++j) {
    amounts.numbers.push_back(1 + j * j * 7919 % 900);
    amounts.profits.push_back(amounts.numbers.back() + 90 + j % 7);
  }
  amounts.capacity = std::accumulate(amounts.numbers.begin(), amounts.numbers.end(), std::int64_t{0}) / 2;
  return amounts;
}

ValidationOutcome pack(const char* method, Device& device, const RunControl& control) {
  // By a table of all capacities in Python.
  constexpr std::int64_t optimum = 89957;
  solver::Options options;
  options.method = method;
  options.reduce = options.method == "auto";
  const auto result = solver::solve(knapsack(300), options, device, control);
  ValidationOutcome outcome{result.run.checksum, {}};
  if (result.profit != optimum || !result.run.optimal)
    outcome.wrong = fmt::format("the profit is {}, and the optimum is {}", result.profit, optimum);
  return outcome;
}

bool runs(const solver::Options& way, const KnownInstance& known, bool with_long_ones) {
  const auto& method = way.method;
  if (known.size == KnownInstance::small) return true;
  if (known.size == KnownInstance::heavy) return method == "auto" || method == "meet-in-the-middle";
  if (method == "bellman" || method == "meet-in-the-middle" || method == "bbe") return false;  // they cannot hold it
  // A word for each capacity takes its time, where a bit is soon done; words of one size are enough for checkpoints.
  const bool quick = method == "auto" || (solver::is_k3(method) && (way.recovery == "table" || method == "k3-64"));
  return with_long_ones || (quick && known.size == KnownInstance::large);
}

}  // namespace

std::vector<ValidationCase> validation_cases(bool with_long_ones) {
  std::vector<ValidationCase> cases;
  for (const auto& way : ways_to_run())
    for (const auto& known : known_instances) {
      if (!runs(way, known, with_long_ones)) continue;
      cases.push_back(
          {fmt::format("subset-sum/{}/{}", name_of(way), known.name), solver::runs_on_device(way.method),
           [known, way](Device& device, const RunControl& control) { return solve(known, way, device, control); }});
    }
  for (const char* method : {"auto", "k1"})
    cases.push_back({fmt::format("subset-sum/{}/knapsack:300", method), true,
                     [method](Device& device, const RunControl& control) { return pack(method, device, control); }});
  return cases;
}

}  // namespace clopt::apps::subset_sum
