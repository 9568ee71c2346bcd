#include <boost/test/unit_test.hpp>

#include <clopt/version.hpp>

#include <set>
#include <string>
#include <vector>

#include <support/folder.hpp>
#include "run.hpp"

using clopt::test::Call;
using clopt::test::run;
using clopt::test::TemporaryFolder;

namespace {

const std::vector<std::string> small_run{"subset-sum", "--instance", "half-small:20", "--json"};

nlohmann::json solved_instance(const std::vector<std::string>& arguments, const std::string& input = {},
                               int status = 0) {
  auto words = arguments;
  words.insert(words.end(), {"--json"});
  const auto outcome = run(words, input);
  BOOST_TEST_CONTEXT(outcome.error) {
    BOOST_REQUIRE(outcome.status == status);
    BOOST_TEST(outcome.error.empty());
    BOOST_TEST(std::count(outcome.output.begin(), outcome.output.end(), '\n') == 1);
  }
  return outcome.json();
}

std::set<std::string> names(const nlohmann::json& object) {
  std::set<std::string> all;
  for (const auto& [name, value] : object.items()) all.insert(name);
  return all;
}

void has_fields(const nlohmann::json& object, const std::vector<std::string>& wanted) {
  const auto there = names(object);
  for (const auto& name : wanted) BOOST_TEST(there.count(name) == 1U, "no field " << name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_results)

BOOST_AUTO_TEST_CASE(version_and_help) {
  BOOST_TEST(run({"--version"}).output == std::string(clopt::version()) + "\n");
  const auto help = run({"--help"});
  BOOST_TEST(help.status == 0);
  for (const char* name : {"subset-sum", "genetic", "differential-evolution", "ecga", "exchange", "devices", "validate",
                           "bench", "tune", "cache"}) {
    BOOST_TEST(help.output.find(name) != std::string::npos);
    const auto own = run({name, "--help"});
    BOOST_TEST(own.status == 0);
    BOOST_TEST(own.error.empty());
    BOOST_TEST(own.output.find("Options:") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(subset_sum_has_the_fields_of_the_contract) {
  const auto result = solved_instance({"subset-sum", "-", "--capacity", "300", "--device", "openmp:0", "--seed", "7"},
                                      "31 41 59 26 53 58 97 93 23 84 # ten\n");
  has_fields(result, {"problem", "device", "method", "seed", "seconds", "checksum", "version", "n", "capacity", "value",
                      "optimal", "indices"});
  BOOST_TEST(result["problem"] == "subset-sum");
  BOOST_TEST(result["device"].size() == 1U);
  BOOST_TEST(result["device"][0]["id"] == "openmp:0");
  BOOST_TEST(!result["device"][0]["name"].get<std::string>().empty());
  has_fields(result["seconds"], {"total", "compute", "read", "open", "build"});
  BOOST_TEST(result["seconds"]["total"].get<double>() >= result["seconds"]["compute"].get<double>());
  BOOST_TEST(result["seed"] == 7);
  BOOST_TEST(result["n"] == 10);
  BOOST_TEST(result["capacity"] == 300);
  BOOST_TEST(result["value"] == 300);
  BOOST_TEST(result["optimal"] == true);
  BOOST_TEST(result["version"] == std::string(clopt::version()));
  BOOST_TEST(result["checksum"].get<std::string>().find_first_not_of("0123456789abcdef") == std::string::npos);
  const std::vector<std::uint64_t> weights{31, 41, 59, 26, 53, 58, 97, 93, 23, 84};
  std::uint64_t sum = 0;
  for (const auto& index : result["indices"]) sum += weights.at(index.get<std::size_t>());
  BOOST_TEST(sum == 300U);
}

// Amounts of money: decimals of either sign, zeros, and a question that has yes or no for an answer.
BOOST_AUTO_TEST_CASE(subset_sum_of_amounts) {
  const clopt::test::TemporaryFolder folder;
  const auto chosen = (folder.path() / "chosen").string();
  const auto amounts = [&](const std::string& capacity, const char* option) {
    Call call;
    call.arguments = {"subset-sum", "-", "--capacity", capacity, "--json", "--output", chosen, "--device", "openmp:0"};
    if (option) call.arguments.emplace_back(option);
    call.input = "12.50, 3.25; -4\n0 7\n";
    return run(call);
  };
  const auto yes = amounts("11.75", "--exactly");
  BOOST_TEST(yes.status == 0);
  BOOST_TEST(yes.json()["value"] == 1175);
  BOOST_TEST(yes.json()["scale"] == 100);
  BOOST_TEST(yes.json()["value_text"] == "11.75");
  BOOST_TEST(yes.json()["reached"] == true);
  BOOST_TEST(yes.json()["zeros"] == 1);
  BOOST_TEST(yes.json()["indices"] == nlohmann::json({0, 1, 2}));
  BOOST_TEST(clopt::test::read_file(chosen) == "0,12.50\n1,3.25\n2,-4.00\n");
  const auto no = amounts("11.80", "--exactly");
  BOOST_TEST(no.status == 4);
  BOOST_TEST(no.json()["reached"] == false);
  BOOST_TEST(no.json()["optimal"] == true);
  BOOST_TEST(no.json()["value"] == 1175);
  BOOST_TEST(amounts("11.80", nullptr).status == 0);
  const auto negative = amounts("-3.9", nullptr);
  BOOST_TEST(negative.status == 0);
  BOOST_TEST(negative.json()["value_text"] == "-4.00");
  const auto impossible = amounts("-4.01", nullptr);
  BOOST_TEST(impossible.status == 4);
  BOOST_TEST(impossible.json()["possible"] == false);
  BOOST_TEST(impossible.json()["value"].is_null());
  BOOST_TEST(impossible.json()["solved_by"] == "preprocessing");
}

BOOST_AUTO_TEST_CASE(integers_are_exact) {
  const auto result =
      solved_instance({"subset-sum", "-", "--capacity", "9223372036854775807", "--seed", "18446744073709551615"},
                      "9223372036854775805 9223372036854775804 1\n");
  BOOST_TEST(result["capacity"].get<std::uint64_t>() == 9223372036854775807U);
  BOOST_TEST(result["value"].get<std::uint64_t>() == 9223372036854775806U);
  BOOST_TEST(result["seed"].get<std::uint64_t>() == 18446744073709551615U);
  BOOST_TEST(solved_instance({"subset-sum", "-", "--capacity", "0"}, "5")["value"] == 0);
}

BOOST_AUTO_TEST_CASE(seeds_methods_and_threads) {
  const auto first = solved_instance({"subset-sum", "--instance", "half-small:20", "--seed", "1"});
  BOOST_TEST(first["checksum"] == solved_instance({"subset-sum", "--instance", "half-small:20"})["checksum"]);
  BOOST_TEST(first["checksum"] !=
             solved_instance({"subset-sum", "--instance", "half-small:20", "--seed", "2"})["checksum"]);
  std::set<std::string> checksums;
  for (const char* method : {"bellman", "meet-in-the-middle", "yanasse-soma", "k3-32"})
    for (const char* threads : {"1", "2", "3"}) {
      const auto result = solved_instance({"subset-sum", "--instance", "half-small:20", "--no-reduce", "--method",
                                           method, "--threads", threads, "--device", "openmp:0", "--quiet"});
      BOOST_TEST(result["method"] == method);
      BOOST_TEST(result["optimal"] == true);
      checksums.insert(result["checksum"].get<std::string>());
    }
  for (const char* recovery : {"table", "checkpoints"}) {
    const auto result = solved_instance({"subset-sum", "--instance", "half-small:20", "--no-reduce", "--method",
                                         "k3-64", "--device", "openmp:0", "--recovery", recovery});
    BOOST_TEST(result["recovery"] == recovery);
    BOOST_TEST(result["recovery_bytes"].get<std::uint64_t>() > 0U);
    checksums.insert(result["checksum"].get<std::string>());
  }
  BOOST_TEST(checksums.size() == 1U);
}

BOOST_AUTO_TEST_CASE(people_can_read_it) {
  const auto outcome = run({"subset-sum", "--instance", "half:1000", "--device", "openmp:0"});
  BOOST_TEST(outcome.status == 0);
  BOOST_TEST(outcome.error.empty());  // no bar where there is no terminal
  for (const char* part : {"value", "optimal", "--json", "checksum", "openmp:0"})
    BOOST_TEST(outcome.output.find(part) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(devices_have_the_fields_of_the_contract) {
  const auto list = solved_instance({"devices"});
  has_fields(list, {"devices", "unavailable"});
  BOOST_TEST(list["devices"][0]["id"] == "openmp:0");
  for (const auto& device : list["devices"]) {
    has_fields(device, {"id", "backend", "platform", "name", "version", "compute_units", "global_memory_bytes",
                        "max_allocation_bytes", "local_memory_bytes", "max_work_group_size", "subgroup", "self_test"});
    has_fields(device["subgroup"], {"provider", "size"});
    BOOST_TEST(device["subgroup"]["size"].get<int>() >= 1);
  }
}

BOOST_AUTO_TEST_CASE(validation_agrees) {
  const auto result = solved_instance({"validate", "--solver", "subset-sum", "--device", "openmp:0"});
  BOOST_TEST(result["agree"] == true);
  std::set<std::string> cases;
  for (const auto& each : result["cases"]) {
    BOOST_TEST(each["agree"] == true);
    BOOST_TEST(each["checksums"].contains("openmp:0"));
    cases.insert(each["case"].get<std::string>());
  }
  BOOST_TEST(cases.size() == result["cases"].size());
  BOOST_TEST(cases.count("subset-sum/k3-32/half:100") == 1U);
}

BOOST_AUTO_TEST_CASE(auto_says_what_it_compared) {
  const auto result = solved_instance({"subset-sum", "-", "--capacity", "133", "--no-reduce", "--device", "openmp:0"},
                                      "70 70 80 90 90\n");
  BOOST_TEST(result["value"] == 90);
  BOOST_REQUIRE(!result["candidates"].empty());
  BOOST_TEST(result["candidates"][0]["method"] == result["method"]);
  for (const auto& each : result["candidates"]) has_fields(each, {"method", "seconds", "bytes", "fits"});
  BOOST_TEST(result["reason"].get<std::string>().find("predicted") != std::string::npos);
  BOOST_TEST(!solved_instance({"subset-sum", "--instance", "half:1000"}).contains("candidates"));
}

BOOST_AUTO_TEST_CASE(tables_have_rows_with_the_paper_s_figures) {
  const std::vector<std::string> bench{"bench", "--solver", "subset-sum", "--device", "openmp:0", "--time-limit"};
  const auto measured = [&](const char* table, const char* limit) {
    auto words = bench;
    words.insert(words.end(), {limit, "--table", table});
    const auto result = solved_instance(words);
    has_fields(result, {"solver", "device", "tables", "version", "seconds"});
    BOOST_TEST(result["tables"].size() == 1U);
    BOOST_TEST(result["tables"][0]["table"] == table);
    return result["tables"][0]["rows"];
  };
  const auto rows = measured("6.1", "0.05");
  std::set<std::string> methods;
  for (const auto& row : rows) {
    has_fields(row, {"instance", "method", "compute", "total", "rate", "paper", "ratio", "note"});
    methods.insert(row["method"].get<std::string>());
    if (row["instance"] == "half:1000" && row["method"] == "k3-32") BOOST_TEST(row["paper"] == "0.24 s");
    if (row["instance"] == "p:1000" && row["method"] == "bbe") BOOST_TEST(row["paper"] == "out of memory");
    if (row["method"] == "auto") BOOST_TEST((row["total"].is_number() || !row["note"].get<std::string>().empty()));
    if (row["method"] == "k1" && row["instance"] == "p:1000") BOOST_TEST(!row["note"].get<std::string>().empty());
  }
  BOOST_TEST(rows.size() == 80U);
  BOOST_TEST(methods.size() == 10U);
  for (const auto& row : measured("6.2", "1"))
    if (row["method"] == "k1")
      BOOST_TEST(row["bytes_a_capacity"].get<double>() == 4.0, boost::test_tools::tolerance(0.01));
  BOOST_TEST(measured("6.3", "0.01").size() >= 2U);
  BOOST_TEST(measured("6.4", "0.01").size() >= 6U);
}

BOOST_AUTO_TEST_CASE(tuning_is_remembered) {
  const TemporaryFolder folder;
  const auto with_cache = [&](const std::vector<std::string>& words) {
    Call call;
    call.arguments = words;
    call.environment["CLOPT_CACHE_DIR"] = folder.path().string();
    const auto outcome = run(call);
    BOOST_REQUIRE(outcome.status == 0);
    return outcome.json();
  };
  const std::vector<std::string> tiny{"subset-sum", "--instance", "uniform:30", "--no-reduce", "--device",
                                      "openmp:0",   "--threads",  "1",          "--json"};
  const auto before = with_cache(tiny);
  const auto tuned = with_cache({"tune", "--solver", "subset-sum", "--device", "openmp:0", "--threads", "1", "--json"});
  BOOST_TEST(tuned["remembered"] == true);
  BOOST_TEST(tuned["devices"][0]["subset-sum"]["sweeps"]["k3-32"]["capacities_a_second"].get<double>() > 0);
  const auto after = with_cache(tiny);
  BOOST_TEST(before["value"] == after["value"]);
  const auto predicted = [](const nlohmann::json& result, const char* method) {
    for (const auto& each : result["candidates"])
      if (each["method"] == method) return each["seconds"].get<double>();
    return -1.0;
  };
  // Measured figures are never the built-in ones to the last digit.
  BOOST_TEST(predicted(before, "k1") != predicted(after, "k1"));
  BOOST_TEST(with_cache({"cache", "--json"})["kinds"]["tuning"]["entries"] == 1);
}

BOOST_AUTO_TEST_CASE(the_device_s_cases_agree_with_openmp, *boost::unit_test::label("device")) {
  const auto result = solved_instance({"validate", "--solver", "subset-sum"});
  BOOST_TEST(result["agree"] == true);
  const char* const device = std::getenv("CLOPT_TEST_DEVICE");
  for (const auto& each : result["cases"])
    if (each["case"] == "subset-sum/k3-32/half:100")
      BOOST_TEST(each["checksums"].contains(device ? device : "openmp:0"));
}

BOOST_AUTO_TEST_CASE(several_devices_are_refused_with_the_choices, *boost::unit_test::label("device")) {
  const bool several = run({"devices", "--json"}).json()["devices"].size() > 1;
  const auto all = run({"subset-sum", "--instance", "half:10", "--device", "all"});
  BOOST_TEST(all.status == (several ? 2 : 0));
  if (several) BOOST_TEST(all.error.find("opencl:0") != std::string::npos);
  Call named;
  named.arguments = small_run;
  named.environment["CLOPT_DEVICE"] = "OpenMP:0";
  const auto outcome = run(named);
  BOOST_REQUIRE(outcome.status == 0);
  BOOST_TEST(outcome.json()["device"][0]["id"] == "openmp:0");
  if (several) {
    named.environment["CLOPT_DEVICE"] = "opencl:0,openmp:0";
    BOOST_TEST(run(named).status == 2);
  }
}

BOOST_AUTO_TEST_SUITE_END()
