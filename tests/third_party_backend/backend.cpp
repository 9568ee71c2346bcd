// A backend of a third party: one thread that does what the kernels of subset-sum are defined to do.
#include <clopt/backend.hpp>
#include <clopt/error.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace {

using clopt::Argument;
using clopt::Event;
using Arguments = std::span<const Argument>;

class SerialMemory : public clopt::Memory {
 public:
  SerialMemory(const std::string& name, std::size_t bytes) : Memory(name, bytes), data_((bytes + 7) / 8) {}
  char* data() { return reinterpret_cast<char*>(data_.data()); }

 private:
  std::vector<std::uint64_t> data_;
};

char* at(clopt::Memory& memory, std::size_t offset) { return static_cast<SerialMemory&>(memory).data() + offset; }

template <class T>
T* buffer(const Argument& argument) {
  return reinterpret_cast<T*>(at(*argument.memory, 0));
}

template <class T>
T value(const Argument& argument) {
  T result;
  std::memcpy(&result, argument.value, sizeof result);
  return result;
}

// The sums that an item adds: after = before | before moved up by the weight; new ones remember the item.
template <class Word>
void sweep_bits(Arguments arguments) {
  constexpr std::uint64_t bits = 8 * sizeof(Word);
  const auto* before = buffer<const Word>(arguments[0]);
  auto* after = buffer<Word>(arguments[1]);
  auto* first_item = buffer<std::uint32_t>(arguments[2]);
  const auto first = value<std::uint64_t>(arguments[3]);
  const auto count = value<std::uint64_t>(arguments[4]);
  const auto weight = value<std::uint64_t>(arguments[5]) * bits + value<std::uint32_t>(arguments[6]);
  const auto item = value<std::uint32_t>(arguments[7]);
  const auto reached = [&](std::uint64_t sum) { return (before[sum / bits] >> (sum % bits) & 1) != 0; };
  for (auto x = first; x < first + count; ++x) {
    after[x] = before[x];
    for (std::uint64_t bit = 0; bit < bits; ++bit) {
      const auto sum = x * bits + bit;
      if (sum < weight || reached(sum) || !reached(sum - weight)) continue;
      after[x] = static_cast<Word>(after[x] | Word{1} << bit);
      first_item[sum] = item;
    }
  }
  ++*buffer<std::uint32_t>(arguments[8]);  // launches that were made
}

void walk_back(Arguments arguments) {
  const auto* first_item = buffer<const std::uint32_t>(arguments[0]);
  const auto* weights = buffer<const std::uint64_t>(arguments[1]);
  auto* items = buffer<std::uint32_t>(arguments[2]);
  auto* count = buffer<std::uint32_t>(arguments[3]);
  auto& sum = *buffer<std::uint64_t>(arguments[4]);
  const auto most = value<std::uint32_t>(arguments[5]);
  while (sum != 0) {
    const auto item = first_item[sum];
    if (item == 0 || item > most || weights[item - 1] > sum || *count == most) {
      *count = most + 1;
      sum = 0;
    } else {
      items[(*count)++] = item;
      sum -= weights[item - 1];
    }
  }
}

class SerialKernel : public clopt::KernelBase {
 public:
  explicit SerialKernel(void (*function)(Arguments)) : run(function) {}
  std::uint32_t max_group_size() const override { return 1; }
  std::uint32_t subgroup_size() const override { return 1; }
  void (*const run)(Arguments);
};

class SerialQueue : public clopt::Queue {
 public:
  Event record() override { return {}; }
  void wait_for(const Event&) override {}
  void flush() override {}

 protected:
  void do_finish() override {}
  Event do_write(clopt::Memory& to, std::size_t offset, const void* from, std::size_t bytes) override {
    std::memcpy(at(to, offset), from, bytes);
    return {};
  }
  Event do_read(clopt::Memory& from, std::size_t offset, void* to, std::size_t bytes) override {
    std::memcpy(to, at(from, offset), bytes);
    return {};
  }
  Event do_fill(clopt::Memory& to, std::size_t offset, std::size_t bytes, const void* value,
                std::size_t value_bytes) override {
    for (std::size_t i = 0; i < bytes; i += value_bytes) std::memcpy(at(to, offset + i), value, value_bytes);
    return {};
  }
  Event do_copy(clopt::Memory& from, std::size_t from_offset, clopt::Memory& to, std::size_t to_offset,
                std::size_t bytes) override {
    std::memcpy(at(to, to_offset), at(from, from_offset), bytes);
    return {};
  }
  Event do_launch(clopt::KernelBase& kernel, const clopt::Range&, Arguments arguments) override {
    static_cast<SerialKernel&>(kernel).run(arguments);
    return {};
  }
};

class SerialDevice : public clopt::Device {
 public:
  explicit SerialDevice(const clopt::DeviceInfo& description) { info_ = description; }

 protected:
  std::unique_ptr<clopt::Queue> do_queue(const clopt::QueueOptions&) override {
    return std::make_unique<SerialQueue>();
  }
  std::shared_ptr<clopt::Memory> do_allocate(const std::string& name, std::size_t bytes, clopt::MemoryKind) override {
    return std::make_shared<SerialMemory>(name, bytes);
  }
  std::shared_ptr<clopt::KernelBase> do_kernel(const clopt::OperationInfo& operation, const clopt::Program&) override {
    const auto word = operation.generics[0].type;
    if (operation.name == "subset_sum/sweep_bits" && word == "uint")
      return std::make_shared<SerialKernel>(sweep_bits<std::uint32_t>);
    if (operation.name == "subset_sum/sweep_bits" && word == "ulong")
      return std::make_shared<SerialKernel>(sweep_bits<std::uint64_t>);
    if (operation.name == "subset_sum/walk_back") return std::make_shared<SerialKernel>(walk_back);
    throw clopt::BuildError("the serial backend knows nothing of " + std::string(operation.name));
  }
};

class SerialBackend : public clopt::Backend {
 public:
  std::vector<clopt::DeviceInfo> devices(std::vector<clopt::Unavailable>&) override {
    clopt::DeviceInfo info;
    info.platform = "Third party";
    info.name = "One thread";
    info.version = "1";
    info.global_memory_bytes = info.max_allocation_bytes = std::uint64_t{1} << 30;
    return {info};
  }
  std::shared_ptr<clopt::Device> open(std::size_t, const clopt::DeviceInfo& description,
                                      const clopt::DeviceOptions&) override {
    return std::make_shared<SerialDevice>(description);
  }
};

std::unique_ptr<clopt::Backend> create() { return std::make_unique<SerialBackend>(); }

}  // namespace

const clopt::BackendEntry* clopt_backend() {
  static constexpr clopt::BackendEntry entry{clopt::backend_interface_version, "serial", &create};
  return &entry;
}
