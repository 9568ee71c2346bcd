/// \file
/// Blocks of rows on a device: a place of a team's.
#pragma once

#include <shared/fit/fit.h>
#include <clopt/fit.hpp>
#include <group/batch_team.hpp>
#include <run/pacing.hpp>
#include <support/stopwatch.hpp>
#include <support/threads/kept_team.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "kernels.hpp"
#include "quick_build.hpp"

namespace clopt::fit {

/// Of a launch. On the host the last rows of each leave lanes of vectors without a row.
inline double seconds_of_launch(const Device& device) { return device.info().launches_are_calls ? 0.25 : 0.05; }

/// Whole groups for a number of work-items, see kernels_cl/fit.
template <class Kernel>
Range range_of(const Kernel& kernel, std::uint32_t count) {
  const auto size = std::min(std::uint32_t{FIT_TILE_SECTIONS}, kernel.max_group_size());
  return Range::of_groups((count + size - 1) / size, size);
}

/// What all devices of a run share.
struct Rows {
  const Plan& plan;
  const WorkRange range;
  const std::size_t block;  ///< rows of one, at most
  const Watch& watch;
  Result& result;
  std::atomic<std::uint64_t> fitted = 0;  ///< rows, some of which a device that failed may take along
  std::atomic<std::uint64_t> done = 0;    ///< rows whose results are there
  std::atomic<std::uint64_t> launches = 0;
  std::atomic<bool> is_cut = false;  ///< a limit was reached
  Stopwatch working{};               ///< since the first one began

  double share_fitted() const { return std::min(1.0, static_cast<double>(fitted) / static_cast<double>(range.count)); }
  void report() const { watch.report("fits", share_fitted()); }
};

/// A device with its kernels.
template <class Real>
struct Fitter : Kernels<Real> {
  /// \param own threads that prepare its rows; null: those of the plan. \param is_of_caller whether its thread is that
  /// which called the solver.
  Fitter(const Rows& rows, std::shared_ptr<Device> on, KeptTeam own, bool is_of_caller);
  /// Where kernels are quick builds: has optimised code compiled beside the run once what is left of it repays that,
  /// and takes it when it is there. Results do not change. \param seconds_left about as many, with the kernels that
  /// there are.
  void improve(double seconds_left);

  std::shared_ptr<Device> device;
  Buffer<Real> tables;
  const KeptTeam own_threads;
  ThreadTeam& threads;
  const bool reports;
  Pacing pace;  ///< rows of a launch

 private:
  const Specialisation optimised_;
  std::shared_ptr<HostCode> code_;  ///< null where there is nothing to improve any more
};

/// Room for a block of rows.
template <class Real>
class Block : public group::BatchPlace {
 public:
  /// \param is_ahead whether a launch begins with the block, while the host prepares or ends another one.
  Block(Rows& rows, std::shared_ptr<Fitter<Real>> fitter, bool is_ahead);
  ~Block() override;
  void begin(const group::Batch& batch) override;
  void finish(const group::Batch& batch) override;

 protected:
  /// A buffer, and the host's side of its transfers, which is itself where the device is the host.
  template <class T>
  struct Transferred {
    Buffer<T> buffer;
    HostArray<T> host;
    bool is_apart;
  };
  /// Numbers of each parameter, for all rows or each.
  struct OfParameters {
    Transferred<Real> numbers;
    bool own;
  };

  template <class T>
  Transferred<T> transferred(const char* name, std::size_t count) const;
  OfParameters of_parameters(const char* name, bool own) const;
  template <class T>
  void upload(const Transferred<T>& to);
  template <class T>
  void download(const Transferred<T>& from);
  /// Writes what rows `first + begin` to before `first + end` begin with, and what is for all where `begin` is 0.
  void write_parameters(std::size_t first, std::size_t begin, std::size_t end);
  void write(const OfParameters& to, const SharedNumbers& numbers, std::size_t first, std::size_t begin,
             std::size_t end, double otherwise);
  void write_data(std::size_t first, std::size_t begin, std::size_t end);
  virtual void write_rows(std::size_t first, std::size_t count);
  /// Fits what is left of the block, by launches that are short, and waits for it.
  virtual void fit_rest();
  void note_fitted(std::uint64_t count);
  void launch(std::uint64_t count);
  void download_results();
  void set_rows(std::size_t first);
  void set_row(std::size_t row, std::size_t place);
  std::size_t fixed_parameters(std::size_t row) const;

  Rows& rows_;
  const Problem& problem_;
  const std::shared_ptr<Fitter<Real>> fitter_;
  const bool is_ahead_;
  const Objective::RowParts parts_;
  const std::unique_ptr<Queue> queue_;
  const std::size_t stride_;
  std::optional<std::size_t>
      fixed_of_all_;  // parameters of each row that are fixed, where rows have no bounds of their own
  shared::fit_rows_settings settings_{};
  std::uint64_t count_ = 0;       // rows of the block
  std::uint64_t launched_ = 0;    // of them
  std::uint64_t unfinished_ = 0;  // of these, with the best so far
  bool reads_ = false;            // whether results of all rows follow the launch
  Transferred<Real> data_;
  OfParameters guess_;
  OfParameters lower_;
  OfParameters upper_;
  Transferred<Real> parameters_;
  Transferred<Real> values_;
  Transferred<Real> errors_;
  Transferred<std::uint32_t> states_;
};

template <class Real>
template <class T>
typename Block<Real>::template Transferred<T> Block<Real>::transferred(const char* name, std::size_t count) const {
  Device& device = *fitter_->device;
  const bool is_apart = !device.info().launches_are_calls;
  const auto kind = is_apart ? MemoryKind::device : MemoryKind::host_visible;
  auto buffer = device.buffer<T>(name, count, kind);
  if (!is_apart) return {buffer, HostArray<T>(buffer), is_apart};
  // Of a transfer that is worth memory which the device reads by itself.
  constexpr std::size_t least_bytes = std::size_t{1} << 17;
  if (count * sizeof(T) < least_bytes) return {buffer, HostArray<T>(count), is_apart};
  return {buffer, HostArray<T>(device.buffer<T>(name, count, MemoryKind::host_visible)), is_apart};
}

template <class Real>
template <class T>
void Block<Real>::upload(const Transferred<T>& to) {
  if (to.is_apart) queue_->write_later(to.buffer, to.host);
}

template <class Real>
template <class T>
void Block<Real>::download(const Transferred<T>& from) {
  if (from.is_apart) queue_->read_later(from.buffer, from.host);
}

}  // namespace clopt::fit
