// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A fake NCCL without a GPU: the ranks of a group are threads of one process, which find each other
// by the group's id. It reduces host memory, and each reduction waits for all others. Unlike NCCL
// it does not wait for them to join the group, so that one may be in another process, from where it
// never reduces.
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <vector>

#include "core/cuda/libraries/nccl_library.h"

namespace {

using millrace::nccl::Code;
using millrace::nccl::Id;

constexpr Code kInvalid = 4;
constexpr Code kEnded = 7;

struct Part {
  const float* from;
  float* to;
};

/// What the ranks of a group share.
struct Rendezvous {
  std::vector<Part> parts;  ///< of the waiting ranks
  std::uint64_t round = 0;
  std::size_t world = 0;

  void reduce(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (const Part& part : parts) sum += double{part.from[i]};
      for (const Part& part : parts)
        part.to[i] = static_cast<float>(sum / static_cast<double>(world));
    }
    parts.clear();
    ++round;
  }
};

std::mutex g_mutex;
std::condition_variable g_changed;
std::uint64_t g_ids = 0;
int g_reductions = 0;
std::map<std::uint64_t, Rendezvous> g_rendezvous;

}  // namespace

namespace millrace::nccl {

struct OpaqueGroup {
  Rendezvous* rendezvous;
  bool ended = false;
};

}  // namespace millrace::nccl

namespace {

using Group = millrace::nccl::OpaqueGroup;
// Kept, because work that was enqueued may run after they have ended.
std::list<Group> g_groups;

}  // namespace

extern "C" {

int millraceOnHostMemory() { return 1; }
/// The number of completed reductions.
int millraceReductions() {
  const std::lock_guard lock(g_mutex);
  return g_reductions;
}

Code ncclGetVersion(int* version) {
  *version = 22809;
  return 0;
}
const char* ncclGetErrorString(Code code) { return code == 0 ? "fine" : "bad argument"; }
Code ncclGetUniqueId(Id* id) {
  const std::lock_guard lock(g_mutex);
  const std::uint64_t number = ++g_ids;
  *id = {};
  std::memcpy(id->bytes, &number, sizeof number);
  return 0;
}
Code ncclCommInitRank(Group** group, int ranks, Id id, int rank) {
  if (rank < 0 || rank >= ranks) return kInvalid;
  std::uint64_t number = 0;
  std::memcpy(&number, id.bytes, sizeof number);
  const std::lock_guard lock(g_mutex);
  Rendezvous& rendezvous = g_rendezvous[number];
  if (rendezvous.world != 0 && rendezvous.world != static_cast<std::size_t>(ranks)) return kInvalid;
  rendezvous.world = static_cast<std::size_t>(ranks);
  *group = &g_groups.emplace_back(Group{&rendezvous});
  return 0;
}
Code ncclAllReduce(const void* from, void* to, std::size_t count, int type, int operation,
                   Group* group, void*) {
  if (type != millrace::nccl::kFloat32 || operation != millrace::nccl::kAverage) return kInvalid;
  std::unique_lock lock(g_mutex);
  if (group->ended) return kEnded;
  Rendezvous& rendezvous = *group->rendezvous;
  const std::uint64_t round = rendezvous.round;
  rendezvous.parts.push_back({static_cast<const float*>(from), static_cast<float*>(to)});
  if (rendezvous.parts.size() == rendezvous.world) {
    rendezvous.reduce(count);
    ++g_reductions;
    g_changed.notify_all();
    return 0;
  }
  g_changed.wait(lock, [&] { return rendezvous.round != round || group->ended; });
  if (rendezvous.round != round) return 0;
  std::erase_if(rendezvous.parts, [to](const Part& part) { return part.to == to; });
  return kEnded;
}
Code ncclCommAbort(Group* group) {
  const std::lock_guard lock(g_mutex);
  group->ended = true;
  g_changed.notify_all();
  return 0;
}

}  // extern "C"
