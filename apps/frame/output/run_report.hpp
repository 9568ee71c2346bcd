/// \file
/// The report of a solver's run, in JSON and in text: what all solvers have in common stands here.
#pragma once

#include <clopt/certificate.hpp>
#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output.hpp"
#include "runs_table.hpp"

namespace clopt::apps {

/// The fields that every solver's result begins with.
Json result_head(std::string_view solver, const std::vector<DeviceInfo>& devices, std::string_view method,
                 std::uint64_t seed);
/// Times of the solver's own within what a run's caller waited.
struct NamedSeconds {
  Json parts = Json::object();           ///< of RunSeconds::other
  std::optional<double> read{};          ///< before the run: not in the total
  Json within_compute = Json::object();  ///< of RunSeconds::compute
};
/// The field `seconds`, whose members but `total` and `read` add up to `total`.
Json seconds_json(const RunSeconds& seconds, const NamedSeconds& named = {});
/// A line for each device.
std::string device_lines(const std::vector<DeviceInfo>& devices);
/// The line of times. \param computing and \param opening what these times were spent on.
std::string time_line(const RunSeconds& seconds, std::string_view computing = "computing",
                      std::string_view opening = "opening devices");
/// "; ended by the time limit" where it was, for a line of text; else empty.
std::string time_limit_text(const RunResult& result);

/// Writes a certificate to a file of that name; without a name nothing. Where there is none, a line on standard error
/// states why. \param failures gets what went wrong, or an empty text. \returns the exit status: \p status, but
/// Status::not_reached in place of Status::done where the proof is missing.
int write_certificate(const std::string& file, const Certificate& certificate, std::string_view subcommand, int status,
                      std::vector<std::string>& failures);

/// The report of a run, or of slices that were merged. Each solver derives its own.
class RunReport {
 public:
  virtual ~RunReport() = default;
  RunReport(const RunReport&) = delete;
  RunReport& operator=(const RunReport&) = delete;

  std::vector<DeviceInfo> devices;   ///< that did the work
  RunSeconds seconds;                ///< of the whole, as its caller waited
  Json settings;                     ///< the options that the result depends on; null or empty: none
  std::vector<std::string> outputs;  ///< the files of --output
  std::optional<RunsTable> table;    ///< of several runs, of which this is the best one
  Json sweep;                        ///< its list; null: no sweep
  std::string sweep_text;            ///< its lines

  Json to_json() const;
  std::string to_text() const;
  void print(bool json) const;
  /// The exit status.
  virtual int status() const = 0;
  /// The same of several runs, each of which has to reach the target.
  int exit_status() const;
  /// Writes a file of --output. \returns what went wrong, or an empty text.
  virtual std::string write(const std::string& file) const = 0;
  /// Writes a file of --output-population. \returns the same.
  virtual std::string write_population(const std::string& file) const;
  virtual const RunResult& result() const = 0;
  /// The proof of the answer, for solvers with add_certificate_option().
  virtual Certificate certificate() const { return {{}, "the answers of this solver have no proofs"}; }

 protected:
  RunReport(std::string_view solver, std::uint64_t seed) : solver_(solver), seed_(seed) {}

  /// " ... (7 more: FILE)": where the rest of an answer is, of which the text shows the beginning; empty for none.
  std::string rest_text(std::size_t left) const;
  /// Adds the fields between the head and the times.
  virtual void add_fields(Json& object) const = 0;
  virtual NamedSeconds named_seconds() const { return {}; }
  /// The lines before those of devices.
  virtual std::string answer_text() const = 0;
  /// The lines after those of devices.
  virtual std::string work_text() const { return {}; }
  /// What time was spent on, for time_line().
  virtual std::string computing() const { return "computing"; }
  virtual std::string opening() const { return "opening the device"; }

  std::string_view solver_;
  std::uint64_t seed_;
};

}  // namespace clopt::apps
