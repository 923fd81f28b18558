// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/transfer/device_slot.h"

namespace millrace {

Result<std::byte*> DeviceArena::reserve(Device& device, std::size_t bytes) {
  if (bytes <= m_memory.bytes()) return m_memory.data();
  // Release the smaller block first, so that both need not fit at the same time.
  const bool grows = m_memory.bytes() > 0;
  m_memory = DeviceBuffer();
  // With rows of varying size, batches slightly larger than all before come again and again.
  auto larger = device.deviceMemory(grows ? bytes + bytes / 4 : bytes);
  if (!larger && grows) larger = device.deviceMemory(bytes);
  if (!larger) return larger.error();
  m_memory = larger.take();
  return m_memory.data();
}

Result<std::unique_ptr<DeviceSlot>> DeviceSlot::make(Device& device, std::size_t groups) {
  std::unique_ptr<DeviceSlot> slot(new DeviceSlot);
  const auto event = [&](std::unique_ptr<Event>& made) -> Status {
    MILLRACE_ASSIGN_OR_RETURN(made, device.makeEvent(EventKind::Timed));
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
