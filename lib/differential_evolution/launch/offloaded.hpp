/// \file
/// The host breeds, the device evaluates.
#pragma once

#include <clopt/devices.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "staged.hpp"

namespace clopt::differential_evolution {

/// The objective alone is the device's (the paper's reference 6): P, M, C and R are the host's, and each generation's
/// trials go to the device, and their values come back.
template <class Real>
class Offloaded : public MethodLauncher<Real> {
 public:
  Offloaded(Builder& builder, Buffers<Real>& buffers, std::size_t room)
      : MethodLauncher<Real>(builder, buffers),
        start_(builder),
        evaluator_(builder),
        device_values_(builder.device().template buffer<Real>("values of trials", buffers.values.size())),
        opened_(builder.device().info().launches_are_calls ? nullptr : open_device("openmp:0")),
        host_(opened_ ? *opened_ : builder.device()),
        host_queue_(host_.queue()),
        host_builder_(host_, this->plan_),
        trials_(buffers.vectors.size()),
        values_(buffers.values.size()) {
    bred_.next_vectors = host_.buffer<Real>("trials", buffers.vectors.size());
    for_each_pair([&](const auto& own, auto& bred) { this->allocate(own, bred); });
    breeder_.emplace(host_builder_, bred_, room);
    host_leader_.emplace(host_builder_);
  }

  void take(std::size_t count) override {
    MethodLauncher<Real>::take(count);
    breeder_->take(count);
    host_leader_->take(count);
  }

  void initialise(Queue& queue, std::size_t first, std::size_t end) override {
    breeder_->clear(*host_queue_);
    start_.launch(queue, this->part(first, end), this->buffers_, this->plan_, this->numbers_);
  }

  void advance(Queue& queue, std::uint32_t first, std::uint32_t last, const std::vector<std::uint32_t>&,
               bool keeps_values) override {
    auto& host = *host_queue_;
    for_each_pair([&](const auto& own, auto& bred) { move(queue, own, host, bred); });
    for (auto generation = first; generation <= last; ++generation) {
      breeder_->make_trials(host, generation, generation - first, last);
      evaluate(queue, generation);
      breeder_->replace(host, generation);
      if (this->plan_.needs_lead()) host_leader_->launch(host, bred_, this->numbers_, generation, true);
      if (!keeps_values) continue;
      move(host, bred_.values, queue, this->buffers_.values);
      this->keep_values(queue, generation - first);
    }
    for_each_pair([&](auto& own, const auto& bred) { move(host, bred, queue, own); });
  }

  std::uint64_t launches() const override { return host_queue_->counts().launches; }

 private:
  // What a generation reads and leaves.
  template <class Function>
  void for_each_pair(const Function& function) {
    auto& own = this->buffers_;
    function(own.vectors, bred_.vectors);
    function(own.values, bred_.values);
    function(own.controls, bred_.controls);
    function(own.states, bred_.states);
    function(own.order, bred_.order);
    function(own.archive, bred_.archive);
    function(own.bounds, bred_.bounds);
  }

  template <class T>
  void allocate(const Buffer<T>& own, Buffer<T>& bred) const {
    bred = host_.buffer<T>("bred on the host", own.size());
  }

  template <class T>
  static void move(Queue& from_queue, const Buffer<T>& from, Queue& to_queue, const Buffer<T>& to) {
    to_queue.write(to, std::span<const T>(from_queue.read_all(from)));
  }

  // Problems that have stopped or shrunk are the host's to say, values that are no numbers the device's.
  void evaluate(Queue& queue, std::uint32_t generation) {
    const auto& b = this->buffers_;
    const auto everyone = this->everyone();
    const auto numbers = everyone.end * this->plan_.settings.dimensions;
    auto& host = *host_queue_;
    host.read(bred_.next_vectors, trials_.part(0, numbers));
    queue.write(b.next_vectors, trials_.part(0, numbers));
    move(host, bred_.states, queue, b.states);
    evaluator_.launch(queue, everyone, b, b.next_vectors, device_values_, generation);
    queue.read(device_values_, values_.part(0, everyone.end));
    host.write(breeder_->trial_values(), values_.part(0, everyone.end));
    move(queue, b.states, host, bred_.states);
  }

  MergedStart<Real> start_;
  Evaluator<Real> evaluator_;
  Buffer<Real> device_values_;
  // A processor is its own host, with the threads that it was opened with.
  std::shared_ptr<Device> opened_;
  Device& host_;
  std::unique_ptr<Queue> host_queue_;
  Builder host_builder_;
  Buffers<Real> bred_;
  std::optional<Breeder<Real>> breeder_;
  std::optional<Leader<Real>> host_leader_;
  HostArray<Real> trials_;
  HostArray<Real> values_;
};

}  // namespace clopt::differential_evolution
