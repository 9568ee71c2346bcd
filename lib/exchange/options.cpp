#include "options.hpp"

#include <support/names.hpp>

namespace clopt::exchange {
std::string_view name_of(Optimizer optimizer) { return optimizer_names.of(optimizer); }
std::string_view name_of(Method method) { return method_names.of(method); }
Method method_of(std::string_view name) { return method_names.value(name, "method"); }

bool breeds_as_before(const Options& options) {
  return options.tournament == 2 && options.mutations == 2 && options.tries == 1 && options.symmetries == 1;
}

ParsedOptions named_by(const Options& options) {
  return {optimizer_names.value(options.optimizer, "optimizer"), offload_names.value(options.offload, "offload"),
          method_of(options.method)};
}

ParsedOptions parse_options(const Options& options) {
  fields_of(options).check();
  const auto parsed = named_by(options);
  if (options.islands > 1 && parsed.optimizer != Optimizer::umda)
    throw InvalidInput(fmt::format("`islands` is {}, and the `optimizer` is {}; only umda has several", options.islands,
                                   name_of(parsed.optimizer)));
  if (parsed.optimizer == Optimizer::pack && (options.steps || options.steps_are_bound))
    throw InvalidInput("the `optimizer` pack takes as many steps as it needs; leave `steps` out, or choose anneal");
  if (options.steps && options.steps_are_bound)
    throw InvalidInput("`steps` and `steps_are_bound` contradict each other; give one of them");
  return parsed;
}

}  // namespace clopt::exchange
