// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/slot_memory.h"

#include <new>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

std::string human(std::uint64_t bytes) { return humanBytes(static_cast<double>(bytes)); }

std::uint64_t bytesOf(const PlanQueue& queue) {
  return queue.place == Place::Device ? 0 : std::uint64_t{queue.batchBytes} * queue.slotCount;
}

/// "prefetch: 4 batches of 12.0 GB take 48.2 GB", for the queue that takes the most memory.
std::string largestQueue(const Plan& plan) {
  const PlanQueue* most = nullptr;
  for (const PlanQueue& queue : plan.queues)
    if (most == nullptr || bytesOf(queue) > bytesOf(*most)) most = &queue;
  if (most == nullptr || bytesOf(*most) == 0)
    return fmt::format("{}: memory for batches of {} rows", plan.node(plan.batchNode).id,
                       plan.batch.size);
  return fmt::format("{}: {} batches of {} take {}", most->id, most->slotCount,
                     human(most->batchBytes), human(bytesOf(*most)));
}

constexpr const char* kRemedy = "reduce batch.size or prefetch.batches";

}  // namespace

std::uint64_t slotBytesOf(const Plan& plan) {
  std::uint64_t bytes = 0;
  for (const PlanQueue& queue : plan.queues) bytes += bytesOf(queue);
  return bytes;
}

Status checkSlotMemory(const Plan& plan, std::optional<std::uint64_t> freeBytes) {
  if (!freeBytes || slotBytesOf(plan) <= *freeBytes) return {};
  return Error{fmt::format("{}, but only {} of memory are free; {}", largestQueue(plan),
                           human(*freeBytes), kRemedy)};
}

Error noMemoryFor(const Plan& plan) {
  return {fmt::format("{}, more than the system allows; {}", largestQueue(plan), kRemedy)};
}

Error errorOf(const std::exception& thrown) {
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr)
    return {fmt::format("there is not enough memory; {}, or use fewer workers", kRemedy)};
  return {fmt::format("a library threw an exception: {}", thrown.what())};
}

}  // namespace millrace
