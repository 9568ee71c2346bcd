#include <clopt/crash.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include <support/threads/process_mutex.hpp>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <mutex>

namespace clopt {
namespace {

struct Watched {
  int signal;
  const char* name;
};
constexpr std::array<Watched, 6> watched{{{SIGSEGV, "SIGSEGV"},
                                          {SIGBUS, "SIGBUS"},
                                          {SIGFPE, "SIGFPE"},
                                          {SIGILL, "SIGILL"},
                                          {SIGTRAP, "SIGTRAP"},
                                          {SIGABRT, "SIGABRT"}}};

// More than the state of any processor takes beside a handler.
constexpr std::size_t stack_bytes = std::size_t{64} << 10;

std::atomic<ObjectiveCrashHandler> crash_handler = nullptr;
static_assert(std::atomic<ObjectiveCrashHandler>::is_always_lock_free);
// What was there before: written before our handlers are set, and never again.
std::array<struct sigaction, watched.size()> handlers_before;

// The text that this thread is in. In the memory that a thread has from its start: reading it allocates nothing.
[[gnu::tls_model("initial-exec")]] thread_local const char* volatile running = nullptr;

/// An alternate stack of the thread's signals, if it had none.
class SignalStack {
 public:
  SignalStack() {
    stack_t stack{};
    if (sigaltstack(nullptr, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0) return;
    void* memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack.ss_sp = memory;
    stack.ss_size = stack_bytes;
    stack.ss_flags = 0;
    if (sigaltstack(&stack, nullptr) == 0)
      memory_ = memory;
    else
      munmap(memory, stack_bytes);
  }
  ~SignalStack() {
    if (!memory_) return;
    // Code that has set another handler since may still use it.
    stack_t stack{};
    if (sigaltstack(nullptr, &stack) == 0 && stack.ss_sp == memory_) {
      stack.ss_flags = SS_DISABLE;
      sigaltstack(&stack, nullptr);
    }
    munmap(memory_, stack_bytes);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  void* memory_ = nullptr;
};

// As cheap to ask as `running`: a text may be called for a few individuals at a time.
[[gnu::tls_model("initial-exec")]] thread_local bool has_stack = false;

[[gnu::cold, gnu::noinline]] void take_stack() {
  static thread_local const SignalStack stack;
  has_stack = true;
}

// Whether the thread's own code raised the signal, and no process has sent it.
bool is_raised_here(const siginfo_t& information) {
  if (information.si_code > 0) return true;
  return information.si_signo == SIGABRT && information.si_code == SI_TKILL && information.si_pid == getpid();
}

// What would have happened without us.
void pass_on(const struct sigaction& before, int signal, siginfo_t* information, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, information, context);
  if (before.sa_handler == SIG_IGN && !is_raised_here(*information)) return;
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  // What the processor raised comes again when the handler returns; what was sent waits until then.
  if (information->si_code <= 0) raise(signal);
}

// Async-signal-safe.
void handle(int signal, siginfo_t* information, void* context) {
  const int error = errno;
  std::size_t i = 0;
  while (i + 1 < watched.size() && watched[i].signal != signal) ++i;
  const char* const objective = running;
  const auto report = crash_handler.load();
  if (objective && report && is_raised_here(*information)) {
    running = nullptr;
    report({signal, watched[i].name, objective});
  }
  pass_on(handlers_before[i], signal, information, context);
  errno = error;
}

void install() {
  for (std::size_t i = 0; i < watched.size(); ++i) {
    struct sigaction ours {};
    ours.sa_sigaction = handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    const int signal = watched[i].signal;
    // First what was there: a signal may come as soon as ours is set.
    if (sigaction(signal, nullptr, &handlers_before[i]) != 0 || sigaction(signal, &ours, nullptr) != 0)
      throw Error(fmt::format("no handler can be set for {}: {}", watched[i].name, system_message(errno)));
  }
}

}  // namespace

void set_objective_crash_handler(ObjectiveCrashHandler handler) {
  static auto& mutex = *new ProcessMutex(Holding::alone);  // never destroyed: threads may still run at the end
  static bool installed = false;
  const std::lock_guard lock(mutex);
  crash_handler = handler;
  if (!handler || installed) return;
  install();
  installed = true;
}

RunningObjective::RunningObjective(const char* objective) noexcept {
  if (crash_handler.load(std::memory_order_relaxed) == nullptr) return;
  if (!has_stack) take_stack();
  running = objective;
}

RunningObjective::~RunningObjective() { running = nullptr; }

}  // namespace clopt
