// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/device_mix_op.h"

namespace millrace {

namespace {

DeviceMix mixOf(const DeviceWork& work, std::size_t field) {
  const BatchField& from = work.in.fields[field];
  DeviceMix mix;
  mix.from = from.rows.front().data;
  mix.to = work.out.fields[field].rows.front().data;
  mix.elements = from.rows.front().shape.elements();
  mix.rows = static_cast<std::int32_t>(work.in.rows);
  mix.dtype = from.spec.dtype;
  return mix;
}

}  // namespace

std::vector<std::size_t> DeviceMixOp::replaces() const {
  std::vector<std::size_t> fields = m_fields.pictures;
  fields.insert(fields.end(), m_fields.labels.begin(), m_fields.labels.end());
  return fields;
}

Draw DeviceMixOp::batchDraw(const DeviceWork& work) {
  const OpContext& node = work.nodes.front();
  return BatchContext{node.seed, node.node, node.noRandom}.draw(work.in);
}

Status DeviceMixOp::launch(Stream& stream, const DeviceWork& work) {
  // A batch of one row has no partner.
  const bool alone = work.in.rows < 2;
  for (const std::size_t i : m_fields.pictures) {
    const DeviceMix mix = mixOf(work, i);
    MILLRACE_TRY(alone ? launchCopyRows(stream, mix)
                       : mixPictures(stream, mix, work.in.fields[i].spec));
  }
  for (const std::size_t i : m_fields.labels) {
    const DeviceMix mix = mixOf(work, i);
    MILLRACE_TRY(alone ? launchCopyRows(stream, mix) : mixLabels(stream, mix));
  }
  return {};
}

}  // namespace millrace
