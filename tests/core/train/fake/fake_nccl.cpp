// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// NCCL with no GPU behind it: the ranks of a group are threads of one process, which find each
// other by the group's id. What is reduced is host memory, and whoever reduces waits for all others
// to do so. Unlike NCCL it does not wait for them to come into the group, so that one may be in
// another process, from where it never reduces.
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <vector>

#include "core/cuda/nccl_library.h"

namespace {

using millrace::nccl::Code;
using millrace::nccl::Id;

constexpr Code kInvalid = 4;
constexpr Code kEnded = 7;

struct Part {
  const float* from;
  float* to;
};

/// What the ranks of one group share.
struct Meeting {
  std::vector<Part> parts;  ///< of those that wait
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
std::map<std::uint64_t, Meeting> g_meetings;

}  // namespace

namespace millrace::nccl {

struct OpaqueGroup {
  Meeting* meeting;
  bool ended = false;
};

}  // namespace millrace::nccl

namespace {

using Group = millrace::nccl::OpaqueGroup;
// Kept: work that was enqueued may come when they have ended.
std::list<Group> g_groups;

}  // namespace

extern "C" {

int millraceOnHostMemory() { return 1; }
/// How many reductions have come to their end.
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
  Meeting& meeting = g_meetings[number];
  if (meeting.world != 0 && meeting.world != static_cast<std::size_t>(ranks)) return kInvalid;
  meeting.world = static_cast<std::size_t>(ranks);
  *group = &g_groups.emplace_back(Group{&meeting});
  return 0;
}
Code ncclAllReduce(const void* from, void* to, std::size_t count, int type, int operation,
                   Group* group, void*) {
  if (type != millrace::nccl::kFloat32 || operation != millrace::nccl::kAverage) return kInvalid;
  std::unique_lock lock(g_mutex);
  if (group->ended) return kEnded;
  Meeting& meeting = *group->meeting;
  const std::uint64_t round = meeting.round;
  meeting.parts.push_back({static_cast<const float*>(from), static_cast<float*>(to)});
  if (meeting.parts.size() == meeting.world) {
    meeting.reduce(count);
    ++g_reductions;
    g_changed.notify_all();
    return 0;
  }
  g_changed.wait(lock, [&] { return meeting.round != round || group->ended; });
  if (meeting.round != round) return 0;
  std::erase_if(meeting.parts, [to](const Part& part) { return part.to == to; });
  return kEnded;
}
Code ncclCommAbort(Group* group) {
  const std::lock_guard lock(g_mutex);
  group->ended = true;
  g_changed.notify_all();
  return 0;
}

}  // extern "C"
