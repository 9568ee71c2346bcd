/// \file
/// The problem, and the report of its answer.
#pragma once

#include <clopt/subset_sum.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <frame/output/run_report.hpp>

namespace clopt::apps::subset_sum {

/// What is solved: amounts that were read, or an instance that was drawn.
class Question {
 public:
  explicit Question(clopt::subset_sum::Amounts amounts) : amounts_(std::move(amounts)) {}
  explicit Question(clopt::subset_sum::Instance instance) : instance_(std::move(instance)) {
    amounts_.capacity = static_cast<std::int64_t>(instance_->capacity);
  }

  /// \throws InvalidInput as solve(), before a device is opened.
  void check(const clopt::subset_sum::Options& options) const {
    instance_ ? clopt::subset_sum::check(*instance_, options) : clopt::subset_sum::check(amounts_, options);
  }
  clopt::subset_sum::AmountsResult solve(const clopt::subset_sum::Options& options, const Devices& devices,
                                         const RunControl& control) const {
    if (!instance_) return clopt::subset_sum::solve(amounts_, options, devices, control);
    clopt::subset_sum::AmountsResult result;
    result.possible = true;
    result.run = clopt::subset_sum::solve(*instance_, options, devices, control);
    result.value = static_cast<std::int64_t>(result.run.value);
    result.indices = result.run.indices;
    return result;
  }

  /// All numbers as amounts. O(n).
  clopt::subset_sum::Amounts amounts() const {
    auto all = amounts_;
    for (std::size_t i = 0; instance_ && i < size(); ++i) all.numbers.push_back(number(i));
    return all;
  }

  std::size_t size() const { return instance_ ? instance_->weights.size() : amounts_.numbers.size(); }
  std::int64_t capacity() const { return amounts_.capacity; }
  std::int64_t number(std::size_t index) const {
    return instance_ ? static_cast<std::int64_t>(instance_->weights[index]) : amounts_.numbers[index];
  }
  /// In the unit of the file.
  std::string text_of(std::int64_t digits) const { return clopt::subset_sum::text_of({digits, amounts_.decimals}); }
  std::uint64_t scale() const {
    std::uint64_t scale = 1;
    for (unsigned i = 0; i < amounts_.decimals; ++i) scale *= 10;
    return scale;
  }

 private:
  std::optional<clopt::subset_sum::Instance> instance_;
  clopt::subset_sum::Amounts amounts_;  // where an instance was drawn, its capacity only
};

/// The report of an answer.
class Report final : public RunReport {
 public:
  /// \param exactly whether the capacity itself was asked for.
  Report(Question question, clopt::subset_sum::AmountsResult answer, bool exactly, std::uint64_t seed,
         double read_seconds = 0)
      : RunReport("subset-sum", seed),
        question_(std::move(question)),
        answer_(std::move(answer)),
        exactly_(exactly),
        read_seconds_(read_seconds) {}

  int status() const override;
  /// Writes the chosen numbers.
  std::string write(const std::string& file) const override;
  Certificate certificate() const override { return certify(question_.amounts(), answer_); }
  const clopt::subset_sum::Result& result() const override { return answer_.run; }

 private:
  void add_fields(Json& object) const override;
  NamedSeconds named_seconds() const override;
  std::string answer_text() const override;
  std::string opening() const override;
  bool is_reached() const { return answer_.possible && answer_.value == question_.capacity(); }
  std::string value_line() const;

  Question question_;
  clopt::subset_sum::AmountsResult answer_;
  bool exactly_;
  double read_seconds_;
};

/// Writes the chosen numbers. \returns why they could not be written, or an empty text.
std::string write_chosen(const std::string& file, const Question& question, const std::vector<std::size_t>& indices);

}  // namespace clopt::apps::subset_sum
