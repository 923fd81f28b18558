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
  float lossScale = 1;  ///< initial value
  std::uint64_t seed = 0;
  std::optional<Rank> rank;    ///< averages its gradients with the others; nullopt: trains alone
  std::uint32_t mostRows = 0;  ///< the largest number of rows of a batch
  std::int32_t channels = 3;
  std::int32_t height = 0;
  std::int32_t width = 0;
};

/// The duration and result of a step, measured by the device's clock.
struct TrainingStep {
  std::chrono::nanoseconds forward{0};  ///< including loading the pictures, and the loss
  std::chrono::nanoseconds backward{0};
  std::chrono::nanoseconds update{0};  ///< including averaging over ranks
  TrainingState state;
};

/// Trains a residual network on a device, batch by batch: forward, backward and update, with values
/// and convolutions in the requested precision and parameters in f32. Uses cuDNN for convolutions
/// and cuBLAS for the dense layer if they are found, else built-in kernels. For use by one thread.
class Trainer {
 public:
  /// The error says what could not be created, for example because of too little device memory, and
  /// how much is needed.
  static Result<std::unique_ptr<Trainer>> make(std::shared_ptr<Device> device,
                                               const TrainerSettings& settings);
  ~Trainer();

  /// Enqueues a step on a batch of at most `mostRows` rows, after `ready` if it is not nullptr.
  Status enqueue(const PictureView& pictures, const LabelView& labels, const Event* ready);
  /// Waits for the step that was enqueued last. Fails if the device failed or the gradients could
  /// not be averaged.
  Result<TrainingStep> finish();
  /// Timed events of that step, once it is finished: before it, and after its forward pass, its
  /// backward pass and its update. Valid until the next enqueue().
  std::array<const Event*, 4> marks() const;

  /// "cuDNN 9.5.1, cuBLAS 13.1.0", or what is missing and why.
  const std::string& libraries() const;
  /// The current parameters in the order of firstParameters(). Waits for the device.
  Result<std::vector<float>> parameters();
  const Network& network() const;

 private:
  class Impl;
  explicit Trainer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> m_impl;
};

}  // namespace millrace
