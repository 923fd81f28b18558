// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/order.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include "tests/ptx/device_memory.h"

namespace millrace::ptx {

namespace {

OrderPage* allPages() {
  constexpr std::size_t kBytes = DeviceMemory::kSize / OrderPage::kBytes * sizeof(OrderPage);
  void* const at = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at != MAP_FAILED) return static_cast<OrderPage*>(at);
  std::perror("PTX device: no address space");
  std::abort();
}

std::string unordered(const RunningWork& now, const OrderPage::Mark& other, const char* does) {
  return fmt::format("work {} of stream {} is not ordered after work {} of stream {}, which {} it",
                     now.number, now.stream, other.number, other.stream, does);
}

}  // namespace

void merge(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t s = 0; s < other.size(); ++s) clock[s] = std::max(clock[s], other[s]);
}

bool contains(const Clock& clock, std::size_t stream, std::uint64_t number) {
  return number == 0 || (stream < clock.size() && clock[stream] >= number);
}

RunningWork& runningWork() {
  thread_local RunningWork work;
  return work;
}

OrderPage& orderPage(std::uint64_t at) {
  static OrderPage* const pages = allPages();
  return pages[at / OrderPage::kBytes];
}

std::string touch(OrderPage& page, bool writes) {
  static std::mutex& mutex = *new std::mutex;
  const RunningWork& now = runningWork();
  if (now.operation == 0) return {};
  const std::lock_guard lock(mutex);
  if (!contains(now.before, page.writer.stream, page.writer.number))
    return unordered(now, page.writer, "writes");
  OrderPage::Mark* room = &page.readers[0];
  for (OrderPage::Mark& reader : page.readers) {
    const bool ordered = contains(now.before, reader.stream, reader.number);
    if (writes && !ordered) return unordered(now, reader, "reads");
    if (ordered) reader = {};
    if (reader.number == 0) room = &reader;
  }
  const OrderPage::Mark mine{static_cast<std::uint32_t>(now.stream), now.number};
  (writes ? page.writer : *room) = mine;
  page.wrote = writes || (page.operation == now.operation && page.wrote);
  page.operation = now.operation;
  return {};
}

std::string touchAll(std::uint64_t at, std::size_t bytes, bool writes) {
  for (std::uint64_t page = at / OrderPage::kBytes; page <= (at + bytes - 1) / OrderPage::kBytes;
       ++page)
    if (std::string found = touch(orderPage(page * OrderPage::kBytes), writes); !found.empty())
      return found;
  return {};
}

}  // namespace millrace::ptx
