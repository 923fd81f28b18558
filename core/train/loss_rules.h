// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/kernels/host_device.h"
#include "core/train/step_views.h"

namespace millrace {

// The loss and gradients of a batch, and the step's loss, as functors for forEach().

/// The class number of a row's label; -1 if it is not a class.
MILLRACE_HOST_DEVICE inline std::int64_t classOf(const LossView& view, std::uint32_t row) {
  const char* const at = static_cast<const char*>(view.labels.data) + row * view.labels.rowBytes;
  std::int64_t number = -1;
  switch (view.labels.dtype) {
    case DType::U8: number = *reinterpret_cast<const std::uint8_t*>(at); break;
    case DType::I32: number = *reinterpret_cast<const std::int32_t*>(at); break;
    default: number = *reinterpret_cast<const std::int64_t*>(at); break;
  }
  return number >= 0 && number < view.classes ? number : -1;
}

/// The label's weight of class k; `own` is the label's class if labels are class numbers.
MILLRACE_HOST_DEVICE inline float shareOf(const LossView& view, std::uint32_t row, std::int64_t own,
                                          std::int64_t k) {
  if (!view.labels.shares) return k == own ? 1.0F : 0.0F;
  const char* const at = static_cast<const char*>(view.labels.data) + row * view.labels.rowBytes;
  return reinterpret_cast<const float*>(at)[k];
}

/// Each part handles every kParts-th class of a row. x: part, y: row.
struct LossParts {
  LossView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    const float* const logits = view.logits + y * view.classes;
    const std::int64_t own = view.labels.shares ? 0 : classOf(view, y);
    // A part without classes contributes nothing to a sum.
    LossPart part{-INFINITY, 0, 0, 0};
    for (std::int64_t k = x; k < view.classes; k += LossView::kParts)
      part.most = logits[k] > part.most ? logits[k] : part.most;
    for (std::int64_t k = x; k < view.classes; k += LossView::kParts) {
      const float share = shareOf(view, y, own, k);
      part.sum += expf(logits[k] - part.most);
      part.shares += share;
      if (share != 0) part.logits += share * logits[k];
    }
    view.parts[y * LossView::kParts + x] = part;
  }
};

/// Softmax cross-entropy. x: row.
struct LossRows {
  LossView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t, std::uint32_t) const {
    const LossPart* const parts = view.parts + std::int64_t{x} * LossView::kParts;
    LossRow row{parts[0].most, 0, 0, 0};
    MILLRACE_UNROLL
    for (std::uint32_t p = 1; p < LossView::kParts; ++p)
      row.most = parts[p].most > row.most ? parts[p].most : row.most;
    float logits = 0;
    MILLRACE_UNROLL
    for (std::uint32_t p = 0; p < LossView::kParts; ++p) {
      if (parts[p].sum > 0) row.sum += parts[p].sum * expf(parts[p].most - row.most);
      row.shares += parts[p].shares;
      logits += parts[p].logits;
    }
    const bool wrong = !view.labels.shares && classOf(view, x) < 0;
    row.loss = wrong ? -1.0F : row.shares * (row.most + logf(row.sum)) - logits;
    view.perRow[x] = row;
  }
};

/// x: class, y: row.
struct LossGradient {
  LossView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    const LossRow row = view.perRow[y];
    const std::int64_t at = y * view.classes + x;
    const std::int64_t own = view.labels.shares ? 0 : classOf(view, y);
    const float factor = view.state->lossScale / static_cast<float>(view.rows);
    view.gradient[at] = factor * (row.shares * expf(view.logits[at] - row.most) / row.sum -
                                  shareOf(view, y, own, x));
  }
};

/// Each part handles every kTotals-th row. x: part.
struct LossTotals {
  LossView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t, std::uint32_t) const {
    LossTotal total;
    for (std::uint32_t n = x; n < view.rows; n += LossView::kTotals) {
      const float loss = view.perRow[n].loss;
      if (loss == -1.0F)
        ++total.wrongLabels;
      else
        total.loss += loss;
    }
    view.totals[x] = total;
  }
};

/// Sums the step's loss before other kernels write the state. x: always 0.
struct SumLoss {
  LossView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t, std::uint32_t, std::uint32_t) const {
    LossTotal all;
    MILLRACE_UNROLL
    for (std::uint32_t part = 0; part < LossView::kTotals; ++part) {
      all.loss += view.totals[part].loss;
      all.wrongLabels += view.totals[part].wrongLabels;
    }
    view.state->loss = static_cast<float>(all.loss / view.rows);
    view.state->wrongLabels = all.wrongLabels;
    view.state->notFinite = 0;
  }
};

}  // namespace millrace
