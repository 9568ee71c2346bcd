/// \file
/// Conflicts of individuals, computed on one device or on several at once.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <exchange/options.hpp>
#include "genes.hpp"

namespace clopt::exchange {

/// The tables on a device, and how its kernels are launched.
class FitnessDevice {
 public:
  /// \param group_size work-items of a work-group, as far as the device takes them; none: the size that was the fastest
  /// when the device was tuned, or the largest.
  FitnessDevice(std::shared_ptr<Device> device, const GeneTable& table, const Population& population, Method method,
                std::optional<std::uint32_t> group_size = std::nullopt);

  Device& device() const { return *device_; }
  const Buffer<Gene>& table() const { return table_; }
  const Buffer<std::uint16_t>& paths() const { return paths_; }
  const Buffer<Footprint>& footprints() const { return footprints_; }
  const Buffer<std::uint64_t>& elements() const { return elements_; }
  std::uint32_t places_an_element() const { return places_an_element_; }
  std::uint32_t row_words() const { return row_words_; }
  std::uint32_t histogram_words() const { return words_; }
  std::uint32_t group_size() const { return group_size_; }
  /// Evaluates individuals that are on the device, by links.
  void launch_links(Queue& queue, const Buffer<const std::uint32_t>& genes, const Row& row,
                    const Buffer<std::uint64_t>& fitness, std::uint32_t count) const;

 private:
  void choose_counters(const GeneTable& table);
  friend class FitnessQueue;
  std::shared_ptr<Device> device_;
  Population population_;
  Method method_;
  std::uint32_t words_ = 0;
  std::uint32_t places_an_element_ = 8;
  std::uint32_t row_words_ = 0;  ///< of the slots that share words; 0: by links alone
  std::uint32_t group_size_ = 1;
  Buffer<Gene> table_;
  Buffer<std::uint16_t> paths_;
  Buffer<Footprint> footprints_;
  Buffer<std::uint64_t> elements_;
  Kernel<operations::Links> links_;
  Kernel<operations::Partition> partition_;
  Kernel<operations::Pairs> pairs_;
  Kernel<operations::SumSlots> sum_slots_;
};

/// One of a device's queues, with room for one batch of individuals.
class FitnessQueue {
 public:
  FitnessQueue(const FitnessDevice& device, std::uint32_t batch);
  /// Room on the host for the batch's genes, individual after individual, to be filled before start().
  std::span<std::uint32_t> genes() { return host_genes_.host(); }
  /// Uploads and evaluates the first \p count individuals of genes(), without waiting.
  void start(std::uint32_t count);
  /// Evaluates the first \p count individuals that were started before, on the device alone.
  void launch(std::uint32_t count);
  /// The same, and brings the conflicts to the host.
  void start_again(std::uint32_t count);
  /// Waits for what was started. \returns the conflicts. \throws DeviceError where the device failed.
  std::span<const std::uint64_t> finish();
  /// Kernels launched.
  std::uint64_t launches() const { return queue_->counts().launches; }

 private:
  const FitnessDevice& device_;
  std::uint32_t count_ = 0;
  std::unique_ptr<Queue> queue_;
  Buffer<std::uint32_t> host_genes_, genes_, members_, ends_;
  Buffer<std::uint64_t> host_fitness_, parts_, fitness_;
  Event done_;
};

/// Writes the genes of individuals \p first to below \p end, one after the other, to \p genes.
using MakeGenes = std::function<void(std::uint32_t first, std::uint32_t end, std::uint32_t* genes)>;

/// Evaluates individuals on several devices: a host thread for each, with one or two queues used in turn; with two, one
/// batch is made and uploaded while the other is computed (section 3.6 of the paper). The result does not depend on the
/// devices. One that fails gives its batches back, and the others continue.
class FitnessTeam {
 public:
  /// \param threads of the host, which make individuals, for all devices together, one each at least; 0: a thread for
  /// each core that the process may use. \throws DeviceError where no device takes the tables.
  FitnessTeam(std::span<const std::shared_ptr<Device>> devices, const GeneTable& table, const Population& population,
              Method method, std::uint32_t most_individuals, std::uint32_t queues = 2, unsigned threads = 0);
  ~FitnessTeam();
  FitnessTeam(const FitnessTeam&) = delete;
  FitnessTeam& operator=(const FitnessTeam&) = delete;

  /// \param make is called once for each individual or, after a failure, more often, from several threads.
  /// \param fitness one for each individual. \throws DeviceError of the last device where all have failed.
  void evaluate(std::uint32_t individuals, const MakeGenes& make, std::span<std::uint64_t> fitness);
  /// Makes a whole batch in the host memory of each queue, for measurements: a later evaluate() that makes nothing
  /// sends it again.
  void fill(const MakeGenes& make);
  /// Kernels launched, on all devices.
  std::uint64_t launches() const;
  /// Devices that failed, and how.
  std::vector<std::string> failures() const;
  /// What each device has done.
  std::vector<DevicePart> parts() const;

 private:
  struct Members;
  std::unique_ptr<Members> members_;
};

}  // namespace clopt::exchange
