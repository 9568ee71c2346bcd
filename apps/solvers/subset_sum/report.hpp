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
#include <pictures/svg.hpp>

namespace clopt::apps::subset_sum {

/// What is solved: amounts that were read, or an instance that was drawn.
class Question {
 public:
  explicit Question(clopt::subset_sum::AmountsText text)
      : amounts_(std::move(text.amounts)), label_(std::move(text.label)), labels_(std::move(text.labels)) {}
  explicit Question(clopt::subset_sum::Instance instance) : instance_(std::move(instance)) {
    amounts_.capacity = static_cast<std::int64_t>(instance_->capacity);
  }

  /// \throws InvalidInput as solve(), before a device is opened.
  void check(const clopt::subset_sum::Options& options) const {
    is_plain(options) ? clopt::subset_sum::check(*instance_, options) : clopt::subset_sum::check(amounts(), options);
  }
  clopt::subset_sum::AmountsResult solve(const clopt::subset_sum::Options& options, const Devices& devices,
                                         const RunControl& control) const {
    if (!is_plain(options)) return clopt::subset_sum::solve(amounts(), options, devices, control);
    clopt::subset_sum::AmountsResult result;
    result.possible = true;
    result.run = clopt::subset_sum::solve(*instance_, options, devices, control);
    result.value = static_cast<std::int64_t>(result.run.value);
    result.indices = result.run.indices;
    result.reached = result.value == amounts_.capacity;
    return result;
  }

  /// Whether an instance was drawn, and its best sum alone is asked for.
  bool is_plain(const clopt::subset_sum::Options& options) const {
    return instance_ && !options.at_least && !options.count && !asks_for_subsets(options);
  }
  bool is_drawn() const { return instance_.has_value(); }

  /// All numbers as amounts. O(n) for an instance that was drawn.
  const clopt::subset_sum::Amounts& amounts() const {
    if (instance_ && drawn_.numbers.empty()) {
      drawn_ = amounts_;
      for (std::size_t i = 0; i < size(); ++i) drawn_.numbers.push_back(number(i));
    }
    return instance_ ? drawn_ : amounts_;
  }

  std::size_t size() const { return instance_ ? instance_->weights.size() : amounts_.numbers.size(); }
  std::int64_t capacity() const { return amounts_.capacity; }
  std::int64_t tolerance() const { return amounts_.tolerance; }
  std::int64_t number(std::size_t index) const {
    return instance_ ? static_cast<std::int64_t>(instance_->weights[index]) : amounts_.numbers[index];
  }
  /// Of a knapsack, in the unit of the profits; empty otherwise.
  const std::vector<std::int64_t>& profits() const { return amounts_.profits; }
  std::string profit_text(std::int64_t digits) const {
    return clopt::subset_sum::text_of({digits, amounts_.profit_decimals});
  }
  /// The name of the labels' column; empty: there are none.
  const std::string& label() const { return label_; }
  const std::vector<std::string>& labels() const { return labels_; }
  /// In the unit of the file.
  std::string text_of(std::int64_t digits) const { return clopt::subset_sum::text_of({digits, amounts_.decimals}); }
  std::uint64_t scale() const { return power_of_ten(amounts_.decimals); }
  std::uint64_t profit_scale() const { return power_of_ten(amounts_.profit_decimals); }

 private:
  static std::uint64_t power_of_ten(unsigned exponent) {
    std::uint64_t power = 1;
    for (unsigned i = 0; i < exponent; ++i) power *= 10;
    return power;
  }

  std::optional<clopt::subset_sum::Instance> instance_;
  clopt::subset_sum::Amounts amounts_;        // where an instance was drawn, its capacity only
  mutable clopt::subset_sum::Amounts drawn_;  // all of an instance, once they were asked for
  std::string label_;
  std::vector<std::string> labels_;  // one for each amount, or none
};

/// The report of an answer.
class Report final : public RunReport {
 public:
  /// \param options what was asked for.
  Report(Question question, clopt::subset_sum::AmountsResult answer, clopt::subset_sum::Options options,
         std::uint64_t seed, double read_seconds = 0)
      : RunReport("subset-sum", seed),
        question_(std::move(question)),
        answer_(std::move(answer)),
        options_(std::move(options)),
        read_seconds_(read_seconds) {}

  int status() const override;
  /// Writes the chosen numbers.
  std::string write(const std::string& file) const override;
  /// The numbers, and which are chosen.
  Svg picture() const;
  Certificate certificate() const override { return certify(question_.amounts(), answer_); }
  const clopt::subset_sum::Result& result() const override { return answer_.run; }

 private:
  void add_fields(Json& object) const override;
  NamedSeconds named_seconds() const override;
  std::string answer_text() const override;
  std::string opening() const override;
  std::string value_line() const;
  std::string subset_lines() const;
  std::string note() const;
  bool has_what_was_asked() const;

  Question question_;
  clopt::subset_sum::AmountsResult answer_;
  clopt::subset_sum::Options options_;
  double read_seconds_;
};

/// Writes chosen numbers, a line each. \param has_numbers whether the first column has the number of the subset,
/// from 1. \returns why they could not be written, or an empty text.
std::string write_chosen(const std::string& file, const Question& question,
                         const std::vector<std::vector<std::size_t>>& subsets, bool has_numbers);

}  // namespace clopt::apps::subset_sum
