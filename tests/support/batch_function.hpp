/// \file
/// Batch functions that note how they are called.
#pragma once

#include <clopt/devices.hpp>
#include <clopt/objective.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace clopt::test {

/// The calls of a batch function.
struct BatchCalls {
  std::vector<std::size_t> individuals;  ///< of each call
  std::thread::id caller = std::this_thread::get_id();
  bool are_on_the_callers_thread = true;
  bool have_the_right_shape = true;
};

/// The value of one individual.
using ValueOfOne = std::function<double(std::span<const double> genes, std::span<const double> row)>;

/// A batch function that gives each individual the value that \p value gives it, and notes its calls.
/// \param before called at the start of each call, with the number of calls before it.
inline Objective batch_function(BatchCalls& calls, GeneKind kind, std::size_t genes, std::size_t columns,
                                ValueOfOne value, std::function<void(std::size_t)> before = {}) {
  return Objective::from_batch_function(
      [&calls, genes, columns, value = std::move(value), before = std::move(before)](
          std::span<const double> all, std::span<const double> rows, std::span<double> values) {
        if (before) before(calls.individuals.size());
        calls.individuals.push_back(values.size());
        if (std::this_thread::get_id() != calls.caller) calls.are_on_the_callers_thread = false;
        if (all.size() != genes * values.size() || rows.size() != columns * values.size()) {
          calls.have_the_right_shape = false;
          return;
        }
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] = value(all.subspan(i * genes, genes), rows.subspan(i * columns, columns));
      },
      kind, "batch");
}

/// A device of the host's with several threads, whatever the machine has.
inline std::shared_ptr<Device> host_of_three_threads() {
  DeviceOptions options;
  options.threads = 3;
  options.self_test = false;
  return open_device("openmp:0", options);
}

inline double sum_of(std::span<const double> genes) {
  double sum = 0;
  for (const double gene : genes) sum += gene;
  return sum;
}

/// The built-in sphere of two genes, with its rounding.
template <class Real>
double sphere_of_two(std::span<const double> genes) {
  const auto x = static_cast<Real>(genes[0]);
  const auto y = static_cast<Real>(genes[1]);
  const Real first = x * x;
  const Real second = y * y;
  return static_cast<double>(first + second);
}

}  // namespace clopt::test
