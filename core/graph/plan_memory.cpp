// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/plan_memory.h"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::string human(std::uint64_t bytes) { return humanBytes(static_cast<double>(bytes)); }

/// "prefetch: 4 batches of 12.0 GB take 48.2 GB, `than`; ...", for the queue that takes the most.
Problem lackIn(const Plan& plan, const std::string& than) {
  const CheckedNode& batch = plan.node(plan.batchNode);
  Problem lack{Severity::Error, batch.id, "",
               fmt::format("memory for batches of {} rows, {}", plan.batch.size, than),
               fmt::format("reduce {}.size", batch.id)};
  const auto most = std::ranges::max_element(
      plan.queues, {}, [](const PlanQueue& queue) { return slotBytesOf(queue); });
  if (most == plan.queues.end() || slotBytesOf(*most) == 0) return lack;
  lack.node = most->id;
  lack.message = fmt::format("{} batches of {} take {}, {}", most->slotCount,
                             human(most->batchBytes), human(slotBytesOf(*most)), than);
  const auto isPrefetch = [&](const CheckedNode& node) {
    return node.id == most->id && node.spec->role == NodeRole::Prefetch;
  };
  if (std::ranges::any_of(plan.pipeline.nodes, isPrefetch))
    lack.remedy += fmt::format(" or {}.batches", most->id);
  return lack;
}

}  // namespace

std::uint64_t slotBytesOf(const PlanQueue& queue) {
  if (queue.place == Place::Device) return 0;
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(std::uint64_t{queue.batchBytes}, queue.slotCount, &bytes) ? kMost
                                                                                          : bytes;
}

std::uint64_t slotBytesOf(const Plan& plan) {
  std::uint64_t bytes = 0;
  for (const PlanQueue& queue : plan.queues) bytes += std::min(slotBytesOf(queue), kMost - bytes);
  return bytes;
}

std::optional<Problem> lackOfSlotMemory(const Plan& plan, std::optional<std::uint64_t> freeBytes) {
  if (!freeBytes || slotBytesOf(plan) <= *freeBytes) return std::nullopt;
  return lackIn(plan, fmt::format("but only {} of memory are free", human(*freeBytes)));
}

Problem noMemoryFor(const Plan& plan) { return lackIn(plan, "more than the system allows"); }

}  // namespace millrace
