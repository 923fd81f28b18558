// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/one_hot_on_device.h"

#include <algorithm>
#include <utility>

#include "core/kernels/device/device_address.h"
#include "core/kernels/device/device_onehot.h"
#include "core/pass/picture_fields.h"

namespace millrace {

namespace {

class OneHotOnDevice final : public DeviceOp {
 public:
  OneHotOnDevice(std::vector<OneHotField> fields, DType dtype, Layout layout)
      : m_fields(std::move(fields)), m_dtype(dtype), m_layout(layout) {}

  std::vector<std::size_t> replaces() const override {
    std::vector<std::size_t> indices;
    for (const OneHotField& field : m_fields) indices.push_back(field.index);
    return indices;
  }

  std::size_t paramBytes(std::size_t rows) const override {
    return rows * m_fields.size() * sizeof(DeviceOneHotRow);
  }

  Status shape(const DeviceWork& work) override {
    for (const OneHotField& field : m_fields) {
      BatchField& out = work.out.fields[field.index];
      if (!out.ragged) continue;
      for (std::size_t r = 0; r < work.in.rows; ++r) {
        const TensorView& mask = work.in.fields[field.index].rows[r];
        TensorView& row = out.rows[r];
        row.dtype = m_dtype;
        row.layout = m_layout;
        row.shape = pictureShape(mask.height(), mask.width(), field.classes, m_layout);
        row.bytes = static_cast<std::size_t>(row.shape.elements()) * sizeOf(m_dtype);
        row.data = nullptr;
      }
    }
    return {};
  }

  Status prepare(const DeviceWork& work) override {
    auto* row = reinterpret_cast<DeviceOneHotRow*>(work.hostParams);
    m_most.assign(m_fields.size(), 1);
    for (std::size_t f = 0; f < m_fields.size(); ++f)
      for (std::size_t r = 0; r < work.in.rows; ++r) {
        const TensorView& from = work.in.fields[m_fields[f].index].rows[r];
        const std::int64_t numbers = m_fields[f].isMask ? from.height() * from.width() : 1;
        *row++ = {deviceAddress(from.data),
                  deviceAddress(work.out.fields[m_fields[f].index].rows[r].data), numbers};
        m_most[f] = std::max(m_most[f], numbers);
      }
    return {};
  }

  Status launch(Stream& stream, const DeviceWork& work) override {
    const auto* const rows = reinterpret_cast<const DeviceOneHotRow*>(work.deviceParams);
    for (std::size_t f = 0; f < m_fields.size(); ++f)
      MILLRACE_TRY(launchOneHot(stream, {.rows = rows + f * work.in.rows,
                                         .rowCount = static_cast<std::int32_t>(work.in.rows),
                                         .classes = m_fields[f].classes,
                                         .from = work.in.fields[m_fields[f].index].spec.dtype,
                                         .to = m_dtype,
                                         .planar = m_fields[f].isMask && m_layout == Layout::Chw,
                                         .mostNumbers = m_most[f]}));
    return {};
  }

 private:
  const std::vector<OneHotField> m_fields;
  const DType m_dtype;
  const Layout m_layout;
  std::vector<std::int64_t> m_most;  ///< numbers per row, between `prepare` and `launch`
};

}  // namespace

std::unique_ptr<DeviceOp> oneHotOnDevice(std::vector<OneHotField> fields, DType dtype,
                                         Layout layout) {
  return std::make_unique<OneHotOnDevice>(std::move(fields), dtype, layout);
}

}  // namespace millrace
