/// \file
/// First builds in a process of its own, which fills the cache: a compiler that aborts, crashes or hangs ends that.
#pragma once

#include <clopt/device.hpp>

#include <span>
#include <string>

namespace clopt::opencl {

class ClDevice;

/// The question's first word; the device's number, platform and name, and the record of the program follow.
inline constexpr const char* build_question = "build";

/// What a program is built of, and what messages call it.
struct ProgramText {
  std::string operation;
  std::string options;
  std::string source;
};
/// As a record of the cache, and back. \throws InvalidInput where it is none.
std::string encode_program(const ProgramText& program);
ProgramText decode_program(const std::string& record);

/// Has a program built by a process of its own.
/// \param label what messages call the device; \param key the program's, in the cache.
/// \returns whether the cache has it now; false where there is no cache, no such process, or an error that a build here
/// will report.
/// \throws DeviceError where the driver ended that process, now or, as it is remembered, before.
bool build_apart(const DeviceInfo& info, const std::string& label, const ProgramText& program, const std::string& key);

/// The other side: builds the program of a record.
void build_for_another(ClDevice& device, const std::string& record);

/// Marks a program while this process builds it. A mark that is found later is of a process that the build has ended.
class UnfinishedBuild {
 public:
  explicit UnfinishedBuild(const std::string& key);
  ~UnfinishedBuild();
  UnfinishedBuild(const UnfinishedBuild&) = delete;
  UnfinishedBuild& operator=(const UnfinishedBuild&) = delete;
  static bool is_known(const std::string& key);

 private:
  std::string key_;
};

}  // namespace clopt::opencl
