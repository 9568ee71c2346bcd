/// \file
/// Workers of several ranks that work in step.
#pragma once

#include <clopt/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mailbox.hpp"

namespace clopt::group {

/// A worker among those that stand in a ring. All of them call the same functions in the same order.
class Ring {
 public:
  /// \param members ranks, in the order of the ring. \param own this one's place among them.
  Ring(Mailbox& mailbox, std::vector<std::uint32_t> members, std::size_t own)
      : mailbox_(mailbox), members_(std::move(members)), own_(own) {}

  std::size_t place() const { return own_; }

  /// Gives something to the next member, the last one's to the first, and takes what the one before gives.
  /// \throws Cancelled where work is to stop.
  Bytes pass_on(const Bytes& text) {
    send(1, Call::pass_on, text);
    return receive(members_.size() - 1, Call::pass_on);
  }

  /// The values of all members, joined; all get the same. By dissemination (Hensgen, Finkel and Manber 1988): after k
  /// rounds a member has what the 2^k ones up to it have given, so that log2 of their number is enough, rounded up.
  /// \param join is commutative and associative, and joins a value with itself to that value. \throws Cancelled where
  /// work is to stop.
  template <class Value, class Join>
  Value all_reduce(Value value, const Join& join) {
    for (std::size_t distance = 1; distance < members_.size(); distance *= 2) {
      send(distance, Call::all_reduce, encode(value));
      const auto text = receive(members_.size() - distance, Call::all_reduce);
      value = join(value, decode<Value>(text));
    }
    return value;
  }

  /// The texts of all members, in their order. In as many rounds as all_reduce(), each of which brings a member what
  /// another one has by then (Bruck, Ho, Kipnis, Upfal and Weathersby 1997). \throws Cancelled where work is to stop.
  std::vector<Bytes> all_gather(Bytes own) {
    const auto count = members_.size();
    // By distance: that of the member 0, 1, 2... places before this one.
    std::vector<Bytes> texts;
    texts.push_back(std::move(own));
    for (std::size_t distance = 1; distance < count; distance *= 2) {
      const auto passed = std::min(distance, count - distance);
      ByteWriter message;
      for (std::size_t back = 0; back < passed; ++back) message.add(texts[back]);
      send(distance, Call::all_gather, message.take());
      const auto come = receive(count - distance, Call::all_gather);
      ByteReader reader(come);
      for (std::size_t back = 0; back < passed; ++back) texts.push_back(reader.take<Bytes>());
    }
    std::vector<Bytes> ordered(count);
    for (std::size_t back = 0; back < count; ++back) ordered[(own_ + count - back) % count] = std::move(texts[back]);
    return ordered;
  }

 private:
  // Which function a message belongs to.
  enum class Call : std::uint8_t { pass_on, all_reduce, all_gather };
  // What one message has of a text at most.
  static constexpr std::size_t longest_part = std::size_t{1} << 28;

  std::uint32_t at(std::size_t distance) const { return members_[(own_ + distance) % members_.size()]; }

  void send(std::size_t distance, Call call, std::span<const std::byte> text) {
    do {
      const auto part = text.first(std::min(text.size(), longest_part));
      text = text.subspan(part.size());
      Bytes message(2 + part.size());
      message[0] = std::byte{static_cast<unsigned char>(call)};
      message[1] = std::byte{text.empty()};
      std::copy(part.begin(), part.end(), message.begin() + 2);
      mailbox_.send_note(at(distance), message);
    } while (!text.empty());
  }

  Bytes receive(std::size_t distance, Call call) {
    Bytes text;
    for (bool is_last = false; !is_last;) {
      const auto part = mailbox_.await_note(at(distance));
      if (!part) throw Cancelled("the job has ended");
      ByteReader reader(*part);
      if (reader.take<Call>() != call)
        throw Error(
            "ranks that work in step have come apart: a device of one of them is wrong; see `clopt devices "
            "--self-test`");
      is_last = reader.take<bool>();
      text.insert(text.end(), reader.rest().begin(), reader.rest().end());
    }
    return text;
  }

  Mailbox& mailbox_;
  std::vector<std::uint32_t> members_;
  std::size_t own_;
};

}  // namespace clopt::group
