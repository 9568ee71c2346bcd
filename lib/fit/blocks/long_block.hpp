/// \file
/// Blocks of rows with very many data on a device: a place of a team's.
#pragma once

#include <run/pacing.hpp>

#include <cstdint>
#include <vector>

#include "block.hpp"

namespace clopt::fit {

/// Room for a block of long rows, all of which take their rounds together.
template <class Real>
class LongBlock final : public Block<Real> {
 public:
  LongBlock(Rows& rows, const std::shared_ptr<Fitter<Real>>& fitter);

 private:
  using Base = Block<Real>;
  template <class T>
  using Transferred = typename Base::template Transferred<T>;

  void write_rows(std::size_t first, std::size_t count) override;
  void write_row(std::size_t row, std::size_t place);
  void fit_rest() override;
  void begin_fits(bool of_errors);
  bool evaluate();
  Buffer<Real> add_sections();
  bool is_running();

  const std::size_t sums_;  // of a section
  shared::long_rows_settings long_settings_{};
  Pacing pace_;  // sections of a launch
  Transferred<Real> extents_;
  Transferred<std::uint32_t> running_;
  Buffer<Real> work_;
  Buffer<Real> parts_of_sections_;
  Buffer<Real> sums_of_parts_;
};

}  // namespace clopt::fit
