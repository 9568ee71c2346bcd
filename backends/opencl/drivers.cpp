#include "drivers.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/cache.hpp>
#include <clopt/detail/probe.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>
#include <support/files/temporary_folder.hpp>
#include <support/process/environment.hpp>
#include <support/process/log.hpp>
#include <support/process/resource_limits.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace clopt::opencl {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual_vendors = "/etc/OpenCL/vendors";
constexpr std::string_view driver_kind = "driver";
constexpr std::string_view usable = "usable";
// A driver of many GPUs takes some seconds where no other process keeps them awake.
constexpr double most_looking_seconds = 8;

// The library's name is the file's first line.
std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.pop_back();
  return line;
}

// The folder of a library that is loaded already: others of the system lie beside it.
fs::path folder_of(const void* symbol) {
  Dl_info info{};
  return dladdr(symbol, &info) != 0 && info.dli_fname ? fs::path(info.dli_fname).parent_path() : fs::path();
}

// Where the dynamic linker would find a library; empty where it is in none of the usual places.
fs::path find_library(const std::string& name) {
  if (name.find('/') != name.npos) return name;
  auto folders = environment::linker_path();
  for (const auto& folder :
       {folder_of(reinterpret_cast<const void*>(&gnu_get_libc_version)), fs::path("/usr/local/lib"),
        fs::path("/usr/lib"), fs::path("/lib64"), fs::path("/usr/lib64")})
    folders.push_back(folder);
  for (const auto& folder : folders) {
    std::error_code error;
    if (fs::exists(folder / name, error)) return folder / name;
  }
  return {};
}

// Distinguishes the versions of a file.
std::string state_of(const fs::path& file) {
  struct stat found {};
  if (file.empty() || ::stat(file.c_str(), &found) != 0) return "not found";
  std::error_code error;
  return fmt::format("{} {} {}.{:09}", fs::canonical(file, error).string(), found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

Driver make_driver(const fs::path& icd, const std::string& library) {
  return {icd, library,
          fmt::format("{}\n{}\n{}\nclopt {}\n", icd.string(), library, state_of(find_library(library)), version())};
}

std::vector<fs::path> icd_files() {
  const auto variable = environment::opencl_vendors();
  const fs::path place = variable.empty() ? usual_vendors : variable;
  if (place.extension() == ".icd") return {place};
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator item(place, error), end; !error && item != end; item.increment(error))
    if (item->path().extension() == ".icd") files.push_back(item->path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Driver> find_drivers() {
  std::vector<Driver> drivers;
  for (const auto& file : icd_files())
    if (const auto library = first_line(file); !library.empty()) drivers.push_back(make_driver(file, library));
  const auto names = environment::opencl_filenames();
  for (std::size_t begin = 0; begin < names.size();) {
    const auto end = std::min(names.find(':', begin), names.size());
    const auto name = names.substr(begin, end - begin);
    const bool is_known = std::any_of(drivers.begin(), drivers.end(), [&](const Driver& driver) {
      return fs::path(driver.library).filename() == fs::path(name).filename();
    });
    if (!name.empty() && !is_known) drivers.push_back(make_driver({}, name));
    begin = end + 1;
  }
  return drivers;
}

// A new folder with some .icd files; it has no path where there is no place for one.
TemporaryFolder make_folder(const std::vector<Driver>& drivers) {
  TemporaryFolder folder("vendors");
  if (!folder.path().empty())
    for (const auto& driver : drivers)
      if (!driver.icd.empty()) std::ofstream(folder.path() / driver.icd.filename()) << driver.library << '\n';
  return folder;
}

std::string filenames_of(const std::vector<Driver>& drivers) {
  std::string names;
  for (const auto& driver : drivers)
    if (driver.icd.empty()) names += (names.empty() ? "" : ":") + driver.library;
  return names;
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

void set_variable(const char* name, const std::optional<std::string>& value) {
  if (value)
    ::setenv(name, value->c_str(), 1);
  else
    ::unsetenv(name);
}

// The question that loads drivers and examines them. \param folder for their .icd files.
ProbeQuestion question_of(const std::vector<Driver>& drivers, const fs::path& folder) {
  // Without a folder, the loader that takes a file gets the file.
  const auto vendors = folder.empty() ? drivers.front().icd.string() : folder.string();
  return {
      "opencl", {look_question}, {{"OCL_ICD_VENDORS", vendors}, {"OCL_ICD_FILENAMES", filenames_of(drivers)}}, true};
}

// What is remembered of drivers: `usable`, what is wrong, or nothing.
std::optional<std::string> remembered(const std::string& identity) {
  auto outcome = Cache::instance().load(driver_kind, identity);
  return outcome ? outcome : Cache::instance().load(driver_kind, identity + limits_of_process());
}

// Why drivers that were looked at cannot be used; nothing where they can. What is certain is remembered.
std::string judge(const std::string& identity, const ProbeAnswer& answer) {
  switch (answer.end) {
    case ProbeEnd::not_started: return {};  // it is loaded as ever
    case ProbeEnd::lost:
      Cache::instance().store(driver_kind, identity + limits_of_process(), answer.fault);
      return answer.fault;
    case ProbeEnd::failed: return answer.fault;
    case ProbeEnd::answered: break;
  }
  if (answer.text != "0") {
    Cache::instance().store(driver_kind, identity, usable);
    return {};
  }
  // A driver may lack its hardware today, and have it tomorrow.
  const auto printed = printable(answer.printed, 200);
  return "offers no platform" + (printed.empty() ? "" : fmt::format("; it printed '{}'", printed));
}

}  // namespace

std::string number_of(const DeviceInfo& info) { return info.id.substr(info.id.find(':') + 1); }

ProbeQuestion question_about(const DeviceInfo& info, const char* question, const std::vector<std::string>& more) {
  ProbeQuestion result{"opencl", {question, number_of(info), info.platform, info.name}};
  result.words.insert(result.words.end(), more.begin(), more.end());
  return result;
}

std::string Driver::label() const {
  return icd.empty() ? library : fmt::format("{} ({})", icd.filename().string(), library);
}

std::string Driver::name() const { return icd.empty() ? library : icd.string(); }

Drivers::Drivers(std::vector<Unavailable>& left_out) : usable_(find_drivers()) {
  std::vector<Driver> unknown;
  std::vector<std::string> names_left_out = environment::drivers_left_out();
  if (std::erase_if(usable_, [&](const Driver& driver) {
        return std::find(names_left_out.begin(), names_left_out.end(), driver.name()) != names_left_out.end();
      }) != 0)
    some_are_left_out_ = true;
  const auto leave_out = [&](const Driver& driver, const std::string& reason) {
    left_out.push_back({"opencl", fmt::format("{} {}", driver.label(), reason)});
    some_are_left_out_ = true;
    names_left_out.push_back(driver.name());
  };
  std::vector<Driver> known;
  for (const auto& driver : usable_) {
    const auto outcome = remembered(driver.identity);
    if (!outcome)
      unknown.push_back(driver);
    else if (*outcome == usable)
      known.push_back(driver);
    else
      leave_out(driver, fmt::format("{} (remembered until the driver changes, or `clopt cache clear`)", *outcome));
  }
  usable_ = std::move(known);
  if (!can_ask_apart()) {
    usable_.insert(usable_.end(), unknown.begin(), unknown.end());
    unknown.clear();
  }
  if (!unknown.empty()) look(unknown, leave_out);
  if (can_ask_apart()) leave_out_conflicting(leave_out);
  // Processes that answer later questions must not ask those that are left out.
  std::string names;
  for (const auto& name : names_left_out) names += (names.empty() ? "" : ":") + name;
  if (!names.empty()) set_probe_variable("CLOPT_LEFT_OUT", names);
}

void Drivers::look(const std::vector<Driver>& unknown,
                   const std::function<void(const Driver& driver, const std::string& reason)>& leave_out) {
  const Activity activity(fmt::format("examining OpenCL drivers for the first time: {}", unknown.front().label()));
  std::vector<ProbeQuestion> questions;
  std::vector<TemporaryFolder> folders;
  for (const auto& driver : unknown) {
    const auto& folder = folders.emplace_back(make_folder({driver})).path();
    questions.push_back(question_of({driver}, folder));
  }
  const auto answers = ask_apart(questions, most_looking_seconds);
  folders.clear();
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    started_.push_back(answers[i].process);
    if (const auto reason = judge(unknown[i].identity, answers[i]); reason.empty())
      usable_.push_back(unknown[i]);
    else
      leave_out(unknown[i], reason);
  }
}

std::string Drivers::conflict_of(const std::vector<Driver>& drivers) {
  if (drivers.size() < 2) return {};
  std::string identity;
  for (const auto& driver : drivers) identity += driver.identity;
  if (const auto outcome = remembered(identity)) return *outcome == usable ? "" : *outcome;
  const auto folder = make_folder(drivers);
  // Without one, they cannot be loaded by themselves.
  if (folder.path().empty()) return {};
  const Activity activity(fmt::format("examining {} OpenCL drivers together for the first time", drivers.size()));
  const auto question = question_of(drivers, folder.path());
  const auto answer = ask_apart(std::span(&question, 1), most_looking_seconds).front();
  started_.push_back(answer.process);
  return judge(identity, answer);
}

void Drivers::leave_out_conflicting(
    const std::function<void(const Driver& driver, const std::string& reason)>& leave_out) {
  if (conflict_of(usable_).empty()) return;
  std::vector<Driver> kept;
  for (auto& driver : std::exchange(usable_, {})) {
    kept.push_back(driver);
    const auto conflict = conflict_of(kept);
    if (conflict.empty()) continue;
    kept.pop_back();
    std::string others;
    for (const auto& other : kept) others += (others.empty() ? "" : ", ") + other.label();
    leave_out(driver, fmt::format("{} where {} is loaded too", conflict, others));
  }
  usable_ = std::move(kept);
}

Drivers::Restriction::Restriction(const Drivers& drivers) {
  if (!drivers.some_are_left_out_) return;
  folder_.emplace(make_folder(drivers.usable_));
  if (folder_->path().empty())
    throw NoDevice(
        "some OpenCL drivers must be left out, and the temporary folder takes no files: set TMPDIR to a "
        "folder that may be written");
  vendors_ = variable("OCL_ICD_VENDORS");
  filenames_ = variable("OCL_ICD_FILENAMES");
  set_variable("OCL_ICD_VENDORS", folder_->path().string());
  if (filenames_) set_variable("OCL_ICD_FILENAMES", filenames_of(drivers.usable_));
}

Drivers::Restriction::~Restriction() {
  if (!folder_) return;
  set_variable("OCL_ICD_VENDORS", vendors_);
  set_variable("OCL_ICD_FILENAMES", filenames_);
}

}  // namespace clopt::opencl
