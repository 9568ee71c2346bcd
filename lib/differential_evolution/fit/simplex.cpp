/// \file
/// Nelder and Mead's method for all problems of a batch, a vector of each at a time.
#include <shared/differential_evolution/simplex.h>
#include <clopt/error.hpp>

#include <algorithm>
#include <cmath>

#include "polish.hpp"

namespace clopt::differential_evolution {
namespace {

// Of each parameter, where nothing limits them.
constexpr std::uint64_t usual_evaluations = 400;
// Steps between two checks of how many problems continue; of functions, which may be slow, just one.
constexpr std::uint64_t steps_at_once = 32;

template <class Real>
class Simplex : public Polisher {
 public:
  Simplex(Builder& builder, const Buffers<Real>& buffers, std::size_t room)
      : plan_(builder.plan()),
        buffers_(buffers),
        begin_(builder.plain<operations::BeginSimplices<Real>>()),
        evaluate_(builder.with_objective<operations::EvaluateCandidates<Real>>()),
        move_(builder.plain<operations::MoveSimplices<Real>>()),
        choose_(builder.plain<operations::ChooseVertices<Real>>()) {
    settings_.parameters = plan_.settings.dimensions;
    settings_.columns = plan_.settings.columns;
    settings_.bounded = plan_.settings.bounds == EVOLUTION_UNBOUNDED ? 0 : 1;
    settings_.most_evaluations =
        static_cast<std::uint32_t>(std::min(plan_.polish_evaluations, usual_evaluations * settings_.parameters));
    settings_.maximises = plan_.settings.maximise;
    auto& device = builder.device();
    numbers_ = device.buffer<Real>("simplices", room * shared::simplex_numbers(settings_.parameters));
    states_ = device.buffer<shared::simplex_state>("states of simplices", room);
    candidates_ = device.buffer<Real>("candidates of simplices", room * settings_.parameters);
    values_ = device.buffer<Real>("values of candidates", room);
    vectors_ = device.buffer<Real>("vectors of simplices", room * settings_.parameters);
  }

  Polished polish(Queue& queue, std::size_t problems, const Watch& watch) override {
    settings_.problems = static_cast<std::uint32_t>(problems);
    begin(queue);
    const bool is_function = plan_.objective.is_function();
    const std::uint64_t at_once = is_function ? 1 : steps_at_once;
    try {
      for (std::uint64_t n = 0; n < settings_.most_evaluations && !watch.expired(); n += at_once) {
        for (std::uint64_t step = 0; step < at_once; ++step) move(queue);
        if (!some_wait(queue)) break;
      }
    } catch (const Cancelled&) {
      // A function has left its vectors, since the run is to end: simplices are as before.
    }
    return end(queue);
  }

 private:
  Range all() const { return Range::of_items(settings_.problems); }

  void begin(Queue& queue) {
    queue.launch(begin_, all(),
                 {.vectors = buffers_.vectors,
                  .values = buffers_.values,
                  .states = buffers_.states,
                  .bounds = buffers_.bounds,
                  .numbers = numbers_,
                  .simplices = states_,
                  .candidates = candidates_,
                  .settings = settings_,
                  .population = plan_.settings.population});
  }

  void move(Queue& queue) {
    queue.launch(evaluate_, all(),
                 {.candidates = candidates_,
                  .rows = buffers_.rows,
                  .tables = buffers_.tables,
                  .simplices = states_,
                  .values = values_,
                  .settings = settings_});
    queue.launch(move_, all(),
                 {.values = values_,
                  .bounds = buffers_.bounds,
                  .numbers = numbers_,
                  .simplices = states_,
                  .candidates = candidates_,
                  .settings = settings_});
  }

  std::vector<shared::simplex_state> states(Queue& queue) {
    std::vector<shared::simplex_state> states(settings_.problems);
    queue.read(states_, std::span(states));
    return states;
  }
  bool some_wait(Queue& queue) {
    const auto all = states(queue);
    return std::any_of(all.begin(), all.end(), [](const auto& state) { return shared::simplex_waits(state) != 0; });
  }

  Polished end(Queue& queue) {
    queue.launch(choose_, all(), {.numbers = numbers_, .vectors = vectors_, .values = values_, .settings = settings_});
    Polished polished;
    polished.values = numbers_of(queue, values_, settings_.problems);
    polished.vectors = numbers_of(queue, vectors_, std::size_t{settings_.problems} * settings_.parameters);
    const auto all = states(queue);
    for (std::size_t k = 0; k < all.size(); ++k) {
      // A simplex that restarts has converged before.
      const bool has_ended = all[k].phase == SIMPLEX_CONVERGED || all[k].restarts != 0;
      polished.converged.push_back(has_ended && std::isfinite(polished.values[k]) ? 1 : 0);
      polished.evaluations.push_back(all[k].evaluations);
    }
    return polished;
  }

  const Plan& plan_;
  const Buffers<Real>& buffers_;
  shared::simplex_settings settings_{};
  Kernel<operations::BeginSimplices<Real>> begin_;
  Kernel<operations::EvaluateCandidates<Real>> evaluate_;
  Kernel<operations::MoveSimplices<Real>> move_;
  Kernel<operations::ChooseVertices<Real>> choose_;
  Buffer<Real> numbers_;
  Buffer<shared::simplex_state> states_;
  Buffer<Real> candidates_;
  Buffer<Real> values_;
  Buffer<Real> vectors_;
};

}  // namespace

template <class Real>
std::unique_ptr<Polisher> make_simplex(Builder& builder, const Buffers<Real>& buffers, std::size_t room) {
  return std::make_unique<Simplex<Real>>(builder, buffers, room);
}

template std::unique_ptr<Polisher> make_simplex(Builder&, const Buffers<float>&, std::size_t);
template std::unique_ptr<Polisher> make_simplex(Builder&, const Buffers<double>&, std::size_t);

}  // namespace clopt::differential_evolution
