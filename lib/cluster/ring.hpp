/// \file
/// Servants of several ranks that work in step.
#pragma once

#include <clopt/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
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
  std::size_t place() const { return own_; }
  std::size_t size() const { return members_.size(); }

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

  /// The texts of all members, in their order; each may be as long as memory allows. In as many rounds as agree(), each
  /// of which brings a member what another one has by then (Bruck, Ho, Kipnis, Upfal and Weathersby 1997). \throws
  /// Cancelled where work is to stop.
  std::vector<Bytes> gather(Bytes own) {
    const auto count = members_.size();
    // That of the member so many places before this one.
    std::vector<Bytes> texts;
    texts.push_back(std::move(own));
    for (std::size_t distance = 1; distance < count; distance *= 2) {
      const auto passed = std::min(distance, count - distance);
      for (std::size_t back = 0; back < passed; ++back) send(distance, texts[back]);
      for (std::size_t back = 0; back < passed; ++back) texts.push_back(receive(count - distance));
    }
    std::vector<Bytes> ordered(count);
    for (std::size_t back = 0; back < count; ++back) ordered[(own_ + count - back) % count] = std::move(texts[back]);
    return ordered;
  }

 private:
  // Of a text, what one message has at most.
  static constexpr std::size_t longest_part = std::size_t{1} << 28;

  void send(std::size_t distance, std::span<const std::byte> text) {
    do {
      const auto part = text.first(std::min(text.size(), longest_part));
      text = text.subspan(part.size());
      // Whether it is the last part.
      Bytes message{std::byte{text.empty()}};
      message.insert(message.end(), part.begin(), part.end());
      mailbox_.send_note(at(distance), message);
    } while (!text.empty());
  }

  Bytes receive(std::size_t distance) {
    Bytes text;
    for (bool is_last = false; !is_last;) {
      const auto part = await(distance);
      if (part.empty()) throw InternalError("a message of another rank is cut");
      is_last = part.front() != std::byte{};
      text.insert(text.end(), part.begin() + 1, part.end());
    }
    return text;
  }

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
