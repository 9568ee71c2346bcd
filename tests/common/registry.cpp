#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <support/apart.hpp>
#include <support/folder.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;
namespace data = boost::unit_test::data;
using clopt::test::apart;
using clopt::test::Folder;
using clopt::test::Variable;
using clopt::test::write_file;

namespace {

// Every device and everything unavailable, a line each.
std::string listed() {
  const auto list = clopt::list_devices();
  std::string text;
  for (const auto& device : list.devices) text += "device " + device.id + " " + device.name + "\n";
  for (const auto& other : list.unavailable) text += "unavailable " + other.backend + ": " + other.reason + "\n";
  return text;
}

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != text.npos;
  if (!found) BOOST_TEST_MESSAGE("no '" << part << "' in:\n" << text);
  return found;
}

std::string modules(const std::string& name) { return (fs::path(CLOPT_TEST_MODULES) / name).string(); }

// The device that a text names, or the exception, in a process that has the module `many`.
std::string opened(const std::string& text) {
  return apart([&] {
    const Variable path("CLOPT_BACKEND_PATH", modules("many"));
    clopt::DeviceOptions options;
    options.self_test = false;
    try {
      return clopt::open_device(text, options)->info().id;
    } catch (const clopt::InvalidInput& error) {
      return std::string("InvalidInput: ") + error.what();
    } catch (const clopt::NoDevice& error) {
      return std::string("NoDevice: ") + error.what();
    }
  });
}

std::string all_opened(const std::vector<std::string>& texts) {
  return apart([&] {
    const Variable path("CLOPT_BACKEND_PATH", modules("many"));
    clopt::DeviceOptions options;
    options.self_test = false;
    std::string ids;
    for (const auto& device : clopt::open_devices(texts, options)) ids += device->info().id + " ";
    return ids;
  });
}

struct Wrong {
  const char* module;
  const char* backend;  // what the list calls it
  std::string reason;
};
std::ostream& operator<<(std::ostream& stream, const Wrong& wrong) { return stream << wrong.module; }

const Wrong wrong_modules[] = {
    {"no_entry", "libclopt-backend-no_entry.so", "clopt_backend"},
    {"no_table", "libclopt-backend-no_table.so", "returns nothing"},
    {"old_version", "libclopt-backend-old_version.so",
     "version " + std::to_string(clopt::backend_interface_version + 7)},
    {"no_name", "libclopt-backend-no_name.so", "no name"},
    {"no_create", "libclopt-backend-no_create.so", "no way to make"},
    {"throws", "wrong", "there is no driver here"},
    {"throws_a_number", "wrong", "unknown"},
    {"makes_nothing", "wrong", "no backend"},
    {"devices_throw", "wrong", "the driver is in a bad mood"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(registry)

BOOST_DATA_TEST_CASE(a_wrong_module_is_listed_with_the_reason, data::make(wrong_modules), wrong) {
  const Variable path("CLOPT_BACKEND_PATH", modules(wrong.module));
  const auto text = apart(listed);
  BOOST_TEST(has(text, "device openmp:0 "));
  const auto line = text.find(std::string("unavailable ") + wrong.backend + ": ");
  BOOST_TEST_REQUIRE(line != text.npos, text);
  BOOST_TEST(has(text.substr(line, text.find('\n', line) - line), wrong.reason));
  BOOST_TEST(!has(text, "the process ended"));
}

BOOST_AUTO_TEST_CASE(files_that_are_no_modules_are_listed) {
  const Folder folder;
  write_file(folder.path() / "libclopt-backend-empty.so", "");
  write_file(folder.path() / "libclopt-backend-garbage.so", std::string(10'000, 'x'));
  write_file(folder.path() / "libclopt-backend-cut.so",
             "\x7f"
             "ELF\2\1\1");
  fs::create_directory(folder.path() / "libclopt-backend-folder.so");
  fs::create_symlink("nowhere", folder.path() / "libclopt-backend-gone.so");
  write_file(folder.path() / "other.so", "not looked at");
  const Variable path("CLOPT_BACKEND_PATH", (folder.path() / "none").string() + "::" + folder.path().string());
  const auto text = apart(listed);
  for (const auto* name : {"empty", "garbage", "cut", "folder", "gone"})
    BOOST_TEST(has(text, std::string("unavailable libclopt-backend-") + name + ".so: "));
  BOOST_TEST(has(text, "unavailable " + (folder.path() / "none").string() + ": "));
  BOOST_TEST(text.find("other.so") == text.npos);
  BOOST_TEST(has(text, "device openmp:0 "));
  BOOST_TEST(!has(text, "the process ended"));
}

BOOST_AUTO_TEST_CASE(a_module_without_devices_hides_no_other_of_its_name) {
  const Variable path("CLOPT_BACKEND_PATH", modules("false_openmp"));
  BOOST_TEST(has(apart(listed), "device openmp:0 "));
  BOOST_TEST(apart([] { return clopt::open_device("openmp:0")->info().id; }) == "openmp:0");
}

BOOST_AUTO_TEST_CASE(whatever_a_backend_throws_is_no_device) {
  const Variable path("CLOPT_BACKEND_PATH", modules("open_throws"));
  const auto text = apart([]() -> std::string {
    try {
      clopt::open_device("explosive:0");
    } catch (const clopt::NoDevice& error) {
      return error.what();
    }
    return "it opened";
  });
  BOOST_TEST(has(text, "the device explosive:0 (Alpha One) cannot be opened: the driver exploded"));
}

BOOST_AUTO_TEST_CASE(a_module_in_the_path_comes_before_the_one_beside_the_library) {
  const Folder folder;
  fs::create_directories(folder.path() / "first");
  fs::copy_file(modules("many") + "/libclopt-backend-many.so", folder.path() / "first" / "libclopt-backend-many.so");
  const Variable path("CLOPT_BACKEND_PATH", (folder.path() / "first").string() + ":" + modules("many"));
  const auto text = apart(listed);
  BOOST_TEST(has(text, "device many:2 Beta\n"));
  BOOST_TEST(text.find("device many:2") == text.rfind("device many:2"), text);
  BOOST_TEST(has(text, "unavailable many: Delta is switched off\n"));
  BOOST_TEST(has(text, "another backend called many comes first: "));
  BOOST_TEST(text.find("device openmp:0") < text.find("device many:0"));
}

BOOST_AUTO_TEST_CASE(without_an_opencl_platform_openmp_serves) {
  const Folder folder;
  const Variable vendors("OCL_ICD_VENDORS", folder.path());
  const auto text = apart([] { return listed() + "opened " + clopt::open_device({}, {0, false, false})->info().id; });
  BOOST_TEST(has(text, "opened openmp:0"));
  if (fs::exists(fs::path(CLOPT_TEST_BACKENDS) / "libclopt-backend-opencl.so")) {
    BOOST_TEST(has(text, "unavailable opencl: there is no OpenCL platform: "));
    BOOST_TEST(has(text, folder.path().string()));
  }
}

BOOST_AUTO_TEST_CASE(texts_name_devices) {
  const Variable none("CLOPT_DEVICE", "");
  BOOST_TEST(opened("many:1") == "many:1");
  BOOST_TEST(opened("MANY:2") == "many:2");
  BOOST_TEST(opened("alpha two") == "many:1");
  BOOST_TEST(opened("HA ON") == "many:0");
  BOOST_TEST(opened("Centauri") == "many:2");
  BOOST_TEST(opened("") == "openmp:0");
}

BOOST_AUTO_TEST_CASE(a_text_that_fits_several_is_refused_with_the_choices) {
  for (const auto* text : {"alpha", "greek", "many", "all"}) {
    const auto answer = opened(text);
    BOOST_TEST(answer.starts_with(std::string("InvalidInput: '") + text + "'"), answer);
    BOOST_TEST(has(answer, "many:0 (Alpha One), many:1 (Alpha Two)"));
  }
  BOOST_TEST(opened("greek").find("many:2") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_text_that_fits_none_is_refused_with_what_there_is) {
  for (const auto* text : {"gamma", "many:3", "many:", "many:99999999999999999999", "opencl:77", ":", "many:1x", "1",
                           "0", "01", "-1", "+1", "1.0", ":1", "8128", "1)", "\u0661"}) {
    const auto answer = opened(text);
    BOOST_TEST(answer.starts_with(std::string("NoDevice: no device matches '") + text + "'"), answer);
    BOOST_TEST(has(answer, "openmp:0 ("));
  }
  BOOST_TEST(has(opened("gamma"), "many:2 (Beta)"));
  BOOST_TEST(has(opened(" 1 "), "no device matches '1', for a number is not a part of a name; there are: openmp:0 ("));
  BOOST_TEST(opened("centauri 8128") == "many:2");
}

BOOST_AUTO_TEST_CASE(the_environment_names_the_default) {
  const Variable other("CLOPT_DEVICE", "beta");
  BOOST_TEST(opened("") == "many:2");
  BOOST_TEST(opened("many:0") == "many:0");
  const Variable none("CLOPT_DEVICE", "gamma");
  BOOST_TEST(opened("").starts_with("NoDevice: no device matches 'gamma' in CLOPT_DEVICE; there are: "));
  BOOST_TEST(opened("gamma").find("CLOPT_DEVICE") == std::string::npos);
  const Variable several("CLOPT_DEVICE", "alpha");
  BOOST_TEST(opened("").starts_with("InvalidInput: 'alpha' in CLOPT_DEVICE fits several devices: many:0"));
  const Variable empty("CLOPT_DEVICE", "many:0,,many:1");
  BOOST_TEST(opened("").starts_with("InvalidInput: 'many:0,,many:1' in CLOPT_DEVICE names no device"));
}

BOOST_AUTO_TEST_CASE(several_texts_name_each_device_once) {
  const Variable none("CLOPT_DEVICE", "");
  BOOST_TEST(all_opened({"many"}) == "many:0 many:1 many:2 ");
  BOOST_TEST(all_opened({"beta", "alpha", "many:2"}) == "many:2 many:0 many:1 ");
  BOOST_TEST(all_opened({}) == "openmp:0 ");
  BOOST_TEST(has(all_opened({"many:0", "gamma"}), "exception: no device matches 'gamma'"));
  BOOST_TEST(has(all_opened({"openmp", "many"}), "openmp:0 many:0 many:1 many:2 "));
  const Folder no_vendors;
  const Variable vendors("OCL_ICD_VENDORS", no_vendors.path());
  BOOST_TEST(all_opened({"all"}) == "openmp:0 many:0 many:1 many:2 ");
}

BOOST_AUTO_TEST_SUITE_END()
