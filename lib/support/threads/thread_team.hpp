/// \file
/// Threads of the host that share work.
#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <type_traits>

namespace clopt {

/// Cores that this process may use, as the system's affinity mask has it; at least 1.
unsigned usable_cores();

/// What the threads of a team do between two calls of run().
enum class Waiting {
  sleeping,        ///< they sleep at once: for calls that are rare, or where other threads have work in between
  spinning,        ///< they spin for some milliseconds as long as their cores are free, so that a call begins at once
  spinning_in_use  ///< the same, until rest(): a kept team rests while it has no user
};

/// Some threads, the caller's included, which wait for work between calls.
///
/// Parts are claimed one by one. The caller claims parts until none is left, and then waits only for those that others
/// have begun. So a thread that has no core at the time costs nothing. Whether cores are free is measured: a thread
/// that spins sees gaps in the time, and one whose part took long compares the time with the processor's time that it
/// got; at first, and before chains, the system is asked. Where cores are taken, threads neither spin nor are woken for
/// work that the caller does in less than half a millisecond; whether that has changed is tried after 10 ms, and after
/// twice as long each time, up to 640 ms.
class ThreadTeam {
 public:
  /// \param threads 0: as many as usable_cores(). They begin with the first work that has several parts.
  explicit ThreadTeam(unsigned threads = 0, Waiting waiting = Waiting::sleeping);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  unsigned size() const { return size_; }
  /// Parts of later calls that are not begun once a stop is requested are left out. \param stop must outlive them;
  /// null: all are done.
  void leave_out_by(const std::stop_token* stop);
  /// Has the threads sleep until the next call.
  void rest();
  /// Whether the calling thread is at a part of any team that several threads share.
  static bool is_in_part();

  /// Does all parts, each once, in any order, and waits for them. No part may wait for one that is begun after it:
  /// others may be woken only once the caller's first part is done. Within a part, and while another thread is in a
  /// call of the same team, the calling thread does all of them. Costs about a microsecond where threads spin. \param
  /// work `work(part)`, or `work(part, thread)` with the number of the thread, below size(); the caller's is 0. \throws
  /// what a part throws, the first one to do so; parts that were not begun by then are left out.
  template <class Work>
  void run(std::size_t parts, const Work& work) {
    run_task(parts, task_of(work), false);
  }

  /// The same for parts that proceed only as fast as others do: a thread that loses its core would stop them all. So
  /// where cores are taken, the caller does all parts.
  template <class Work>
  void run_chain(std::size_t parts, const Work& work) {
    run_task(parts, task_of(work), true);
  }

 private:
  struct Task {
    const void* work;
    void (*call)(const void* work, std::size_t part, unsigned thread);
  };
  class Threads;
  template <class Work>
  static Task task_of(const Work& work) {
    return {&work, [](const void* own, std::size_t part, [[maybe_unused]] unsigned thread) {
              if constexpr (std::is_invocable_v<const Work&, std::size_t, unsigned>)
                (*static_cast<const Work*>(own))(part, thread);
              else
                (*static_cast<const Work*>(own))(part);
            }};
  }
  void run_task(std::size_t parts, const Task& task, bool is_chain);
  static void do_alone(std::size_t parts, const Task& task);

  unsigned size_;
  std::unique_ptr<Threads> threads_;
};

}  // namespace clopt
