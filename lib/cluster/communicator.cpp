#include "communicator.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <thread>

namespace clopt::cluster {
namespace {

// Messages that poll() begins to receive before it hands any over.
constexpr int most_begun = 256;
// What an MPI may take to abort a job.
constexpr std::chrono::seconds longest_abort{2};

}  // namespace

Communicator::Communicator(const clopt_cluster_module& module) : module_(module) {
  require(module_.initialise(), "MPI_Init_thread");
  rank_ = module_.rank();
  ranks_ = module_.size();
  require(module_.place_on_node(&local_rank_, &local_ranks_), "MPI_Comm_split_type");
}

void Communicator::require(int code, const char* call) const {
  if (code == 0) return;
  std::array<char, 512> text{};
  module_.error_text(code, text.data(), static_cast<int>(text.size()));
  throw Error(fmt::format("MPI fails: {}: {}", call, text.data()));
}

std::string Communicator::library() const {
  std::array<char, 1024> text{};
  module_.library(text.data(), static_cast<int>(text.size()));
  const std::string_view all = text.data();
  std::string line(all.substr(0, all.find('\n')));
  if (const auto comma = line.find(','); comma != std::string::npos) line.resize(comma);
  // MPICH says so, with tabs and spaces between the words.
  if (const auto word = line.find(" Version:"); word != std::string::npos) line.erase(word, 9);
  std::string words;
  for (const char letter : line) {
    const char shown = letter == '\t' ? ' ' : letter;
    if (shown != ' ' || (!words.empty() && words.back() != ' ')) words += shown;
  }
  return words;
}

std::vector<std::string> Communicator::gather(const std::string& text) {
  const int own = static_cast<int>(text.size());
  std::vector<int> sizes(static_cast<std::size_t>(ranks_), static_cast<int>(sizeof(int)));
  std::vector<int> places(sizes.size());
  std::exclusive_scan(sizes.begin(), sizes.end(), places.begin(), 0);
  std::vector<int> lengths(sizes.size());
  require(module_.all_gather(&own, static_cast<int>(sizeof own), lengths.data(), sizes.data(), places.data()),
          "MPI_Allgatherv");
  std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
  std::string all(static_cast<std::size_t>(places.back() + lengths.back()), '\0');
  require(module_.gather(text.data(), own, all.data(), lengths.data(), places.data(), 0), "MPI_Gatherv");
  if (rank_ != 0) return {};
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < sizes.size(); ++r)
    texts.push_back(all.substr(static_cast<std::size_t>(places[r]), static_cast<std::size_t>(lengths[r])));
  return texts;
}

std::string Communicator::broadcast(std::string text) {
  std::uint64_t size = text.size();
  require(module_.broadcast(&size, static_cast<int>(sizeof size), 0), "MPI_Bcast");
  text.resize(size);
  require(module_.broadcast(text.data(), static_cast<int>(size), 0), "MPI_Bcast");
  return text;
}

void Communicator::send(int rank, Bytes message) {
  if (message.size() > most_bytes) throw InternalError("a message to another rank is larger than 1 GiB");
  bytes_ += message.size();
  auto& transfer = outgoing_.emplace_back(Transfer{rank, std::move(message), nullptr});
  require(
      module_.begin_send(rank, transfer.message.data(), static_cast<int>(transfer.message.size()), &transfer.handle),
      "MPI_Isend");
}

void Communicator::test(Transfer& transfer) {
  if (transfer.is_done) return;
  int is_done = 0;
  require(module_.test(transfer.handle, &is_done), "MPI_Test");
  transfer.is_done = is_done != 0;
}

// \returns whether a message has begun to come.
bool Communicator::begin_receiving() {
  for (int begun = 0; begun < most_begun; ++begun) {
    int has_come = 0;
    int source = 0;
    int size = 0;
    require(module_.probe(&has_come, &source, &size), "MPI_Iprobe");
    if (has_come == 0) return begun != 0;
    bytes_ += static_cast<std::uint64_t>(size);
    auto& transfer = incoming_.emplace_back(Transfer{source, Bytes(static_cast<std::size_t>(size)), nullptr});
    require(module_.begin_receive(source, transfer.message.data(), size, &transfer.handle), "MPI_Irecv");
    test(transfer);
  }
  return true;
}

bool Communicator::poll(const std::function<void(int rank, Bytes message)>& take) {
  for (auto& transfer : outgoing_) test(transfer);
  outgoing_.remove_if([](const Transfer& transfer) { return transfer.is_done; });
  const bool has_begun = begin_receiving();
  std::list<Transfer> complete;
  std::vector<int> held;  // ranks with a message that is not complete
  for (auto each = incoming_.begin(); each != incoming_.end();) {
    const auto current = each++;
    test(*current);
    if (std::find(held.begin(), held.end(), current->rank) != held.end()) continue;
    if (current->is_done)
      complete.splice(complete.end(), incoming_, current);
    else
      held.push_back(current->rank);
  }
  for (auto& transfer : complete) take(transfer.rank, std::move(transfer.message));
  return has_begun || !complete.empty();
}

void Communicator::finalise() { require(module_.finalise(), "MPI_Finalize"); }

void Communicator::abort(int status) {
  // MPICH waits here for messages to a rank that is stopped. A process that ends by a status above 0 ends its job.
  std::thread([] {
    std::this_thread::sleep_for(longest_abort);
    ::_exit(1);
  }).detach();
  module_.abort(status);
  ::_exit(status);
}

}  // namespace clopt::cluster
