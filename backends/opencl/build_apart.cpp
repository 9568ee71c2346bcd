#include "build_apart.hpp"

#include "device.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/cache.hpp>
#include <clopt/detail/probe.hpp>
#include <clopt/error.hpp>
#include <support/process/resource_limits.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <vector>

namespace clopt::opencl {
namespace {

// Kinds of records in the cache.
constexpr const char* program_to_build = "program-to-build";
constexpr const char* unfinished_build = "unfinished-build";
constexpr const char* fatal_build = "fatal-build";

// Compilers of processors take seconds for each kernel, and several times as long where others take the cores.
constexpr double most_seconds = 120;

/// What is to be built, in a record that lasts as long as the object.
class Request {
 public:
  explicit Request(const ProgramText& program) {
    Cache::instance().store(program_to_build, name_, encode_program(program));
  }
  ~Request() { Cache::instance().remove(program_to_build, name_); }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  const std::string& name() const { return name_; }

 private:
  static std::string unique() {
    static std::atomic<unsigned> count{0};
    return fmt::format("{}.{}", ::getpid(), count++);
  }
  std::string name_ = unique();
};

[[noreturn]] void refuse(const std::string& label, const std::string& operation, const std::string& fault) {
  throw DeviceError(
      fmt::format("the driver of {} {} while it built {}; use another device. `clopt cache clear` lets "
                  "it be tried again",
                  label, fault, operation));
}

}  // namespace

std::string encode_program(const ProgramText& program) {
  return fmt::format("{}\n{}\n{}", program.operation, program.options, program.source);
}

ProgramText decode_program(const std::string& record) {
  const auto operation_end = record.find('\n');
  const auto options_end = record.find('\n', operation_end + 1);
  if (operation_end == record.npos || options_end == record.npos) throw InvalidInput("the program to build is damaged");
  return {record.substr(0, operation_end), record.substr(operation_end + 1, options_end - operation_end - 1),
          record.substr(options_end + 1)};
}

bool build_apart(const DeviceInfo& info, const std::string& label, const ProgramText& program, const std::string& key) {
  const auto& cache = Cache::instance();
  if (!cache.folder() || !can_ask_apart()) return false;
  if (const auto fault = cache.load(fatal_build, key + limits_of_process())) refuse(label, program.operation, *fault);
  const Activity activity(fmt::format("building {} for {} for the first time", program.operation, label));
  const Request request(program);
  const auto number = info.id.substr(info.id.find(':') + 1);
  const std::vector<ProbeQuestion> questions{
      {"opencl", {build_question, number, info.platform, info.name, request.name()}}};
  const auto answer = ask_apart(questions, most_seconds).front();
  if (answer.end != ProbeEnd::lost) return answer.end == ProbeEnd::answered;
  // What took too long on a busy machine may be quick on another day.
  if (!answer.ran_out_of_time) cache.store(fatal_build, key + limits_of_process(), answer.fault);
  refuse(label, program.operation, answer.fault);
}

void build_for_another(ClDevice& device, const std::string& record) {
  const auto text = Cache::instance().load(program_to_build, record);
  if (!text) throw InvalidInput("there is no such program to build");
  device.builder().fill_cache(decode_program(*text));
}

UnfinishedBuild::UnfinishedBuild(const std::string& key) : key_(can_ask_apart() ? key : std::string{}) {
  if (!key_.empty()) Cache::instance().store(unfinished_build, key_, "");
}

UnfinishedBuild::~UnfinishedBuild() {
  if (!key_.empty()) Cache::instance().remove(unfinished_build, key_);
}

bool UnfinishedBuild::is_known(const std::string& key) {
  return Cache::instance().load(unfinished_build, key).has_value();
}

}  // namespace clopt::opencl
