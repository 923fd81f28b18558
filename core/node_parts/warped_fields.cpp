// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/warped_fields.h"

#include <algorithm>

namespace millrace::nodes {

WarpedFields::WarpedFields(const StreamType& in, const PolicyParams& params) {
  const std::vector<std::size_t> acted = geometryFields(in, params.fields);
  const FieldSpec* const image = referenceField(in, acted);
  for (const std::size_t i : acted) {
    m_fields.push_back({i, samplingOf(params, in.fields[i].role)});
    if (&in.fields[i] == image) m_image = i;
  }
}

Size WarpedFields::imageSize(const Sample& sample) const {
  const TensorView& image = sample[m_image];
  return {static_cast<int>(image.width()), static_cast<int>(image.height())};
}

ImageView WarpedFields::copyOf(const MutableImageView& picture) {
  const auto count = static_cast<std::size_t>(picture.stride * picture.height);
  m_copy.resize(std::max(m_copy.size(), count));
  std::copy_n(picture.data, count, m_copy.begin());
  ImageView copy = readOnly(picture);
  copy.data = m_copy.data();
  return copy;
}

}  // namespace millrace::nodes
