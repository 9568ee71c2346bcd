/// \file
/// The report of a problem, its bound and a schedule.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <frame/output/run_report.hpp>
#include "topology.hpp"

namespace clopt::apps::exchange {

/// The report of a schedule.
class Report final : public RunReport {
 public:
  Report(const clopt::exchange::Problem& problem, clopt::exchange::Result result, const Faults& faults,
         std::uint64_t seed, double read_seconds = 0)
      : RunReport("exchange", seed),
        problem_(problem),
        result_(std::move(result)),
        faults_(faults),
        read_seconds_(read_seconds) {}

  int status() const override;
  std::string write(const std::string& file) const override;
  Certificate certificate() const override { return certify(problem_, result_); }
  const clopt::exchange::Result& result() const override { return result_; }

 private:
  void add_fields(Json& object) const override;
  NamedSeconds named_seconds() const override;
  std::string answer_text() const override;
  std::string work_text() const override;
  std::string computing() const override;
  std::string opening() const override { return "opening devices"; }

  clopt::exchange::Problem problem_;
  clopt::exchange::Result result_;
  Faults faults_;
  double read_seconds_;
};

/// Adds the fields of a problem and its bound.
void add_problem(Json& object, const clopt::exchange::Problem& problem, const clopt::exchange::Bound& bound);
std::string bound_text(const clopt::exchange::Bound& bound);

/// What files called .json hold.
enum class JsonForm : std::uint8_t { schedule, mscclpp };

/// Writes a schedule, or a topology, as the name of the file says. \returns what went wrong, or an empty text.
std::string write_output(const std::string& file, const clopt::exchange::Problem& problem,
                         const clopt::exchange::Schedule& schedule, const Faults& faults, std::uint64_t seed,
                         JsonForm form = JsonForm::schedule);
/// Prints which limits of its readers a schedule as .xml, or as a plan, passes.
void report_limits(const std::string& file, const clopt::exchange::Problem& problem,
                   const clopt::exchange::Schedule& schedule, JsonForm form = JsonForm::schedule);
/// Refuses files whose names do not say what to write. \throws InvalidInput.
void check_outputs(const std::vector<std::string>& files);

/// What slices keep of a run.
Json facts_of(const clopt::exchange::Problem& problem, const Faults& faults, std::uint64_t seed);

}  // namespace clopt::apps::exchange
