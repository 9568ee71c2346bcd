/// \file
/// The drivers that the OpenCL loader would load, each looked at in a process of its own before it is loaded here.
#pragma once

#include <clopt/backend.hpp>
#include <clopt/detail/probe.hpp>
#include <support/files/temporary_folder.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clopt::opencl {

/// First words of the questions that this backend asks in a process of its own. All but the first are about a device,
/// whose number, platform and name follow.
inline constexpr const char* look_question = "look";  ///< at all platforms; answers with how many there are
inline constexpr const char* subgroups_question = "subgroups";
inline constexpr const char* build_question = "build";                ///< the name of a record follows
inline constexpr const char* build_offers_question = "build-offers";  ///< the names of lists follow

/// The number of a device in its backend, as text.
std::string number_of(const DeviceInfo& info);
/// A question about a device. \param more words.
ProbeQuestion question_about(const DeviceInfo& info, const char* question, const std::vector<std::string>& more = {});

/// A driver as the loader finds it.
struct Driver {
  std::filesystem::path icd;  ///< the .icd file; empty where the environment's OCL_ICD_FILENAMES names the library
  std::string library;        ///< what the file says: a path, or a name that the dynamic linker looks for
  std::string identity;       ///< changes with the file and the library

  /// "pocl.icd (libpocl.so.2)", for messages.
  std::string label() const;
  /// The file, or the library where there is none.
  std::string name() const;
};

/// Finds out which drivers can be loaded. Those that were looked at before are known until they change.
class Drivers {
 public:
  /// Examines unknown drivers, all at once. \param left_out receives those that cannot be used, and why.
  explicit Drivers(std::vector<Unavailable>& left_out);

  /// While it lives, the environment names the usable drivers only: the loader reads it once, with its first call.
  /// Without effect where all are usable.
  class Restriction {
   public:
    explicit Restriction(const Drivers& drivers);
    ~Restriction();
    Restriction(const Restriction&) = delete;
    Restriction& operator=(const Restriction&) = delete;

   private:
    std::optional<TemporaryFolder> folder_;  // of the usable .icd files; none where all are usable
    std::optional<std::string> vendors_;
    std::optional<std::string> filenames_;
  };

 private:
  void look(const std::vector<Driver>& unknown,
            const std::function<void(const Driver& driver, const std::string& reason)>& leave_out);
  /// Drivers that pass alone may fail together, as two that bring the same LLVM: of these, the first ones are kept.
  void leave_out_conflicting(const std::function<void(const Driver& driver, const std::string& reason)>& leave_out);
  /// What goes wrong where drivers are loaded together; empty where nothing does.
  std::string conflict_of(const std::vector<Driver>& drivers);

  std::vector<Driver> usable_;
  std::vector<std::shared_ptr<void>> started_;  // processes that have them started, while they are loaded here
  bool some_are_left_out_ = false;
};

}  // namespace clopt::opencl
