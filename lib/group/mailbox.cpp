#include "mailbox.hpp"

#include <fmt/format.h>

#include <chrono>
#include <new>
#include <thread>
#include <utility>

namespace clopt::group {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::microseconds longest_spin{500};

enum class Fault : std::uint8_t { input, no_device, device, memory, other };

ByteWriter error_message(std::uint32_t run_number, Fault fault, std::string_view text) {
  auto message = begin_message(Kind::error, run_number);
  return message.add(fault).add(text);
}

}  // namespace

ByteWriter begin_message(Kind kind, std::uint32_t run_number) { return ByteWriter().add(kind).add(run_number); }

Mailbox::Mailbox(std::uint32_t run_number, std::uint32_t rank, Transport* direct)
    : run_number_(run_number), rank_(rank), direct_(direct) {
  if (direct_ != nullptr && run_number_ != 0)
    direct_->take_notes_by([this](std::span<const std::byte> message) { return take_note(message); });
}

Mailbox::~Mailbox() {
  if (direct_ != nullptr && run_number_ != 0) direct_->take_notes_by({});
}

bool Mailbox::take_note(std::span<const std::byte> message) {
  ByteReader reader(message);
  if (reader.take<Kind>() != Kind::note || reader.take<std::uint32_t>() != run_number_) return false;
  deliver(Kind::note, reader);
  return true;
}

void Mailbox::send(Bytes message) {
  if (direct_ != nullptr) return direct_->send(0, std::move(message));
  const std::lock_guard lock(mutex_);
  sent_.push_back(std::move(message));
}

void Mailbox::prepared(const RankShape& shape, const std::vector<std::string>& devices) {
  auto message = begin_message(Kind::prepared, run_number_);
  send(message.add(shape).add(devices).take());
}

std::optional<std::uint64_t> Mailbox::await_go() {
  std::unique_lock lock(mutex_);
  delivered_.wait(lock, [this] { return devices_ || has_ended_; });
  return has_ended_ ? std::nullopt : devices_;
}

std::optional<Order> Mailbox::await_order(const std::function<bool()>& is_over) {
  std::unique_lock lock(mutex_);
  const auto ends = [&] { return has_ended_ || is_over(); };
  delivered_.wait(lock, [&] { return !orders_.empty() || ends(); });
  if (ends()) return std::nullopt;
  auto order = std::move(orders_.front());
  orders_.pop_front();
  return order;
}

void Mailbox::put_back(Order order) {
  {
    const std::lock_guard lock(mutex_);
    orders_.push_front(std::move(order));
  }
  delivered_.notify_all();
}

void Mailbox::notify() {
  // Who is about to wait does so before it is notified.
  { const std::lock_guard lock(mutex_); }
  delivered_.notify_all();
}

void Mailbox::send_progress(const Range& range, const Bytes& progress) {
  send(begin_message(Kind::progress, run_number_).add(range.ticket).add(progress).take());
}

void Mailbox::send_error() {
  const auto message = [&] {
    try {
      throw;
    } catch (const InvalidInput& error) {
      return error_message(run_number_, Fault::input, error.what());
    } catch (const NoDevice& error) {
      return error_message(run_number_, Fault::no_device, error.what());
    } catch (const OutOfMemory& error) {
      return error_message(run_number_, Fault::memory, error.what());
    } catch (const DeviceError& error) {
      return error_message(run_number_, Fault::device, error.what());
    } catch (const std::bad_alloc&) {
      return error_message(run_number_, Fault::memory, "the host's memory is exhausted");
    } catch (const std::exception& error) {
      return error_message(run_number_, Fault::other, error.what());
    } catch (...) {
      return error_message(run_number_, Fault::other, "it failed in an unknown way");
    }
  };
  send(message().take());
}

std::optional<Bytes> Mailbox::news() const {
  const std::lock_guard lock(mutex_);
  return news_;
}

void Mailbox::send_note(std::uint32_t rank, const Bytes& text) {
  auto message = begin_message(Kind::note, run_number_).add(rank_).add(text).take();
  if (direct_ != nullptr && rank != rank_) return direct_->send(static_cast<int>(rank), std::move(message));
  {
    const std::lock_guard lock(mutex_);
    if (rank == rank_)
      come_[rank].push_back(text);
    else
      notes_.push_back({rank, std::move(message)});
  }
  noted_.notify_all();
}

std::optional<Bytes> Mailbox::await_note(std::uint32_t rank) {
  std::unique_lock lock(mutex_);
  auto& come = come_[rank];
  // Members in one process answer within microseconds, and a thread that sleeps takes a hundred to wake.
  for (const auto end = Clock::now() + longest_spin; direct_ != nullptr && come.empty() && !stop_.stop_requested();) {
    lock.unlock();
    std::this_thread::yield();
    const bool is_over = Clock::now() >= end;
    lock.lock();
    if (is_over) break;
  }
  awaits_note_ = true;
  delivered_.wait(lock, [&] { return !come.empty() || stop_.stop_requested(); });
  awaits_note_ = false;
  if (come.empty()) return std::nullopt;
  auto text = std::move(come.front());
  come.pop_front();
  return text;
}

std::optional<Mailbox::Note> Mailbox::collect_note() {
  const std::lock_guard lock(mutex_);
  if (notes_.empty()) return std::nullopt;
  auto note = std::move(notes_.front());
  notes_.pop_front();
  return note;
}

void Mailbox::wait_for_note(std::chrono::microseconds time) {
  std::unique_lock lock(mutex_);
  noted_.wait_for(lock, time, [this] { return !notes_.empty(); });
}

bool Mailbox::has_ended() const {
  const std::lock_guard lock(mutex_);
  return has_ended_;
}

void Mailbox::deliver(Kind kind, ByteReader message) {
  if (kind == Kind::stop || kind == Kind::end) stop_.request_stop();
  {
    const std::lock_guard lock(mutex_);
    if (kind == Kind::go) devices_ = message.take<std::uint64_t>();
    if (kind == Kind::end) has_ended_ = true;
    if (kind == Kind::news) news_ = message.take<Bytes>();
    if (kind == Kind::note) {
      const auto rank = message.take<std::uint32_t>();
      come_[rank].push_back(message.take<Bytes>());
    }
    if (kind == Kind::range) orders_.push_back(message.take<Order>());
  }
  delivered_.notify_all();
}

std::optional<Bytes> Mailbox::collect() {
  const std::lock_guard lock(mutex_);
  if (sent_.empty()) return std::nullopt;
  auto message = std::move(sent_.front());
  sent_.pop_front();
  return message;
}

void rethrow(ByteReader message, const std::string& where) {
  const auto fault = message.take<Fault>();
  const auto said = message.take<std::string>();
  const auto text = where.empty() ? said : fmt::format("{}: {}", where, said);
  switch (fault) {
    case Fault::input: throw InvalidInput(text);
    case Fault::no_device: throw NoDevice(text);
    case Fault::device: throw DeviceError(text);
    case Fault::memory: throw OutOfMemory(text);
    case Fault::other: break;
  }
  throw Error(text);
}

}  // namespace clopt::group
