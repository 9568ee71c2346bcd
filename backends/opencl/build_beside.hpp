/// \file
/// First builds of a GPU's programs in processes beside this one: NVIDIA's compiler, though it serves several threads,
/// builds little more than one program at a time in a process.
#pragma once

#include <clopt/device.hpp>

#include <atomic>
#include <cstddef>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::opencl {

class ClDevice;
struct ProgramText;

/// The question's first word; the device's number, platform and name, and the lists of offers follow.
inline constexpr const char* build_beside_question = "build-beside";

/// Offers programs to other processes while this one builds them, too: the process that gets a program's turn in the
/// cache builds it for all. A process that tests the device offers its programs to the same ones.
class BuildsBeside {
 public:
  explicit BuildsBeside(const DeviceInfo& device);
  /// Ends the processes.
  ~BuildsBeside();
  BuildsBeside(const BuildsBeside&) = delete;
  BuildsBeside& operator=(const BuildsBeside&) = delete;

  /// A program that others may build, as long as it lives.
  class Offer {
   public:
    Offer(BuildsBeside& all, const ProgramText& program);
    ~Offer();
    Offer(const Offer&) = delete;
    Offer& operator=(const Offer&) = delete;

   private:
    BuildsBeside& all_;
    std::size_t bytes_;
    std::string name_;  // of the record; empty where nothing is offered
  };

 private:
  // Starts the processes, unless they were started. They take a quarter of a second to start the driver.
  void start();

  std::string device_question_[3];  // number, platform and name
  std::string list_;                // of this process's offers; empty where there is no other process
  std::string tests_list_;          // of those of the processes that test the device; empty in these
  std::atomic<unsigned> offers_{0};
  std::atomic<std::size_t> open_bytes_{0};  // of the texts that are offered
  std::stop_source stop_;
  std::mutex mutex_;
  std::vector<std::future<void>> processes_;
};

/// The other side: builds what is offered in lists, until nothing more comes.
void build_beside(ClDevice& device, std::span<const std::string> names);

}  // namespace clopt::opencl
