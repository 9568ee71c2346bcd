/// \file
/// `clopt validate`: the same work on every device, and one checksum demanded.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include <frame/options/common_options.hpp>
#include <frame/run/interruption.hpp>
#include "subcommand.hpp"

namespace clopt::apps::validate {
namespace {

/// A device with the threads that it is to use.
struct Runner {
  std::shared_ptr<Device> device;
  unsigned threads = 0;  ///< 0: the default

  const std::string& id() const { return device->info().id; }
};

/// What a case gave on all devices.
struct CaseReport {
  std::string name;
  std::map<std::string, std::uint64_t> checksums;  ///< by the device's id
  std::map<std::string, std::string> errors;       ///< by the device's id
  std::map<std::string, std::string> skipped;      ///< by the device's id: what it lacks
  bool agree = true;
};

class Validation {
 public:
  explicit Validation(const CommonOptions& common) : common_(common) { control_.stop = work_.stop(); }

  void open_devices() {
    auto texts = common_.devices;
    if (texts.empty()) texts = {"all"};
    for (const auto& info : find_devices(texts)) {
      try {
        add({open_listed_device(info, common_.device), common_.device.threads});
        // Where threads are ours to choose, no number of them may change a result.
        if (info.backend == "openmp" && common_.device.threads == 0)
          for (const unsigned threads : {1U, 2U}) {
            auto options = common_.device;
            options.threads = threads;
            add({open_listed_device(info, options), threads});
          }
      } catch (const Error& error) {
        const std::lock_guard lock(mutex_);
        errors_[info.id] = error.what();
      }
    }
    host_ = open_device("openmp:0", common_.device);
  }

  /// Runs the cases until the end, or until it is stopped.
  void run(const std::vector<ValidationCase>& cases) {
    for (const auto& each : cases) {
      auto report = run(each);
      if (control_.stop.stop_requested()) return;
      if (common_.shows_progress()) print_report(report);
      const std::lock_guard lock(mutex_);
      reports_.push_back(std::move(report));
    }
    const std::lock_guard lock(mutex_);
    complete_ = true;
  }

  bool was_stopped() const { return control_.stop.stop_requested(); }

  bool agree() const {
    return complete_ && errors_.empty() && !reports_.empty() &&
           std::all_of(reports_.begin(), reports_.end(), [](const CaseReport& report) { return report.agree; });
  }

  void print_result() {
    work_.end();
    print_so_far();
  }

 private:
  // On any thread.
  void print_so_far() const {
    const std::lock_guard lock(mutex_);
    if (common_.json)
      print_json(to_json());
    else
      print(summary());
  }

  Json to_json() const {
    Json object;
    object["device"] = Json::array();
    for (const auto& runner : runners_)
      if (runner.threads == common_.device.threads) object["device"].push_back(device_json(runner.device->info()));
    object["cases"] = Json::array();
    for (const auto& report : reports_) {
      Json checksums = Json::object();
      for (const auto& [id, checksum] : report.checksums) checksums[id] = hexadecimal(checksum);
      Json entry{{"case", report.name}, {"checksums", std::move(checksums)}, {"agree", report.agree}};
      if (!report.errors.empty()) entry["errors"] = report.errors;
      if (!report.skipped.empty()) entry["skipped"] = report.skipped;
      object["cases"].push_back(std::move(entry));
    }
    if (!errors_.empty()) object["errors"] = errors_;
    object["agree"] = agree();
    object["version"] = version();
    return object;
  }

  std::string summary() const {
    const auto good =
        std::count_if(reports_.begin(), reports_.end(), [](const CaseReport& each) { return each.agree; });
    std::string text;
    for (const auto& [id, error] : errors_) text += fmt::format("{}: {}\n", id, error);
    return text + fmt::format("{} of {} cases agree{}{}\n", good, reports_.size(),
                              errors_.empty() ? "" : fmt::format("; {} devices failed", errors_.size()),
                              complete_ ? "" : "; interrupted before the end");
  }

  void add(Runner runner) {
    const std::lock_guard lock(mutex_);
    runners_.push_back(std::move(runner));
  }

  CaseReport run(const ValidationCase& each) const {
    CaseReport report{each.name, {}, {}, {}, true};
    std::optional<std::uint64_t> expected;
    const auto runners = each.uses_device ? runners_ : std::vector<Runner>{{host_, common_.device.threads}};
    for (const auto& runner : runners) {
      const auto fail = [&](const std::string& what) {
        report.agree = false;
        report.errors.try_emplace(
            runner.id(), runner.threads == 0 ? what : fmt::format("with --threads {}: {}", runner.threads, what));
      };
      try {
        const auto outcome = each.run(*runner.device, control_);
        if (!outcome.skipped.empty()) {
          report.skipped.try_emplace(runner.id(), outcome.skipped);
          continue;
        }
        report.checksums.try_emplace(runner.id(), outcome.checksum);
        if (!outcome.wrong.empty()) fail(outcome.wrong);
        if (!expected) expected = outcome.checksum;
        if (outcome.checksum != *expected)
          fail(fmt::format("the checksum is {}, and the first device's is {}", hexadecimal(outcome.checksum),
                           hexadecimal(*expected)));
      } catch (const std::exception& error) {
        fail(error.what());
      }
    }
    return report;
  }

  static void print_report(const CaseReport& report) {
    std::string text = fmt::format("{:<4} {:<44}", report.agree ? "ok" : "FAIL", report.name);
    for (const auto& [id, checksum] : report.checksums) text += fmt::format("  {} {}", id, hexadecimal(checksum));
    for (const auto& [id, lack] : report.skipped) text += fmt::format("  {} skipped: {}", id, lack);
    for (const auto& [id, error] : report.errors) text += fmt::format("\n     {}: {}", id, error);
    print(text + "\n");
  }

  const CommonOptions& common_;
  RunControl control_;
  std::shared_ptr<Device> host_;
  mutable std::mutex mutex_;  // of what follows, which this object's thread alone changes
  std::vector<Runner> runners_;
  std::map<std::string, std::string> errors_;  ///< of devices that do not open
  std::vector<CaseReport> reports_;
  bool complete_ = false;
  ReportingWork work_{[this] { print_so_far(); }};
};

std::vector<ValidationCase> cases_of(const std::optional<std::string>& solver, bool with_long_ones) {
  std::vector<ValidationCase> cases;
  std::vector<std::string> names;
  for (const auto& each : solvers()) {
    names.emplace_back(each.name);
    if (solver && *solver != each.name) continue;
    auto more = each.cases(with_long_ones);
    cases.insert(cases.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  if (solver && std::find(names.begin(), names.end(), *solver) == names.end())
    throw InvalidInput(
        fmt::format("there is no solver '{}'; the nearest is {}", printable(*solver), nearest(*solver, names)));
  return cases;
}

}  // namespace

int run(const Arguments& arguments) {
  OptionParser parser("validate", "[OPTION...]",
                      "Runs every method of every solver on every device, compares the results' checksums, and checks "
                      "known answers. Methods that the host does alone run on openmp:0 only.");
  parser.example("--solver subset-sum")
      .example("--device all")
      .value("solver", "NAME", "only this solver")
      .choices(solver_names())
      .switch_("long", "larger instances too");
  add_device_options(parser);
  parser.switch_("json", "print one JSON object").switch_("quiet", "print no line for each case");
  const auto options = parser.parse(arguments);
  if (!options) return Status::done;
  const auto common = read_common_options(*options);
  const auto cases = cases_of(full_name(options->text("solver")), options->is_set("long"));

  Validation validation(common);
  validation.open_devices();
  validation.run(cases);
  validation.print_result();
  if (validation.was_stopped()) return Status::interrupted;
  return validation.agree() ? Status::done : Status::not_reached;
}

}  // namespace clopt::apps::validate
