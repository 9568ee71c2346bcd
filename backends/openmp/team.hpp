/// \file
/// How twins share out their work among the threads of a device.
#pragma once

#include <support/threads/kept_team.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

namespace clopt::openmp {

/// A kept team for one call, parts of which a stop of the calling thread leaves out.
class PooledTeam {
 public:
  explicit PooledTeam(unsigned threads);
  ~PooledTeam();
  PooledTeam(const PooledTeam&) = delete;
  PooledTeam& operator=(const PooledTeam&) = delete;

  /// As those of ThreadTeam. \throws LaunchDropped where the calling thread's launches are dropped.
  template <class Work>
  void run(std::uint64_t parts, const Work& work) {
    team_->run(parts, work);
    require_whole();
  }
  template <class Work>
  void run_chain(std::uint64_t parts, const Work& work) {
    team_->run_chain(parts, work);
    require_whole();
  }

 private:
  void require_whole() const;

  const std::stop_token* const dropped_;
  KeptTeam team_;
};

/// Threads that share out the work of the calling thread: those of the device whose launch it executes; 1 within a
/// part, and outside of launches.
unsigned threads();

/// Says how many threads() the launch has that the calling thread executes.
class ThreadsOfLaunch {
 public:
  explicit ThreadsOfLaunch(unsigned threads);
  ~ThreadsOfLaunch();
  ThreadsOfLaunch(const ThreadsOfLaunch&) = delete;
  ThreadsOfLaunch& operator=(const ThreadsOfLaunch&) = delete;

 private:
  unsigned before_;
};

/// Does all of \p parts, each once, in any order: `work(part)`, or `work(part, thread)` with a number below threads().
/// \throws what a part throws, the first one to do so; parts that were not begun by then are left out.
template <class Work>
void for_each_part(std::uint64_t parts, const Work& work) {
  if (parts > 1 && threads() > 1) return PooledTeam(threads()).run(parts, work);
  for (std::uint64_t part = 0; part < parts; ++part)
    if constexpr (std::is_invocable_v<const Work&, std::size_t, unsigned>)
      work(part, 0U);
    else
      work(part);
}

/// The same for parts that wait, step by step, for those that were begun before them.
template <class Work>
void for_each_link(std::uint64_t parts, const Work& work) {
  if (parts > 1 && threads() > 1) return PooledTeam(threads()).run_chain(parts, work);
  for (std::uint64_t part = 0; part < parts; ++part) work(part);
}

/// Calls `work(begin, end)`, or `work(begin, end, thread)`, for ranges that make up [0, count). \param least elements
/// that are worth a thread: only the last range may have fewer, and fewer than two times as many are one range.
template <class Work>
void for_ranges(std::uint64_t count, std::uint64_t least, const Work& work) {
  if (count == 0) return;
  // A few ranges a thread, for the case that one of them is late.
  const auto most = std::uint64_t{4} * threads();
  const auto ranges = threads() == 1 ? 1 : std::clamp<std::uint64_t>(count / least, 1, most);
  const auto size = (count + ranges - 1) / ranges;
  for_each_part((count + size - 1) / size, [&](std::size_t range, [[maybe_unused]] unsigned thread) {
    const auto begin = range * size;
    const auto end = std::min<std::uint64_t>(begin + size, count);
    if constexpr (std::is_invocable_v<const Work&, std::uint64_t, std::uint64_t, unsigned>)
      work(begin, end, thread);
    else
      work(begin, end);
  });
}

/// Calls `work(i)`, or `work(i, thread)`, for all i below \p count, in ranges as for_ranges(). Where that is a few
/// instructions, it captures by value: the loop has a copy, which no store in it can change.
template <class Work>
void for_each_index(std::uint64_t count, std::uint64_t least, const Work& work) {
  for_ranges(count, least, [&](std::uint64_t begin, std::uint64_t end, [[maybe_unused]] unsigned thread) {
    const Work own = work;
    for (auto i = begin; i < end; ++i)
      if constexpr (std::is_invocable_v<const Work&, std::uint64_t, unsigned>)
        own(i, thread);
      else
        own(i);
  });
}

/// Gives whole lines of the cache, so that what a thread writes again and again shares none with what another one does.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::size_t line = 64;

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}  // NOLINT(google-explicit-constructor): the standard library's way

  T* allocate(std::size_t count) {
    const auto bytes = (count * sizeof(T) + line - 1) / line * line;
    return static_cast<T*>(::operator new (bytes, std::align_val_t{line}));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete (memory, std::align_val_t{line}); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};

/// Scratch memory of a thread.
template <class T>
using ThreadVector = std::vector<T, LineAllocator<T>>;

/// What each thread of a call needs for itself, made when the thread first asks for it.
template <class T>
class PerThread {
 public:
  PerThread() : all_(threads()) {}
  /// \param make makes the thread's own.
  template <class Make>
  T& of(unsigned thread, const Make& make) {
    auto& own = all_[thread].value;
    if (!own) own.emplace(make());
    return *own;
  }
  /// Calls a function for each thread that has asked.
  template <class Function>
  void for_all(const Function& function) const {
    for (const auto& own : all_)
      if (own.value) function(*own.value);
  }

 private:
  struct alignas(64) Place {
    std::optional<T> value;
  };
  std::vector<Place> all_;
};

}  // namespace clopt::openmp
