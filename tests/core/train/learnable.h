// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "core/base/random.h"
#include "core/cuda/emulated_device.h"
#include "core/train/trainer.h"

namespace millrace::tests {

/// Pictures whose class is the direction of their stripes, with noise.
struct StripedBatch {
  StripedBatch(std::uint32_t number, std::uint32_t rows, int side, std::int64_t classes = 3) {
    Draw draw({.seed = 3, .index = number});
    for (std::uint32_t n = 0; n < rows; ++n) {
      labels.push_back(draw.integer(0, classes - 1));
      const auto phase = static_cast<int>(draw.integer(0, 3));
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
          for (int c = 0; c < 3; ++c) {
            const std::int64_t along = labels.back() == 0 ? x : labels.back() == 1 ? y : x + y;
            const double stripe = (along + phase) / 2 % 2 == 0 ? 0.8 : -0.8;
            pictures.push_back(static_cast<float>(stripe + draw.uniform(-0.5, 0.5)));
          }
    }
  }

  std::vector<float> pictures;
  std::vector<std::int64_t> labels;
};

inline TrainerSettings smallTrainer(std::uint32_t rows, int side, DType precision) {
  TrainerSettings settings;
  settings.network = {.width = 8, .blocks = 1, .classes = 3};
  settings.precision = precision;
  settings.mostRows = rows;
  settings.height = settings.width = side;
  return settings;
}

/// A trainer with device memory for a batch.
class FedTrainer {
 public:
  FedTrainer(std::shared_ptr<Device> device, const TrainerSettings& settings)
      : m_device(std::move(device)),
        m_settings(settings),
        m_stream(m_device->makeStream("feed").take()),
        trainer(Trainer::make(m_device, settings).take()) {}

  /// `asShares`: labels are an f32 weight for each class instead of a class number.
  Result<TrainingStep> step(const StripedBatch& batch, bool asShares = false) {
    const auto rows = static_cast<std::uint32_t>(batch.labels.size());
    m_pictures = m_device->deviceMemory(batch.pictures.size() * sizeof(float)).take();
    const auto classes = static_cast<std::size_t>(m_settings.network.classes);
    std::vector<float> shares(rows * classes, 0.0F);
    for (std::size_t n = 0; n < rows && asShares; ++n)
      shares[n * classes + static_cast<std::size_t>(batch.labels[n])] = 1;
    const std::size_t labelBytes = asShares ? classes * sizeof(float) : sizeof(std::int64_t);
    m_labels = m_device->deviceMemory(rows * labelBytes).take();
    MILLRACE_TRY(m_stream->copyToDevice(m_pictures.data(), batch.pictures.data(),
                                        batch.pictures.size() * sizeof(float)));
    const void* const label =
        asShares ? static_cast<const void*>(shares.data()) : batch.labels.data();
    MILLRACE_TRY(m_stream->copyToDevice(m_labels.data(), label, rows * labelBytes));
    MILLRACE_TRY(m_stream->synchronise());
    const PictureView pictures{
        .data = m_pictures.data(),
        .rowBytes = batch.pictures.size() / rows * sizeof(float),
        .dtype = DType::F32,
        .rows = rows,
        .channels = 3,
        .height = m_settings.height,
        .width = m_settings.width,
    };
    const LabelView labels{m_labels.data(), labelBytes, asShares ? DType::F32 : DType::I64,
                           asShares};
    MILLRACE_TRY(trainer->enqueue(pictures, labels, nullptr));
    return trainer->finish();
  }

 private:
  std::shared_ptr<Device> m_device;
  TrainerSettings m_settings;
  std::unique_ptr<Stream> m_stream;
  DeviceBuffer m_pictures;
  DeviceBuffer m_labels;

 public:
  std::unique_ptr<Trainer> trainer;
};

}  // namespace millrace::tests
