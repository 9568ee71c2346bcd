// A layer of the OpenCL loader (cl_khr_icd's OPENCL_LAYERS) that lets one call of one entry point go wrong. It is set
// up by the environment:
//   CLOPT_FAULT         ENTRY:CALL:ACTION[:NUMBER], the CALL-th call (from 1) of ENTRY; ACTION is
//     fail        returns the error NUMBER
//     hang        never returns
//     late        takes NUMBER milliseconds longer
//     abort       ends the process as an assertion of a driver does
//     negative    a command that is queued is never run, and its event ends with an error; so does whatever is queued
//     or
//                 waited for after it, as after a fault of a real device
//     drop        a command that is queued is never run, and ends well
//     flip        a bit of what a command reads changes, bit NUMBER modulo what it reads
//   CLOPT_FAULT_COUNTS  a file of counters, in the order of `entries`, that this process adds its calls to
//   CLOPT_FAULT_NAME    the program's name: other processes, such as its helpers, are left alone
#include <CL/cl_layer.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "entries.hpp"

namespace {

using Dispatch = cl_icd_dispatch;
using Counter = std::atomic<std::uint64_t>;
static_assert(sizeof(Counter) == sizeof(std::uint64_t));

const Dispatch* target = nullptr;
Dispatch table{};

constexpr cl_int failure_of_a_command = CL_OUT_OF_RESOURCES;

enum class Action { none, fail, hang, late, abort, negative, drop, flip };

struct Fault {
  std::string_view entry;
  std::uint64_t call = 0;
  Action action = Action::none;
  std::int64_t number = 0;
};

std::int64_t number_of(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string_view next_part(std::string_view& text) {
  const auto end = text.find(':');
  const auto part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return part;
}

Action action_of(std::string_view name) {
  constexpr std::array<std::string_view, 8> names{"none", "fail", "hang", "late", "abort", "negative", "drop", "flip"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Action>(i);
  return Action::none;
}

Fault asked_for() {
  const char* text = std::getenv("CLOPT_FAULT");
  if (!text) return {};
  std::string_view rest = text;
  Fault fault;
  fault.entry = next_part(rest);
  fault.call = static_cast<std::uint64_t>(number_of(next_part(rest)));
  fault.action = action_of(next_part(rest));
  fault.number = number_of(next_part(rest));
  return fault;
}

Counter* shared_counters() {
  static std::array<Counter, entry_names.size()> own{};
  const char* file = std::getenv("CLOPT_FAULT_COUNTS");
  const int descriptor = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
  if (descriptor < 0) return own.data();
  void* memory = mmap(nullptr, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  return memory == MAP_FAILED ? own.data() : static_cast<Counter*>(memory);
}

const Fault fault = asked_for();
Counter* const counters = shared_counters();
std::atomic<bool> is_broken = false;  // after a command that ended with an error

cl_event failed_event(cl_command_queue queue) {
  cl_context context = nullptr;
  if (target->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, nullptr) != CL_SUCCESS)
    return nullptr;
  const auto event = target->clCreateUserEvent(context, nullptr);
  if (event) target->clSetUserEventStatus(event, failure_of_a_command);
  return event;
}

void flip_a_bit(void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  const auto bit = static_cast<std::uint64_t>(fault.number) % (8 * bytes);
  static_cast<unsigned char*>(memory)[bit / 8] ^= static_cast<unsigned char>(1U << (bit % 8));
}

/// What stands in the place of one entry point of the table.
template <auto Entry, std::size_t Index>
struct Hook;

template <class Result, class... Arguments, Result (CL_API_CALL* Dispatch::*Entry)(Arguments...), std::size_t Index>
struct Hook<Entry, Index> {
  static constexpr std::string_view name = entry_names[Index];
  static constexpr bool queues = name.starts_with("clEnqueue");
  static constexpr bool waits = name == "clFinish" || name == "clWaitForEvents";

  static Result CL_API_CALL call(Arguments... arguments) {
    const auto number = ++counters[Index];
    auto last = std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
    if constexpr ((queues || waits) && std::is_same_v<Result, cl_int>)
      if (is_broken) {
        // What was queued before the failure is done before a queue reports it.
        if constexpr (name == "clFinish") (target->*Entry)(arguments...);
        return failure_of_a_command;
      }
    if (fault.entry != name || fault.call != number) return (target->*Entry)(arguments...);
    switch (fault.action) {
      case Action::fail:
        if constexpr (std::is_same_v<Result, cl_int>) {
          return static_cast<cl_int>(fault.number);
        } else if constexpr (std::is_same_v<decltype(last), cl_int*>) {
          if (last) *last = static_cast<cl_int>(fault.number);
          return nullptr;
        }
        break;
      case Action::hang:
        for (;;) pause();
      case Action::late: usleep(static_cast<useconds_t>(fault.number) * 1000); break;
      case Action::abort: std::abort();
      case Action::negative:
      case Action::drop:
        if constexpr (queues && std::is_same_v<decltype(last), cl_event*>) return lose(last, arguments...);
        break;
      case Action::flip:
        if constexpr (name == "clEnqueueReadBuffer") return read_and_flip(arguments...);
        break;
      case Action::none: break;
    }
    return (target->*Entry)(arguments...);
  }

 private:
  template <class... Rest>
  static cl_int lose(cl_event* event, cl_command_queue queue, Rest...) {
    if (fault.action == Action::drop) return target->clEnqueueMarkerWithWaitList(queue, 0, nullptr, event);
    if (event) *event = failed_event(queue);
    is_broken = true;
    return CL_SUCCESS;
  }

  static cl_int read_and_flip(cl_command_queue queue, cl_mem buffer, cl_bool, std::size_t offset, std::size_t size,
                              void* memory, cl_uint events, const cl_event* list, cl_event* event) {
    const auto status = target->clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, size, memory, events, list, event);
    if (status == CL_SUCCESS) flip_a_bit(memory, size);
    return status;
  }
};

template <auto... Entries, std::size_t... Indices>
void put_hooks(EntryList<Entries...>, std::index_sequence<Indices...>) {
  ((table.*Entries = &Hook<Entries, Indices>::call), ...);
}

bool is_for_this_process() {
  const char* name = std::getenv("CLOPT_FAULT_NAME");
  return !name || std::strcmp(name, program_invocation_short_name) == 0;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info parameter, std::size_t size,
                                                                         void* value, std::size_t* size_returned) {
  constexpr cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  constexpr char name[] = "clopt's faults";
  const void* const source = parameter == CL_LAYER_API_VERSION ? static_cast<const void*>(&version) : name;
  const auto bytes = parameter == CL_LAYER_API_VERSION ? sizeof version : sizeof name;
  if (parameter != CL_LAYER_API_VERSION && parameter != CL_LAYER_NAME) return CL_INVALID_VALUE;
  if (value) {
    if (size < bytes) return CL_INVALID_VALUE;
    std::memcpy(value, source, bytes);
  }
  if (size_returned) *size_returned = bytes;
  return CL_SUCCESS;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clInitLayer(cl_uint entries, const Dispatch* below,
                                                                      cl_uint* entries_returned,
                                                                      const Dispatch** layer) {
  if (!below || !entries_returned || !layer) return CL_INVALID_VALUE;
  constexpr cl_uint own = sizeof(Dispatch) / sizeof(void*);
  target = below;
  std::memcpy(&table, below, std::min(entries, own) * sizeof(void*));
  if (is_for_this_process()) put_hooks(Entries{}, std::make_index_sequence<entry_names.size()>{});
  *layer = &table;
  *entries_returned = std::min(entries, own);
  return CL_SUCCESS;
}
}
