// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/device_slot.h"

namespace millrace {

Result<std::byte*> DeviceArena::reserve(Device& device, std::size_t bytes) {
  if (bytes <= m_memory.bytes()) return m_memory.data();
  // What is too small goes back first, so that both need not fit at once.
  const bool grows = m_memory.bytes() > 0;
  m_memory = DeviceBuffer();
  // Rows of any size: a batch a little larger than all before comes again and again.
  auto larger = device.deviceMemory(grows ? bytes + bytes / 4 : bytes);
  if (!larger && grows) larger = device.deviceMemory(bytes);
  if (!larger) return larger.error();
  m_memory = larger.take();
  return m_memory.data();
}

Result<std::unique_ptr<DeviceSlot>> DeviceSlot::make(Device& device, std::size_t groups) {
  std::unique_ptr<DeviceSlot> slot(new DeviceSlot);
  const auto event = [&](std::unique_ptr<Event>& made) -> Status {
    auto event = device.makeEvent(EventKind::Timed);
    if (!event) return event.error();
    made = event.take();
    return {};
  };
  MILLRACE_TRY(event(slot->copyBegan));
  MILLRACE_TRY(event(slot->copied));
  MILLRACE_TRY(event(slot->workBegan));
  slot->groups.resize(groups);
  for (Group& group : slot->groups) MILLRACE_TRY(event(group.done));
  return slot;
}

}  // namespace millrace
