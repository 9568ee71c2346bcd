#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <limits>

namespace clopt {

std::string_view name_of(SubgroupProvider provider) {
  switch (provider) {
    case SubgroupProvider::khr: return "khr";
    case SubgroupProvider::intel: return "intel";
    case SubgroupProvider::ptx: return "ptx";
    case SubgroupProvider::emulated: break;
  }
  return "emulated";
}

std::shared_ptr<Memory> Device::allocate_checked(const std::string& name, std::size_t count, std::size_t size,
                                                 MemoryKind kind) {
  const bool overflows = count > std::numeric_limits<std::size_t>::max() / size;
  const auto limit = kind == MemoryKind::device ? info_.max_allocation_bytes : info_.global_memory_bytes;
  if (overflows || count * size > limit)
    throw OutOfMemory(
        fmt::format("the buffer '{}' of {} elements of {} bytes passes the largest allocation of {} "
                    "({}), which is {} bytes",
                    name, count, size, info_.id, info_.name, limit));
  return do_allocate(name, count * size, kind);
}

void Queue::check(const Memory& memory, std::size_t size, std::size_t first, std::size_t count, const char* what) {
  if (first > size || count > size - first)
    throw InvalidInput(fmt::format("cannot {} {} elements from element {} on of the buffer '{}', which has {}", what,
                                   count, first, memory.name(), size));
}

}  // namespace clopt
