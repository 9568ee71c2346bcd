/// \file
/// The local search from the best vector of each problem, at the end of its generations.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <differential_evolution/launch/launcher.hpp>

namespace clopt::differential_evolution {

/// What the local search has made of the problems of a batch.
struct Polished {
  std::vector<double> values;  ///< to be minimised; none is worse than it was
  std::vector<double> vectors;
  std::vector<std::uint8_t> improved;      ///< 1 where the value is better than it was
  std::vector<std::uint8_t> converged;     ///< 1 where the search ended by itself at a minimum
  std::vector<std::uint64_t> evaluations;  ///< of each problem
  /// Of fits: the normal equations at each vector, in rows of parameters + 1 numbers: the products of the slopes up to
  /// the row's own one.
  std::vector<double> normal;
};

/// Searches from vectors on a device, all problems at once.
class Polisher {
 public:
  Polisher() = default;
  Polisher(const Polisher&) = delete;
  Polisher& operator=(const Polisher&) = delete;
  virtual ~Polisher() = default;
  /// Begins with the batch's populations, whose best individuals a summary has found. Ends early, with what it has,
  /// where the run must end.
  virtual Polished polish(Queue& queue, std::size_t problems, const Watch& watch) = 0;
};

/// The first numbers of a buffer.
template <class Real>
std::vector<double> numbers_of(Queue& queue, const Buffer<Real>& buffer, std::size_t count) {
  std::vector<Real> numbers(count);
  queue.read(buffer, std::span(numbers));
  return {numbers.begin(), numbers.end()};
}

/// Builds what a plan needs; null where there is nothing to do at the end of generations.
/// \param buffers those of the batch. \param room problems of the batch at most.
template <class Real>
std::unique_ptr<Polisher> make_polisher(Builder& builder, const Buffers<Real>& buffers, std::size_t room);

/// Bytes of a device that a problem takes meanwhile.
std::size_t polish_bytes_of_problem(const Plan& plan);

/// By Nelder and Mead's method.
template <class Real>
std::unique_ptr<Polisher> make_simplex(Builder& builder, const Buffers<Real>& buffers, std::size_t room);

/// Fits of a problem that begin with different vectors.
std::uint32_t fits_of_problem(const Plan& plan);

/// By Levenberg and Marquardt's method; of a fit that is not to be polished only the normal equations.
template <class Real>
std::unique_ptr<Polisher> make_least_squares(Builder& builder, const Buffers<Real>& buffers, std::size_t room);

}  // namespace clopt::differential_evolution
