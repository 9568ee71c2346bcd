/// \file
/// Servants of several ranks that work in step.
#pragma once

#include <clopt/error.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "mailbox.hpp"

namespace clopt::cluster {

/// A servant among those that stand in a ring. All of them call the same functions in the same order.
class Ring {
 public:
  /// \param members ranks, in the order of the ring. \param own this one's place among them.
  Ring(Mailbox& mailbox, std::vector<std::uint32_t> members, std::size_t own)
      : mailbox_(mailbox), members_(std::move(members)), own_(own) {}

  bool is_first() const { return own_ == 0; }

  /// Gives something to the next member, the last one's to the first, and takes what the one before gives.
  /// \throws Cancelled where work is to stop.
  Bytes pass_on(const Bytes& text) {
    mailbox_.send_note(at(1), text);
    return await(members_.size() - 1);
  }

  /// The values of all members, joined; all get the same. By dissemination (Hensgen, Finkel and Manber 1988): after k
  /// rounds a member has what the 2^k ones up to it have given, so that log2 of their number is enough, rounded up.
  /// \param join is commutative and associative, and joins a value with itself to that value. \throws Cancelled where
  /// work is to stop.
  template <class Value, class Join>
  Value agree(Value value, const Join& join) {
    for (std::size_t distance = 1; distance < members_.size(); distance *= 2) {
      mailbox_.send_note(at(distance), Writer().add(value).take());
      const auto text = await(members_.size() - distance);
      value = join(value, Reader(text).take<Value>());
    }
    return value;
  }

 private:
  std::uint32_t at(std::size_t distance) const { return members_[(own_ + distance) % members_.size()]; }

  Bytes await(std::size_t distance) {
    auto text = mailbox_.await_note(at(distance));
    if (!text) throw Cancelled("the job has ended");
    return std::move(*text);
  }

  Mailbox& mailbox_;
  std::vector<std::uint32_t> members_;
  std::size_t own_;
};

}  // namespace clopt::cluster
