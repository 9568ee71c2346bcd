/// \file
/// Arrays of very many numbers, which a run is given or makes.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace clopt {

/// Numbers that are only read, floats or doubles: those of a vector or, without a copy, the caller's. Copies share
/// them.
class SharedNumbers {
 public:
  SharedNumbers() = default;
  // NOLINTBEGIN(google-explicit-constructor): as the vector that it is given
  SharedNumbers(std::vector<double> numbers) { keep(std::move(numbers)); }
  SharedNumbers(std::vector<float> numbers) { keep(std::move(numbers)); }
  SharedNumbers(std::initializer_list<double> numbers) { keep(std::vector<double>(numbers)); }
  // NOLINTEND(google-explicit-constructor)
  SharedNumbers(const SharedNumbers&) = default;
  SharedNumbers& operator=(const SharedNumbers&) = default;
  /// What is moved from is empty.
  SharedNumbers(SharedNumbers&& other) noexcept { swap(other); }
  SharedNumbers& operator=(SharedNumbers&& other) noexcept {
    SharedNumbers(std::move(other)).swap(*this);
    return *this;
  }
  ~SharedNumbers() = default;
  /// \param owner keeps them; null: the caller does, as long as this or a copy of it is used. Runs that use them do so
  /// until they return.
  static SharedNumbers over(std::span<const double> numbers, std::shared_ptr<const void> owner = nullptr) {
    return {numbers.data(), numbers.size(), false, std::move(owner)};
  }
  static SharedNumbers over(std::span<const float> numbers, std::shared_ptr<const void> owner = nullptr) {
    return {numbers.data(), numbers.size(), true, std::move(owner)};
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  double operator[](std::size_t i) const {
    return is_float_ ? static_cast<double>(static_cast<const float*>(first_)[i])
                     : static_cast<const double*>(first_)[i];
  }
  /// Calls `work(numbers)` with a std::span of const float or of const double.
  template <class Work>
  decltype(auto) visit(const Work& work) const {
    if (is_float_) return work(std::span(static_cast<const float*>(first_), size_));
    return work(std::span(static_cast<const double*>(first_), size_));
  }
  /// A copy of some of them, in doubles.
  std::vector<double> doubles(std::size_t first, std::size_t count) const {
    return visit([&](const auto& numbers) {
      const auto part = numbers.subspan(first, count);
      return std::vector<double>(part.begin(), part.end());
    });
  }
  std::vector<double> doubles() const { return doubles(0, size_); }
  /// The same numbers, copied where nothing but the caller keeps them.
  SharedNumbers kept() const {
    if (owner_ || empty()) return *this;
    return visit([]<class T>(std::span<const T> own) { return SharedNumbers(std::vector<T>(own.begin(), own.end())); });
  }

 private:
  SharedNumbers(const void* first, std::size_t size, bool is_float, std::shared_ptr<const void> owner)
      : first_(first), size_(size), is_float_(is_float), owner_(std::move(owner)) {}

  void swap(SharedNumbers& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(size_, other.size_);
    std::swap(is_float_, other.is_float_);
    owner_.swap(other.owner_);
  }

  template <class T>
  void keep(std::vector<T> numbers) {
    const auto kept = std::make_shared<const std::vector<T>>(std::move(numbers));
    *this = over(std::span<const T>(*kept), kept);
  }

  const void* first_ = nullptr;
  std::size_t size_ = 0;
  bool is_float_ = false;
  std::shared_ptr<const void> owner_;
};

/// The allocator of a vector whose elements have no value where it grows without one.
template <class T>
struct UnsetAllocator : std::allocator<T> {
  template <class Other>
  struct rebind {
    using other = UnsetAllocator<Other>;
  };
  UnsetAllocator() = default;
  template <class Other>
  explicit UnsetAllocator(const UnsetAllocator<Other>&) noexcept {}
  template <class Element>
  void construct(Element* place) noexcept {
    ::new (static_cast<void*>(place)) Element;
  }
  template <class Element, class... Arguments>
  void construct(Element* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) Element(std::forward<Arguments>(arguments)...);
  }
};

/// A vector that threads set: resize() leaves new elements without a value, and so the memory untouched.
template <class T>
using Column = std::vector<T, UnsetAllocator<T>>;

}  // namespace clopt
