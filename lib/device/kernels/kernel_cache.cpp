#include "kernel_cache.hpp"

#include <support/process/environment.hpp>

#include <fmt/format.h>

#include <utility>

namespace clopt {
namespace {

constexpr std::size_t most_kernels = 256;

}  // namespace

std::string KernelCache::key_of(const OperationInfo& operation, const Program& program) {
  auto key = key_of(program);
  if (key.empty()) return key;
  key += operation.name;
  for (const auto& generic : operation.generics) key += fmt::format("\n{} {}", generic.name, generic.type);
  return key;
}

// Texts may hold any character, so that each stands behind its length. A developer's folder of kernels may change.
std::string KernelCache::key_of(const Program& program) {
  if (program.host_function || environment::kernel_path()) return {};
  auto key = fmt::format("{} {} {} {} {}\n", program.subgroup_size, program.registers, program.fast_math,
                         program.quick_build, program.objective);
  for (const auto& [name, value] : program.defines.entries()) key += fmt::format("{} {}\n", name, value);
  for (const auto& [name, text] : program.texts)
    key += fmt::format("{} {} {} {}\n", name.size(), name, text.size(), text);
  return key;
}

std::shared_ptr<KernelBase> KernelCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = kernels_.find(key);
  return found == kernels_.end() ? nullptr : found->second;
}

void KernelCache::keep(const std::string& key, std::shared_ptr<KernelBase> kernel) {
  if (key.empty()) return;
  const std::lock_guard lock(mutex_);
  if (!kernels_.emplace(key, std::move(kernel)).second) return;
  keys_.push_back(key);
  if (keys_.size() <= most_kernels) return;
  kernels_.erase(keys_.front());
  keys_.pop_front();
}

}  // namespace clopt
