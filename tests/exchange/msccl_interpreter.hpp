/// \file
/// Carries out algorithms in MSCCL's XML as its runtime does: thread blocks side by side, each with its steps in order;
/// connections between two ranks over one channel, which hold few chunks and deliver them in order; steps that wait for
/// one of another thread block. Shares no code with what writes them.
#pragma once

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace clopt::test {

/// A chunk of data: who had it first, and at which place of its input.
struct Chunk {
  int rank = 0;
  int place = 0;
  auto operator<=>(const Chunk&) const = default;
};

/// What is wrong with an algorithm.
struct WrongAlgorithm : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class MscclInterpreter {
 public:
  /// \throws WrongAlgorithm for what is no algorithm.
  explicit MscclInterpreter(const std::string& text) {
    boost::property_tree::ptree tree;
    try {
      std::istringstream stream(text);
      boost::property_tree::read_xml(stream, tree);
    } catch (const boost::property_tree::xml_parser_error& error) {
      throw WrongAlgorithm(std::string("no XML: ") + error.what());
    }
    const auto root = tree.get_child_optional("algo");
    if (!root) throw WrongAlgorithm("there is no element algo");
    name_ = "algo";
    channels_ = number(*root, "nchannels");
    coll_ = word(*root, "coll");
    const auto gpus = number(*root, "ngpus");
    for (const auto& [kind, gpu] : *root)
      if (kind == "gpu") read_gpu(gpu);
    if (gpus != std::ssize(ranks_)) throw WrongAlgorithm("ngpus is not the number of elements gpu");
    check_references();
  }

  int ranks() const { return static_cast<int>(ranks_.size()); }
  int channels() const { return channels_; }
  const std::string& coll() const { return coll_; }

  /// Runs all thread blocks, of which a random one makes the next step, and looks whether each wanted chunk has
  /// arrived: that of sender and receiver at the sender's place of the receiver's output. \param wanted pairs, each as
  /// often as it has chunks, of which a peer has places for \p width. \param capacity chunks that a connection holds
  /// before its sender waits. \throws WrongAlgorithm for a deadlock, what is read before it is
  /// written, and what did not arrive.
  void run(const std::vector<std::pair<int, int>>& wanted, std::size_t capacity, std::uint64_t seed,
           int width = 1) const {
    Machine machine{{}, {}, std::vector<std::vector<std::size_t>>(ranks_.size())};
    for (int rank = 0; rank < ranks(); ++rank) {
      const auto& own = ranks_[static_cast<std::size_t>(rank)];
      machine.done[static_cast<std::size_t>(rank)].resize(own.blocks.size());
      for (int place = 0; place < own.input; ++place) machine.memory[{rank, 'i', place}] = {rank, place};
    }
    std::mt19937_64 random(seed);
    std::vector<std::pair<int, std::size_t>> blocks;
    for (int rank = 0; rank < ranks(); ++rank)
      for (std::size_t block = 0; block < ranks_[static_cast<std::size_t>(rank)].blocks.size(); ++block)
        blocks.emplace_back(rank, block);
    for (bool moved = true; moved;) {
      moved = false;
      std::shuffle(blocks.begin(), blocks.end(), random);
      for (const auto& [rank, block] : blocks) moved |= step(machine, rank, block, capacity);
    }
    for (const auto& [rank, block] : blocks) {
      const auto done = machine.done[static_cast<std::size_t>(rank)][block];
      if (done < ranks_[static_cast<std::size_t>(rank)].blocks[block].steps.size())
        throw WrongAlgorithm("deadlock: " + place_of(rank, block, done) + " waits for ever");
    }
    for (const auto& [connection, chunks] : machine.connections)
      if (!chunks.empty()) throw WrongAlgorithm("a chunk was sent and never received");
    std::map<std::pair<int, int>, int> copies;
    for (const auto& [from, to] : wanted) {
      const int copy = copies[{from, to}]++;
      const auto found = machine.memory.find({to, 'o', from * width + copy});
      const auto what = "the chunk from " + std::to_string(from) + " to " + std::to_string(to);
      if (found == machine.memory.end()) throw WrongAlgorithm(what + " did not arrive");
      if (found->second != Chunk{from, to * width + copy}) throw WrongAlgorithm(what + " is another one");
    }
  }

  /// The wanted chunks of a complete exchange: each rank's for every rank, itself included.
  std::vector<std::pair<int, int>> all_to_all() const {
    std::vector<std::pair<int, int>> pairs;
    for (int from = 0; from < ranks(); ++from)
      for (int to = 0; to < ranks(); ++to) pairs.emplace_back(from, to);
    return pairs;
  }

 private:
  using Tree = boost::property_tree::ptree;

  struct Step {
    std::string type;
    char source = 'i', target = 'o';
    int source_place = 0, target_place = 0, count = 0;
    int waits_block = -1, waits_step = -1;
    bool is_waited_for = false;
  };
  struct Block {
    int sends_to = -1, receives_from = -1, channel = 0;
    std::vector<Step> steps;
  };
  struct Rank {
    int input = 0, output = 0, scratch = 0;
    std::vector<Block> blocks;
  };
  struct Machine {
    std::map<std::tuple<int, char, int>, Chunk> memory;                  ///< by rank, buffer and place
    std::map<std::tuple<int, int, int>, std::deque<Chunk>> connections;  ///< by sender, receiver and channel
    std::vector<std::vector<std::size_t>> done;                          ///< steps of each thread block of each rank
  };

  std::string word(const Tree& element, const char* attribute) const {
    const auto found = element.get_optional<std::string>(std::string("<xmlattr>.") + attribute);
    if (!found) throw WrongAlgorithm(name_ + " has no attribute " + attribute);
    return *found;
  }
  int number(const Tree& element, const char* attribute) const {
    const auto text = word(element, attribute);
    std::size_t end = 0;
    int value = 0;
    try {
      value = std::stoi(text, &end);
    } catch (const std::exception&) {
      end = 0;
    }
    if (end == 0 || end != text.size()) throw WrongAlgorithm(name_ + ": " + attribute + " is no number: " + text);
    return value;
  }
  char buffer(const Tree& element, const char* attribute) const {
    const auto text = word(element, attribute);
    if (text != "i" && text != "o" && text != "s") throw WrongAlgorithm(name_ + " names no buffer: " + text);
    return text[0];
  }
  std::string place_of(int rank, std::size_t block, std::size_t step) const {
    return "step " + std::to_string(step) + " of thread block " + std::to_string(block) + " of rank " +
           std::to_string(rank);
  }

  void read_gpu(const Tree& gpu) {
    const auto rank = static_cast<int>(ranks_.size());
    name_ = "gpu " + std::to_string(rank);
    if (number(gpu, "id") != rank) throw WrongAlgorithm(name_ + " has another id");
    Rank own{number(gpu, "i_chunks"), number(gpu, "o_chunks"), number(gpu, "s_chunks"), {}};
    // A connection belongs to one thread block at each of its ends.
    std::set<std::tuple<bool, int, int>> ends;
    for (const auto& [kind, element] : gpu) {
      if (kind != "tb") continue;
      name_ = "thread block " + std::to_string(own.blocks.size()) + " of rank " + std::to_string(rank);
      if (number(element, "id") != std::ssize(own.blocks)) throw WrongAlgorithm(name_ + " has another id");
      Block block{number(element, "send"), number(element, "recv"), number(element, "chan"), {}};
      if (block.channel < 0 || block.channel >= channels_) throw WrongAlgorithm(name_ + " has no such channel");
      if (block.sends_to >= 0 && !ends.insert({true, block.sends_to, block.channel}).second)
        throw WrongAlgorithm(name_ + " sends where another thread block does");
      if (block.receives_from >= 0 && !ends.insert({false, block.receives_from, block.channel}).second)
        throw WrongAlgorithm(name_ + " receives where another thread block does");
      for (const auto& [inner, step] : element)
        if (inner == "step") read_step(step, block);
      own.blocks.push_back(std::move(block));
    }
    ranks_.push_back(std::move(own));
  }

  void read_step(const Tree& element, Block& block) {
    Step step;
    if (number(element, "s") != std::ssize(block.steps)) throw WrongAlgorithm(name_ + " has steps out of order");
    step.type = word(element, "type");
    if (step.type != "s" && step.type != "r" && step.type != "cpy" && step.type != "nop" && step.type != "rcs")
      throw WrongAlgorithm(name_ + " has a step of an unknown type: " + step.type);
    step.source = buffer(element, "srcbuf");
    step.source_place = number(element, "srcoff");
    step.target = buffer(element, "dstbuf");
    step.target_place = number(element, "dstoff");
    step.count = number(element, "cnt");
    step.waits_block = number(element, "depid");
    step.waits_step = number(element, "deps");
    step.is_waited_for = number(element, "hasdep") != 0;
    block.steps.push_back(std::move(step));
  }

  void check_references() const {
    for (int rank = 0; rank < ranks(); ++rank) {
      const auto& own = ranks_[static_cast<std::size_t>(rank)];
      for (std::size_t b = 0; b < own.blocks.size(); ++b) {
        const auto& block = own.blocks[b];
        if (std::max(block.sends_to, block.receives_from) >= ranks())
          throw WrongAlgorithm("a thread block of rank " + std::to_string(rank) + " has a peer that is not there");
        for (std::size_t s = 0; s < block.steps.size(); ++s) check_step(rank, b, s);
      }
    }
  }

  void check_step(int rank, std::size_t b, std::size_t s) const {
    const auto& own = ranks_[static_cast<std::size_t>(rank)];
    const auto& step = own.blocks[b].steps[s];
    const auto name = place_of(rank, b, s);
    const auto room = [&](char buffer) { return buffer == 'i' ? own.input : buffer == 'o' ? own.output : own.scratch; };
    const bool sends = step.type == "s" || step.type == "rcs";
    const bool receives = step.type == "r" || step.type == "rcs";
    if (sends && own.blocks[b].sends_to < 0) throw WrongAlgorithm(name + " sends without a peer");
    if (receives && own.blocks[b].receives_from < 0) throw WrongAlgorithm(name + " receives without a peer");
    const bool reads = step.type == "s" || step.type == "cpy";
    const bool writes = receives || step.type == "cpy";
    if (reads && (step.source_place < 0 || step.count < 1 || step.source_place + step.count > room(step.source)))
      throw WrongAlgorithm(name + " reads beyond its buffer");
    if (writes && (step.target_place < 0 || step.count < 1 || step.target_place + step.count > room(step.target)))
      throw WrongAlgorithm(name + " writes beyond its buffer");
    if (step.waits_block < 0) return;
    if (step.waits_block >= std::ssize(own.blocks) || step.waits_step < 0 ||
        step.waits_step >= std::ssize(own.blocks[static_cast<std::size_t>(step.waits_block)].steps))
      throw WrongAlgorithm(name + " waits for a step that is not there");
    if (!own.blocks[static_cast<std::size_t>(step.waits_block)]
             .steps[static_cast<std::size_t>(step.waits_step)]
             .is_waited_for)
      throw WrongAlgorithm(name + " waits for a step that does not tell of its end");
  }

  // Makes the next step of a thread block. \returns false where it has none or has to wait.
  bool step(Machine& machine, int rank, std::size_t b, std::size_t capacity) const {
    const auto& own = ranks_[static_cast<std::size_t>(rank)];
    auto& done = machine.done[static_cast<std::size_t>(rank)];
    const auto& block = own.blocks[b];
    if (done[b] == block.steps.size()) return false;
    const auto& step = block.steps[done[b]];
    if (step.waits_block >= 0 &&
        done[static_cast<std::size_t>(step.waits_block)] <= static_cast<std::size_t>(step.waits_step))
      return false;
    const bool receives = step.type == "r" || step.type == "rcs";
    const bool sends = step.type == "s" || step.type == "rcs";
    const auto count = static_cast<std::size_t>(step.count);
    auto* const arriving = receives ? &machine.connections[{block.receives_from, rank, block.channel}] : nullptr;
    auto* const leaving = sends ? &machine.connections[{rank, block.sends_to, block.channel}] : nullptr;
    if (arriving && arriving->size() < count) return false;
    if (leaving && leaving->size() + count > std::max(capacity, count)) return false;
    for (int i = 0; i < (step.type == "nop" ? 0 : step.count); ++i) {
      Chunk chunk;
      if (arriving) {
        chunk = arriving->front();
        arriving->pop_front();
      } else {
        const auto found = machine.memory.find({rank, step.source, step.source_place + i});
        if (found == machine.memory.end())
          throw WrongAlgorithm(place_of(rank, b, done[b]) + " reads what nothing was written to");
        chunk = found->second;
      }
      if (leaving) leaving->push_back(chunk);
      if (step.type != "s") machine.memory[{rank, step.target, step.target_place + i}] = chunk;
    }
    ++done[b];
    return true;
  }

  std::vector<Rank> ranks_;
  std::string name_;
  std::string coll_;
  int channels_ = 0;
};

}  // namespace clopt::test
