// What a launch with arguments by name lets through and what it stops. CASE 0 compiles; every other one must not.
#include <clopt/device.hpp>
#include <generated/operations/probes.hpp>

#include <cstdint>

using clopt::Buffer;
using clopt::probes::operations::ElementaryFloat;

void launch(clopt::Device& device, clopt::Queue& queue, const Buffer<float>& buffer, const Buffer<const float>& fixed,
            const Buffer<double>& wide, std::uint64_t count);
void launch(clopt::Device& device, clopt::Queue& queue, const Buffer<float>& buffer,
            [[maybe_unused]] const Buffer<const float>& fixed, [[maybe_unused]] const Buffer<double>& wide,
            [[maybe_unused]] std::uint64_t count) {
  const auto kernel = device.kernel<ElementaryFloat>();
  const auto range = clopt::Range::of_items(1, 1);
#if CASE == 1  // a wrong name
  queue.launch(kernel, range, {.x = fixed, .z = fixed, .results = buffer, .count = count});
#elif CASE == 2   // a buffer missing
  queue.launch(kernel, range, {.x = fixed, .results = buffer, .count = count});
#elif CASE == 3   // a value missing, the last one
  queue.launch(kernel, range, {.x = fixed, .y = fixed, .results = buffer});
#elif CASE == 4   // another order than the kernel's
  queue.launch(kernel, range, {.y = fixed, .x = fixed, .results = buffer, .count = count});
#elif CASE == 5   // a read-only buffer to be written
  queue.launch(kernel, range, {.x = fixed, .y = fixed, .results = fixed, .count = count});
#elif CASE == 6   // a buffer of another element type, to be read
  queue.launch(kernel, range, {.x = fixed, .y = wide, .results = buffer, .count = count});
#elif CASE == 7   // a buffer of another element type, to be written
  queue.launch(kernel, range, {.x = fixed, .y = fixed, .results = wide, .count = count});
#elif CASE == 8   // a buffer in place of a value
  queue.launch(kernel, range, {.x = fixed, .y = fixed, .results = buffer, .count = buffer});
#elif CASE == 9   // a value in place of a buffer
  queue.launch(kernel, range, {.x = fixed, .y = count, .results = buffer, .count = count});
#elif CASE == 10  // no names
  queue.launch(kernel, range, {fixed, fixed, buffer, count});
#elif CASE == 11  // no names, and no braces
  queue.launch(kernel, range, fixed, fixed, buffer, count);
#elif CASE == 12  // another operation's arguments
  const Buffer<std::uint32_t> words;
  queue.launch(kernel, range, clopt::probes::operations::LongLoop{.steps = words, .value = 1, .rounds = 1});
#elif CASE == 13  // a value that would be narrowed
  queue.launch(kernel, range, {.x = fixed, .y = fixed, .results = buffer, .count = 1.5});
#else
  queue.launch(kernel, range, {.x = fixed, .y = buffer, .results = buffer, .count = count});
#endif
}
