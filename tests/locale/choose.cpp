// Chooses a locale for C and C++ before a program begins, as an application that loads the library may: preloaded, with
// CLOPT_TEST_LOCALE its name. Numbers of streams have commas, and the system's reasons are in another language,
// whatever the system knows of it.
#include <clocale>
#include <cstddef>
#include <cstdlib>
#include <locale>
#include <stdexcept>
#include <string>

namespace {

struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

__attribute__((constructor)) void choose() {
  const char* name = std::getenv("CLOPT_TEST_LOCALE");
  if (!name) return;
  auto base = std::locale::classic();
  try {
    base = std::locale(name);
  } catch (const std::runtime_error&) {
    // The system does not know it, and neither does setlocale().
  }
  std::locale::global(std::locale(base, new Commas));
  std::setlocale(LC_ALL, name);
}

}  // namespace

extern "C" {

char* strerror(int) noexcept {
  static char text[] = "in der Sprache des Systems";
  return text;
}

char* strerror_r(int error, char*, std::size_t) noexcept { return strerror(error); }

}  // extern "C"
