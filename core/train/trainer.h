// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/rank.h"
#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/train/convolutions.h"
#include "core/train/layer_kernels.h"
#include "core/train/network.h"

namespace millrace {

struct TrainerSettings {
  NetworkSettings network;
  DType precision = DType::F16;  ///< of values between layers; F32, F16 or BF16
  UpdateRule rule;
  float lossScale = 1;  ///< at the start
  std::uint64_t seed = 0;
  std::optional<Rank> rank;    ///< averages its gradients with the others; nothing: trains alone
  std::uint32_t mostRows = 0;  ///< of a batch
  std::int32_t channels = 3;
  std::int32_t height = 0;
  std::int32_t width = 0;
};

/// What a step took and made, by the device's own clock.
struct TrainingStep {
  std::chrono::nanoseconds forward{0};  ///< with the loading of the pictures, and the loss
  std::chrono::nanoseconds backward{0};
  std::chrono::nanoseconds update{0};  ///< with the averaging over ranks
  TrainingState state;
};

/// Trains a residual network on a device, batch by batch: forward, backward and update, with values
/// and convolutions in the precision asked for and parameters in f32. cuDNN does the convolutions
/// and cuBLAS the dense layer where they are found, kernels of our own where not. One thread.
class Trainer {
 public:
  /// The error: what could not be made, such as too little memory of the device, and how much is
  /// needed.
  static Result<std::unique_ptr<Trainer>> make(std::shared_ptr<Device> device,
                                               const TrainerSettings& settings);
  ~Trainer();

  /// Enqueues a step on a batch of at most `mostRows` rows, behind `ready` where that is given.
  Status enqueue(const PictureView& pictures, const LabelView& labels, const Event* ready);
  /// Waits for the step that was enqueued last. The error: the device failed, or it could not be
  /// averaged.
  Result<TrainingStep> finish();
  /// Of that step, once it is finished: timed events in front of it, and behind its forward pass,
  /// its backward pass and its update. Stay as they are until the next `enqueue`.
  std::array<const Event*, 4> marks() const;

  /// "cuDNN 9.5.1, cuBLAS 13.1.0"; what is missing, and why.
  const std::string& libraries() const;
  /// All parameters as they are, in the order of `firstParameters`. Waits.
  Result<std::vector<float>> parameters();
  const Network& network() const;

 private:
  class Impl;
  explicit Trainer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> m_impl;
};

}  // namespace millrace
