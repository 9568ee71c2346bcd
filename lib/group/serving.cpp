#include "serving.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "mailbox.hpp"
#include "workers.hpp"

namespace clopt::group {
namespace {

using Clock = std::chrono::steady_clock;
using Devices = std::vector<std::shared_ptr<Device>>;

// Rank 0 learns so often, while there is a run, that this rank lives.
constexpr std::chrono::seconds alive_interval{10};
// What a message that is on its way may take, at the end.
constexpr std::chrono::seconds longest_sending{1};

/// A run, and the thread that works at it.
class Running {
 public:
  /// \param before whose work ends first.
  Running(std::uint32_t run_number, Transport& transport, Bytes message, std::shared_future<Devices> devices,
          std::shared_ptr<Running> before)
      : mailbox_(run_number, transport),
        thread_(
            [this, message = std::move(message), devices = std::move(devices), before = std::move(before)]() mutable {
              if (before) before->join();
              work(message, devices);
            }) {}
  ~Running() { join(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  Mailbox& mailbox() { return mailbox_; }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  void work(const Bytes& message, const std::shared_future<Devices>& devices) {
    std::optional<Devices> opened;
    try {
      opened = devices.get();
    } catch (...) {
      return;  // rank 0 knows
    }
    try {
      ByteReader reader(message);
      const auto solver = reader.take<std::string>();
      const auto seconds = reader.take<std::optional<double>>();
      worker_of(solver)(reader, seconds, *opened, mailbox_);
    } catch (...) {
      mailbox_.send_error();
    }
  }

  Mailbox mailbox_;
  std::thread thread_;
};

class Serving {
 public:
  Serving(Transport& transport, const std::function<Devices()>& open)
      : transport_(transport), beginning_(0, transport), devices_(std::async(std::launch::async, [this, &open] {
                                                                    try {
                                                                      return open();
                                                                    } catch (...) {
                                                                      beginning_.send_error();
                                                                      throw;
                                                                    }
                                                                  }).share()) {}

  int run() {
    Backoff backoff;
    auto next_alive = Clock::now();
    while (!status_) {
      bool is_active = transport_.poll([this](int, Bytes message) { take(message); });
      is_active = send_waiting() || is_active;
      if (running_ && Clock::now() >= next_alive) {
        transport_.send(0, begin_message(Kind::alive, running_->mailbox().run_number()).take());
        next_alive = Clock::now() + alive_interval;
      }
      if (is_active)
        backoff.reset();
      else if (running_)
        backoff.wait(transport_, running_->mailbox());
      else
        backoff.wait(transport_);
    }
    if (running_) running_->mailbox().deliver(Kind::end, ByteReader({}));
    transport_.send(0, begin_message(Kind::bye, 0).take());
    for (const auto end = Clock::now() + longest_sending; !transport_.has_sent_all() && Clock::now() < end;) {
      transport_.poll([](int, const Bytes&) {});
      backoff.wait(transport_);
    }
    transport_.finalise();
    return *status_;
  }

 private:
  void take(Bytes& message) {
    ByteReader reader(message);
    const auto kind = reader.take<Kind>();
    const auto run_number = reader.take<std::uint32_t>();
    if (kind == Kind::leave) {
      status_ = reader.take<std::int32_t>();
    } else if (kind == Kind::run) {
      if (running_) running_->mailbox().deliver(Kind::end, ByteReader({}));
      running_ = std::make_shared<Running>(run_number, transport_, Bytes(reader.rest().begin(), reader.rest().end()),
                                           devices_, running_);
    } else if (running_ && running_->mailbox().run_number() == run_number) {
      running_->mailbox().deliver(kind, reader);
    }
  }

  bool send_waiting() {
    bool is_active = false;
    for (auto* mailbox : {&beginning_, running_ ? &running_->mailbox() : nullptr})
      while (mailbox) {
        auto message = mailbox->collect();
        if (!message) break;
        transport_.send(0, std::move(*message));
        is_active = true;
      }
    while (running_) {
      auto note = running_->mailbox().collect_note();
      if (!note) break;
      transport_.send(static_cast<int>(note->rank), std::move(note->message));
      is_active = true;
    }
    return is_active;
  }

  Transport& transport_;
  Mailbox beginning_;  // of no run
  std::shared_future<Devices> devices_;
  std::shared_ptr<Running> running_;
  std::optional<int> status_;
};

}  // namespace

int serve_first_rank(Transport& transport, const std::function<Devices()>& open) {
  return Serving(transport, open).run();
}

}  // namespace clopt::group
