#include <clopt/detail/system_message.hpp>

#include <cerrno>
#include <clocale>
#include <cstring>

#include <dlfcn.h>

namespace clopt {
namespace {

locale_t c_locale() {
  static const locale_t locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return locale;
}

}  // namespace

std::string system_message(int error) {
  const int kept = errno;
  std::string text = ::strerror_l(error, c_locale());
  errno = kept;
  return text;
}

std::string loader_message() {
  const locale_t chosen = ::uselocale(c_locale());
  const char* text = ::dlerror();
  ::uselocale(chosen);
  return text ? text : "";
}

}  // namespace clopt
