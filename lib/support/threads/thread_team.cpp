#include "thread_team.hpp"

#include <clopt/detail/numbers.hpp>
#include <support/process/system_file.hpp>

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <exception>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace clopt {
namespace {

using Word = std::atomic<std::uint32_t>;
static_assert(sizeof(Word) == sizeof(std::uint32_t) && Word::is_always_lock_free);

// Nanoseconds. How long threads spin while cores are free: time for what a solver's host code does between launches.
constexpr std::int64_t longest_spin = 5'000'000;
// How long the caller spins for parts that others have begun while cores are taken.
constexpr std::int64_t short_spin = 5'000;
// A thread that spins and is away for so long has lost its core; interrupts are shorter.
constexpr std::int64_t gap_of_lost_core = 300'000;
// Where cores are taken: work of the caller alone before others are woken.
constexpr std::int64_t time_before_waking = 500'000;
constexpr std::int64_t longest_look = 10'000'000;
constexpr std::int64_t first_scarcity = 10'000'000;
constexpr std::int64_t longest_scarcity = 640'000'000;
// How often the system is asked for a chain while cores are taken: that takes some 20 microseconds.
constexpr std::int64_t time_between_questions = 2'000'000;
// Pauses between two readings of the clock.
constexpr int pauses = 32;
// Threads that one thread wakes; these wake others.
constexpr unsigned woken_at_once = 2;

constexpr std::size_t cache_line = 64;

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

// std::atomic::wait spins by itself before it sleeps.
void sleep_while(Word& word, std::uint32_t value) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
void wake_one(Word& word) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

// Whether more threads of the system want to run than it has cores, this one and some more counted, as far as the
// system reports it.
bool others_want_cores(unsigned more) {
  // Three averages, then those that run and all, as 2/310.
  const auto load = words_of_file("/proc/loadavg");
  if (load.size() < 4) return false;
  const auto running = number_in<long>(std::string_view(load[3]).substr(0, load[3].find('/')));
  return running && *running + static_cast<long>(more) > sysconf(_SC_NPROCESSORS_ONLN);
}

// Whether this thread executes a part, of any team.
thread_local bool is_at_part = false;

/// The parts of a call that no thread has begun, as one word that is changed at once: [front, back), and the number of
/// the call. The caller takes parts from the front and the others from the back, so that a thread gets parts near those
/// that it had in the call before.
struct Ticket {
  std::uint32_t call;
  std::uint32_t front;
  std::uint32_t back;

  static constexpr std::uint32_t most_parts = 0xffff;

  explicit Ticket(std::uint64_t word)
      : call(static_cast<std::uint32_t>(word >> 32)),
        front(static_cast<std::uint32_t>(word >> 16) & most_parts),
        back(static_cast<std::uint32_t>(word) & most_parts) {}
  Ticket(std::uint32_t number, std::uint32_t parts) : call(number), front(0), back(parts) {}

  std::uint64_t word() const { return std::uint64_t{call} << 32 | std::uint64_t{front} << 16 | back; }
  bool is_open() const { return front < back; }
  std::uint32_t take(bool from_front) { return from_front ? front++ : --back; }
};

/// Detects whether a thread lost its core since the last look, other than by sleeping.
class Presence {
 public:
  void begin(std::int64_t time) {
    time_ = time;
    used_ = processor_time();
  }
  /// Whether so much time has passed that many short interrupts could look like a long one.
  bool is_old(std::int64_t time) const { return time - time_ > longest_look; }
  /// \returns whether the core was lost for long, and restarts.
  bool lost_core(std::int64_t time) {
    const auto passed = time - time_;
    const auto used = used_;
    begin(time);
    return passed - (used_ - used) > gap_of_lost_core;
  }

 private:
  std::int64_t time_ = 0;
  std::int64_t used_ = 0;
};

// The C library opens a file for it.
long cores_of_system() {
  static const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores;
}

}  // namespace

unsigned usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<unsigned>(std::max(CPU_COUNT(&cores), 1));
  return std::max(std::thread::hardware_concurrency(), 1U);  // more cores than the mask has room for
}

class ThreadTeam::Threads {
 public:
  Threads(unsigned threads, Waiting waiting)
      : members_(threads - 1), spins_(waiting != Waiting::sleeping), more_than_cores_(threads > usable_cores()) {
    // A short run may be over before it is measured.
    if (threads > 1 && others_want_cores(0)) note_scarcity(now());
  }

  ~Threads() {
    ending_.store(true, std::memory_order_seq_cst);
    for (auto& member : members_) {
      if (!member.thread.joinable()) break;
      wake(member);
      member.thread.join();
    }
  }

  // Only one thread at a time may call.
  bool try_enter() { return !entered_.exchange(true, std::memory_order_acquire); }
  void leave() { entered_.store(false, std::memory_order_release); }
  void leave_out_by(const std::stop_token* stop) { stop_.store(stop, std::memory_order_release); }
  void rest() { rests_.store(true, std::memory_order_relaxed); }

  // Whether a chain would wait for threads without a core.
  bool chain_would_wait() {
    const auto until = scarce_until_.load(std::memory_order_relaxed);
    if (until == 0) return false;
    const auto time = now();
    // The system knows of its own cores; of those that this process may use, only what was measured is known.
    if (!has_all_cores_) return time < until;
    if (time >= next_question_) {
      chain_waits_ = others_want_cores(static_cast<unsigned>(members_.size()));
      next_question_ = time + time_between_questions;
    }
    return chain_waits_;
  }

  void run(std::size_t parts, const Task& task) {
    begin_threads();
    rests_.store(false, std::memory_order_relaxed);
    const auto group = (parts + Ticket::most_parts - 1) / Ticket::most_parts;
    const auto groups = static_cast<std::uint32_t>((parts + group - 1) / group);
    const bool scarce = cores_are_scarce();
    finished_.store(0, std::memory_order_relaxed);
    // A thread that is still in the previous call finds its ticket changed if it reads any of these.
    work_.store(task.work, std::memory_order_release);
    call_.store(task.call, std::memory_order_release);
    parts_.store(parts, std::memory_order_release);
    group_.store(group, std::memory_order_release);
    ticket_.store(Ticket(++calls_, groups).word(), std::memory_order_seq_cst);
    std::int64_t wakes_at = 0;
    if (scarce)
      wakes_at = now() + time_before_waking;
    else
      wake_some();
    is_at_part = true;
    const auto own = take_parts(0, wakes_at);
    is_at_part = false;
    wait_for_others(groups - own);
    if (failed_.load(std::memory_order_relaxed)) {
      failed_.store(false, std::memory_order_relaxed);
      std::rethrow_exception(std::exchange(error_, nullptr));
    }
  }

 private:
  struct alignas(cache_line) Member {
    Word asleep{0};
    std::thread thread;
  };

  void begin_threads() {
    if (members_.back().thread.joinable()) return;
    try {
      for (std::size_t i = 0; i < members_.size(); ++i)
        if (!members_[i].thread.joinable())
          members_[i].thread = std::thread([this, i] { serve(members_[i], static_cast<unsigned>(i) + 1); });
    } catch (const std::system_error&) {
      // Those that began do the work, and the next call tries again.
    }
  }

  void serve(Member& member, unsigned number) {
    is_at_part = true;
    Presence presence;
    auto time = now();
    presence.begin(time);
    while (!ending_.load(std::memory_order_acquire)) {
      if (!Ticket(ticket_.load(std::memory_order_acquire)).is_open() && !spin_for_work(time)) {
        sleep(member);
        time = now();
        presence.begin(time);
        wake_some();
        continue;
      }
      if (const auto taken = take_parts(number, 0); taken != 0) {
        finished_.fetch_add(taken, std::memory_order_seq_cst);
        if (caller_sleeps_.load(std::memory_order_seq_cst)) wake_one(finished_);
      }
      const auto end = now();
      if ((end - time > gap_of_lost_core || presence.is_old(end)) && presence.lost_core(end)) note_scarcity(end);
      time = end;
    }
  }

  // Takes parts until none is left; \returns how many groups. \param wakes_at when others are woken; 0: that was done.
  std::uint32_t take_parts(unsigned thread, std::int64_t wakes_at) {
    std::uint32_t taken = 0;
    auto seen = ticket_.load(std::memory_order_acquire);
    for (;;) {
      Ticket ticket(seen);
      if (!ticket.is_open()) return taken;
      const auto index = ticket.take(thread == 0);
      const Task task{work_.load(std::memory_order_acquire), call_.load(std::memory_order_acquire)};
      const auto parts = parts_.load(std::memory_order_acquire);
      const auto group = group_.load(std::memory_order_acquire);
      if (!ticket_.compare_exchange_weak(seen, ticket.word(), std::memory_order_acq_rel, std::memory_order_acquire))
        continue;
      ++taken;
      if (const auto* const stop = stop_.load(std::memory_order_acquire); stop && stop->stop_requested())
        return taken + leave_out_rest();
      try {
        const auto begin = index * group;
        for (auto part = begin; part < std::min(begin + group, parts); ++part) task.call(task.work, part, thread);
      } catch (...) {
        if (!failed_.exchange(true, std::memory_order_relaxed)) error_ = std::current_exception();
        taken += leave_out_rest();
      }
      seen = ticket_.load(std::memory_order_acquire);
      if (wakes_at != 0 && Ticket(seen).is_open() && now() >= wakes_at) {
        wakes_at = 0;
        wake_some();
      }
    }
  }

  // Claims all parts that no thread has begun; \returns how many groups.
  std::uint32_t leave_out_rest() {
    auto seen = ticket_.load(std::memory_order_acquire);
    for (;;) {
      Ticket ticket(seen);
      const auto left = ticket.back - ticket.front;
      if (left == 0) return 0;
      ticket.front = ticket.back;
      if (ticket_.compare_exchange_weak(seen, ticket.word(), std::memory_order_acq_rel)) return left;
    }
  }

  // The caller's. \param groups that other threads have begun.
  void wait_for_others(std::uint32_t groups) {
    if (finished_.load(std::memory_order_acquire) == groups) return;
    const auto begin = now();
    for (auto last = begin;;) {
      for (int i = 0; i < pauses; ++i) {
        if (finished_.load(std::memory_order_acquire) == groups) return;
        pause();
      }
      const auto time = now();
      if (time - last > gap_of_lost_core) note_scarcity(time);
      last = time;
      const bool is_free = spins_ && !more_than_cores_ && scarce_until_.load(std::memory_order_relaxed) == 0;
      if (time - begin > (is_free ? longest_spin : short_spin)) break;
    }
    caller_sleeps_.store(true, std::memory_order_seq_cst);
    for (auto done = finished_.load(std::memory_order_seq_cst); done != groups;
         done = finished_.load(std::memory_order_seq_cst))
      sleep_while(finished_, done);
    caller_sleeps_.store(false, std::memory_order_relaxed);
  }

  // \returns whether there is work, or an end to it; otherwise the thread is to sleep.
  bool spin_for_work(std::int64_t begin) {
    if (!spins_ || more_than_cores_) return false;
    for (auto last = begin; scarce_until_.load(std::memory_order_relaxed) == 0;) {
      for (int i = 0; i < pauses; ++i) {
        if (Ticket(ticket_.load(std::memory_order_acquire)).is_open()) return true;
        pause();
      }
      const auto time = now();
      if (time - last > gap_of_lost_core) note_scarcity(time);
      last = time;
      if (ending_.load(std::memory_order_acquire)) return true;
      if (time - begin > longest_spin || rests_.load(std::memory_order_relaxed)) return false;
    }
    return false;
  }

  void sleep(Member& member) {
    member.asleep.store(1, std::memory_order_seq_cst);
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    // A call that began in between has woken no thread. It completes without any, but takes longer.
    const bool has_work = Ticket(ticket_.load(std::memory_order_seq_cst)).is_open() &&
                          scarce_until_.load(std::memory_order_relaxed) == 0 && !more_than_cores_;
    if (has_work || ending_.load(std::memory_order_seq_cst)) {
      if (member.asleep.exchange(0, std::memory_order_seq_cst) == 1) sleepers_.fetch_sub(1, std::memory_order_seq_cst);
      return;
    }
    while (member.asleep.load(std::memory_order_seq_cst) == 1) sleep_while(member.asleep, 1);
  }

  bool wake(Member& member) {
    if (member.asleep.load(std::memory_order_seq_cst) != 1 || member.asleep.exchange(0, std::memory_order_seq_cst) != 1)
      return false;
    sleepers_.fetch_sub(1, std::memory_order_seq_cst);
    wake_one(member.asleep);
    return true;
  }

  // Wakes as many threads as there are parts for, up to a few.
  void wake_some() {
    if (sleepers_.load(std::memory_order_seq_cst) == 0) return;
    const Ticket ticket(ticket_.load(std::memory_order_acquire));
    if (!ticket.is_open()) return;
    // One part of the caller's own is among those that are left when it begins.
    auto most = std::min(woken_at_once, ticket.back - ticket.front);
    if (ticket.front == 0) --most;
    for (auto& member : members_) {
      if (most == 0) return;
      if (wake(member)) --most;
    }
  }

  bool cores_are_scarce() {
    if (more_than_cores_) return true;
    const auto until = scarce_until_.load(std::memory_order_relaxed);
    if (until == 0) return false;
    if (now() < until) return true;
    scarce_until_.store(0, std::memory_order_relaxed);
    return false;
  }

  // Others need the cores: for a while, and for longer each time unless that was long ago.
  void note_scarcity(std::int64_t time) {
    if (scarce_until_.load(std::memory_order_relaxed) != 0) return;
    const auto before = scarcity_.load(std::memory_order_relaxed);
    const bool is_old = time - scarcity_end_.load(std::memory_order_relaxed) > 4 * before;
    const auto span = is_old ? first_scarcity : std::min(2 * before, longest_scarcity);
    scarcity_.store(span, std::memory_order_relaxed);
    scarcity_end_.store(time + span, std::memory_order_relaxed);
    scarce_until_.store(time + span, std::memory_order_relaxed);
  }

  // What all threads read all the time, and what they write, each in a line of its own.
  alignas(cache_line) std::atomic<std::uint64_t> ticket_{0};
  alignas(cache_line) Word finished_{0};
  std::atomic<bool> caller_sleeps_{false};
  alignas(cache_line) std::atomic<const void*> work_{nullptr};
  std::atomic<void (*)(const void*, std::size_t, unsigned)> call_{nullptr};
  std::atomic<std::size_t> parts_{0};
  std::atomic<std::size_t> group_{1};
  alignas(cache_line) std::atomic<std::int64_t> scarce_until_{0};  ///< 0: cores are free as far as is known
  std::atomic<std::int64_t> scarcity_{first_scarcity};             ///< the last span of scarcity
  std::atomic<std::int64_t> scarcity_end_{0};
  std::atomic<unsigned> sleepers_{0};
  std::atomic<bool> ending_{false};
  std::atomic<bool> rests_{false};
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
  std::vector<Member> members_;
  std::uint32_t calls_ = 0;
  bool chain_waits_ = false;
  std::int64_t next_question_ = 0;
  const bool has_all_cores_ = static_cast<long>(usable_cores()) >= cores_of_system();
  const bool spins_;
  const bool more_than_cores_;
  std::atomic<bool> entered_{false};
  std::atomic<const std::stop_token*> stop_{nullptr};
};

ThreadTeam::ThreadTeam(unsigned threads, Waiting waiting)
    : size_(threads > 0 ? threads : usable_cores()), threads_(std::make_unique<Threads>(size_, waiting)) {}

ThreadTeam::~ThreadTeam() = default;

void ThreadTeam::leave_out_by(const std::stop_token* stop) { threads_->leave_out_by(stop); }

void ThreadTeam::rest() { threads_->rest(); }

bool ThreadTeam::is_in_part() { return is_at_part; }

void ThreadTeam::do_alone(std::size_t parts, const Task& task) {
  for (std::size_t part = 0; part < parts; ++part) task.call(task.work, part, 0);
}

void ThreadTeam::run_task(std::size_t parts, const Task& task, bool is_chain) {
  if (parts < 2 || size_ < 2 || is_at_part || !threads_->try_enter()) return do_alone(parts, task);
  struct Leaving {
    Threads& threads;
    ~Leaving() { threads.leave(); }
  } const leaving{*threads_};
  if (is_chain && threads_->chain_would_wait()) return do_alone(parts, task);
  threads_->run(parts, task);
}

}  // namespace clopt
