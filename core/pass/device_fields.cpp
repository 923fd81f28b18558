// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/device_fields.h"

#include <fmt/format.h>

namespace millrace {

void keepShapes(const DeviceWork& work, const std::vector<std::size_t>& fields) {
  for (const std::size_t i : fields) {
    BatchField& out = work.out.fields[i];
    if (!out.ragged) continue;
    for (std::size_t r = 0; r < work.in.rows; ++r) {
      out.rows[r] = work.in.fields[i].rows[r];
      out.rows[r].data = nullptr;
    }
  }
}

Status checkChannelsOnDevice(const StreamType& in, const std::vector<std::size_t>& fields) {
  for (const std::size_t i : fields) {
    const FieldSpec& field = in.fields[i];
    if (field.channels() < 1 || field.channels() > 4)
      return Error{
          fmt::format("`{}` is {}, but pictures on a GPU must have 1 to 4 channels, known before "
                      "the run; move this node before the transfer",
                      field.name, field.text())};
  }
  return {};
}

Status checkBytesOnDevice(const StreamType& in, const std::vector<std::size_t>& fields) {
  for (const std::size_t i : fields)
    if (in.fields[i].dtype != DType::U8)
      return Error{
          fmt::format("`{}` is {} here, but on a GPU this node needs u8; move it before the node "
                      "that converts to {}",
                      in.fields[i].name, nameOf(in.fields[i].dtype), nameOf(in.fields[i].dtype))};
  return checkChannelsOnDevice(in, fields);
}

}  // namespace millrace
