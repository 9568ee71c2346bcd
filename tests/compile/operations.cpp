// What an operation's types let through and what they stop. CASE 0 compiles; every other one must not.
#include <clopt/device.hpp>
#include <device/checked_operation.hpp>

#include <cstdint>

namespace {

using clopt::Buffer;
using clopt::In;
using clopt::InOut;
using clopt::operation;

using u32 = std::uint32_t;
using u64 = std::uint64_t;

#if CASE == 1  // a misspelt name
constexpr auto walk = operation<In<u32>, In<u64>, InOut<u32>, InOut<u32>, InOut<u64>, u32>("subset_sum/walk_bakc");
#elif CASE == 2  // a value of another type
constexpr auto walk = operation<In<u32>, In<u64>, InOut<u32>, InOut<u32>, InOut<u64>, u64>("subset_sum/walk_back");
#elif CASE == 3  // a buffer of another type
constexpr auto walk = operation<In<u32>, In<u32>, InOut<u32>, InOut<u32>, InOut<u64>, u32>("subset_sum/walk_back");
#elif CASE == 4  // a buffer that the kernel writes, said to be read only
constexpr auto walk = operation<In<u32>, In<u64>, In<u32>, InOut<u32>, InOut<u64>, u32>("subset_sum/walk_back");
#elif CASE == 5  // one parameter too few
constexpr auto walk = operation<In<u32>, In<u64>, InOut<u32>, InOut<u32>, InOut<u64> >("subset_sum/walk_back");
#elif CASE == 6  // one too many
constexpr auto walk = operation<In<u32>, In<u64>, InOut<u32>, InOut<u32>, InOut<u64>, u32, u32>("subset_sum/walk_back");
#elif CASE == 7  // a buffer that the kernel only reads, said to be written
constexpr auto walk = operation<InOut<u32>, In<u64>, InOut<u32>, InOut<u32>, InOut<u64>, u32>("subset_sum/walk_back");
#else
constexpr auto walk = operation<In<u32>, In<u64>, InOut<u32>, InOut<u32>, InOut<u64>, u32>("subset_sum/walk_back");
#endif

}  // namespace

void launch(clopt::Device& device, clopt::Queue& queue, const Buffer<u32>& small, const Buffer<const u32>& fixed,
            const Buffer<u64>& wide);
void launch(clopt::Device& device, clopt::Queue& queue, const Buffer<u32>& small,
            [[maybe_unused]] const Buffer<const u32>& fixed, const Buffer<u64>& wide) {
  const auto kernel = device.kernel(walk);
  const auto range = clopt::Range::of_items(1, 1);
#if CASE == 11  // a buffer of another type
  queue.launch(kernel, range, small, small, small, small, wide, 2);
#elif CASE == 12  // a read-only buffer to be written
  queue.launch(kernel, range, small, wide, fixed, small, wide, 2);
#elif CASE == 13  // an argument too few
  queue.launch(kernel, range, small, wide, small, small, wide);
#elif CASE == 14  // a buffer in place of a value
  queue.launch(kernel, range, small, wide, small, small, wide, wide);
#elif CASE == 15  // a write to a read-only buffer
  queue.fill(fixed, 1), queue.copy(fixed, fixed, 1);
#else
  queue.launch(kernel, range, small, wide, small, small, wide, 2);
#endif
}
