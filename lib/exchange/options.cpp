#include "options.hpp"

#include <support/names.hpp>

namespace clopt::exchange {
namespace {

constexpr Names<Optimizer, 6> optimizer_names{{{{Optimizer::automatic, "auto"},
                                                {Optimizer::umda, "umda"},
                                                {Optimizer::anneal, "anneal"},
                                                {Optimizer::tabu, "tabu"},
                                                {Optimizer::pack, "pack"},
                                                {Optimizer::construct, "construct"}}}};
constexpr Names<Offload, 2> offload_names{{{{Offload::host, "host"}, {Offload::device, "device"}}}};
constexpr Names<Method, 2> method_names{{{{Method::links, "links"}, {Method::pairs, "pairs"}}}};

}  // namespace

std::string_view name_of(Optimizer optimizer) { return optimizer_names.of(optimizer); }
std::string_view name_of(Method method) { return method_names.of(method); }
Method method_of(std::string_view name) { return method_names.value(name, "method"); }

const std::vector<std::string>& optimizers() {
  static const auto names = optimizer_names.all();
  return names;
}

const std::vector<std::string>& offloads() {
  static const auto names = offload_names.all();
  return names;
}

const std::vector<std::string>& methods() {
  static const auto names = method_names.all();
  return names;
}

Choice choose(const Options& options) {
  const Choice choice{optimizer_names.value(options.optimizer, "optimizer"),
                      offload_names.value(options.offload, "offload"), method_of(options.method)};
  if (options.population < 2 || options.population > most_population)
    throw InvalidInput(
        fmt::format("`population` is {}; give 2 to {} individuals", options.population, most_population));
  if (options.islands < 1 || options.islands > most_islands)
    throw InvalidInput(fmt::format("`islands` is {}; give 1 to {}", options.islands, most_islands));
  if (options.islands > 1 && choice.optimizer != Optimizer::umda)
    throw InvalidInput(fmt::format("`islands` is {}, and the `optimizer` is {}; only umda has several", options.islands,
                                   name_of(choice.optimizer)));
  if (options.queues < 1 || options.queues > 2)
    throw InvalidInput(fmt::format("`queues` is {}; a device has 1 or 2", options.queues));
  if (options.replicas < 1 || options.replicas > most_replicas)
    throw InvalidInput(fmt::format("`replicas` is {}; give 1 to {}", options.replicas, most_replicas));
  if (options.searches < 1 || options.searches > most_searches)
    throw InvalidInput(fmt::format("`searches` is {}; give 1 to {}", options.searches, most_searches));
  if (choice.optimizer == Optimizer::pack && (options.steps || options.steps_are_bound))
    throw InvalidInput("the `optimizer` pack takes as many steps as it needs; leave `steps` out, or choose anneal");
  if (options.steps && options.steps_are_bound)
    throw InvalidInput("`steps` and `steps_are_bound` contradict each other; give one of them");
  if (options.steps && *options.steps == 0) throw InvalidInput("`steps` is 0; give 1 or more");
  return choice;
}

}  // namespace clopt::exchange
