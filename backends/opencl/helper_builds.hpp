/// \file
/// Builds in helper processes, which fill the cache.
#pragma once

#include <clopt/detail/probe.hpp>
#include <clopt/device.hpp>

#include <atomic>
#include <cstddef>
#include <future>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace clopt::opencl {

class ClDevice;

/// What a program is built of, and what messages call it.
struct ProgramText {
  std::string operation;
  std::string options;
  std::string source;
};

/// A record of the cache that asks for a program, as long as the object lives.
class ProgramRecord {
 public:
  ProgramRecord(std::string name, const ProgramText& program);
  ~ProgramRecord();
  ProgramRecord(const ProgramRecord&) = delete;
  ProgramRecord& operator=(const ProgramRecord&) = delete;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// Builds a program in a process of its own: a compiler that aborts, crashes or hangs ends only that process.
/// \param label what messages call the device; \param key the program's, in the cache.
/// \returns whether the cache has it now; false where there is no cache, no such process, or an error that a build in
/// this process reports.
/// \throws DeviceError where the driver ended that process, now or, as it is remembered, before.
bool build_isolated(const DeviceInfo& info, const std::string& label, const ProgramText& program,
                    const std::string& key);

/// Builds, in the helper process, the program of a record. \throws InvalidInput where there is none.
void build_record(ClDevice& device, const std::string& name);

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

/// First builds of a GPU's programs in helper processes while this process builds them, too: NVIDIA's compiler, though
/// it serves several threads, builds little more than one program at a time in a process. The process that gets a
/// program's turn in the cache builds it for all. A process that tests the device offers its programs to the same ones.
class ParallelBuilds {
 public:
  explicit ParallelBuilds(const DeviceInfo& device);
  /// Ends the processes.
  ~ParallelBuilds();
  ParallelBuilds(const ParallelBuilds&) = delete;
  ParallelBuilds& operator=(const ParallelBuilds&) = delete;

  /// A program that helper processes may build, as long as it lives.
  class Offer {
   public:
    Offer(ParallelBuilds& all, const ProgramText& program);
    ~Offer() { all_.open_bytes_ -= bytes_; }
    Offer(const Offer&) = delete;
    Offer& operator=(const Offer&) = delete;

   private:
    ParallelBuilds& all_;
    std::size_t bytes_ = 0;
    std::optional<ProgramRecord> record_;  // none where there are no helper processes
  };

 private:
  // Starts the processes, unless they were started. They take a quarter of a second to start the driver.
  void start();

  ProbeQuestion question_;
  std::string list_;        // of this process's offers; empty where there are no helper processes
  std::string tests_list_;  // of those of the processes that test the device; empty in these
  std::atomic<unsigned> offers_{0};
  std::atomic<std::size_t> open_bytes_{0};  // of the texts that are offered
  std::stop_source stop_;
  std::mutex mutex_;
  std::vector<std::future<void>> processes_;
};

/// Builds, in a helper process, what is offered in lists, until no more offers come.
void build_offers(ClDevice& device, std::span<const std::string> lists);

}  // namespace clopt::opencl
