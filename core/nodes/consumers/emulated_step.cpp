// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/clock.h"
#include "core/cuda/device.h"
#include "core/cuda/spin.h"
#include "core/spec/describe.h"

namespace millrace::nodes::emulated_step {

namespace {

enum class Preset : std::uint8_t { None, Resnet50A100, Resnet50H100, Unet3dH100, CosmoflowH100 };

struct Params {
  double seconds = 0.1;
  Preset preset = Preset::None;
};

/// MLPerf Storage's emulated accelerators: computation_time and batch size in the workload files of
/// mlcommons/storage (configs/dlio/workload).
struct Measured {
  Preset preset;
  double seconds;
  double batch;
};
constexpr std::array<Measured, 4> kMeasured = {{{Preset::Resnet50A100, 0.435, 400},
                                                {Preset::Resnet50H100, 0.224, 400},
                                                {Preset::Unet3dH100, 0.323, 7},
                                                {Preset::CosmoflowH100, 0.0035, 1}}};

std::chrono::nanoseconds stepOf(const Params& params, std::size_t rows) {
  double seconds = params.seconds;
  for (const Measured& measured : kMeasured)
    if (measured.preset == params.preset)
      seconds = measured.seconds * static_cast<double>(rows) / measured.batch;
  return std::chrono::nanoseconds(std::llround(seconds * 1e9));
}

/// Sleeps as long as a training step would take. A late wake-up does not count as part of the step:
/// the next step starts when this one should have ended, plus the time that the loader made it
/// wait.
class EmulatedStep final : public Consumer {
 public:
  explicit EmulatedStep(const Params& params) : m_params(params) {}

  Status consume(const Batch& batch, StepWaiter& waiter, std::chrono::nanoseconds& step) override {
    const SteadyTime arrival = std::chrono::steady_clock::now();
    const std::chrono::nanoseconds nominal = nominalStep(batch.rows);
    const SteadyTime start = std::max(m_end + (arrival - m_left), arrival - nominal);
    m_end = start + nominal;
    waiter.waitUntil(m_end);
    m_left = std::chrono::steady_clock::now();
    step = m_left - arrival;
    return {};
  }

  std::chrono::nanoseconds nominalStep(std::size_t rows) const override {
    return stepOf(m_params, rows);
  }

 private:
  const Params m_params;
  SteadyTime m_end;   ///< when the last step should have ended; equal to m_left before the first
  SteadyTime m_left;  ///< when it really ended
};

/// Keeps the device busy for that time with a sequence of kernels that spin on its clock; each one
/// is so short that a cancelled run need not wait for it.
class EmulatedStepOnDevice final : public Consumer {
 public:
  static Result<std::unique_ptr<Consumer>> make(const Params& params,
                                                const std::shared_ptr<Device>& device) {
    std::unique_ptr<EmulatedStepOnDevice> step(new EmulatedStepOnDevice(params, device));
    MILLRACE_ASSIGN_OR_RETURN(step->m_stream, device->makeStream("step"));
    for (std::unique_ptr<Event>& event : step->m_ended)
      MILLRACE_TRY(step->make(event, EventKind::Ordering));
    for (std::unique_ptr<Event>& event : step->m_marks)
      MILLRACE_TRY(step->make(event, EventKind::Timed));
    return std::unique_ptr<Consumer>(std::move(step));
  }

  Status consume(const Batch& batch, StepWaiter& waiter, std::chrono::nanoseconds& step) override {
    const SteadyTime arrival = std::chrono::steady_clock::now();
    m_parts.clear();
    MILLRACE_TRY(occupy(batch, waiter));
    step = std::chrono::steady_clock::now() - arrival;
    return {};
  }

  std::chrono::nanoseconds nominalStep(std::size_t rows) const override {
    return stepOf(m_params, rows);
  }
  std::span<const StepPart> parts() const override { return m_parts; }

 private:
  EmulatedStepOnDevice(const Params& params, std::shared_ptr<Device> device)
      : m_params(params), m_device(std::move(device)) {}

  Status make(std::unique_ptr<Event>& event, EventKind kind) const {
    MILLRACE_ASSIGN_OR_RETURN(event, m_device->makeEvent(kind));
    return {};
  }

  Status occupy(const Batch& batch, StepWaiter& waiter) {
    constexpr std::chrono::nanoseconds kLongest = std::chrono::milliseconds(50);
    if (batch.ready != nullptr) MILLRACE_TRY(m_stream->wait(*batch.ready));
    std::chrono::nanoseconds left = nominalStep(batch.rows);
    if (left.count() <= 0) return {};
    MILLRACE_TRY(m_stream->record(*m_marks[0]));
    std::size_t sent = 0;
    std::size_t ended = 0;
    while (left.count() > 0 || ended < sent) {
      // One runs and the next one is queued, so that the device does not idle in between.
      if (left.count() > 0 && sent < ended + m_ended.size()) {
        const std::chrono::nanoseconds piece = std::min(left, kLongest);
        MILLRACE_TRY(spin(*m_stream, m_device->facts().multiprocessors, piece));
        MILLRACE_TRY(m_stream->record(*m_ended[sent++ % m_ended.size()]));
        left -= piece;
        if (left.count() == 0) MILLRACE_TRY(m_stream->record(*m_marks[1]));
        continue;
      }
      MILLRACE_TRY(m_ended[ended++ % m_ended.size()]->wait());
      if (left.count() == 0 && ended == sent) break;
      // A time in the future, so that the end of a grace period is noticed.
      if (!waiter.waitUntil(std::chrono::steady_clock::now() + std::chrono::microseconds(1)))
        return {};
    }
    MILLRACE_TRY(m_marks[1]->wait());
    m_parts = {{StepWork::Emulated, m_marks[0].get(), m_marks[1].get()}};
    return {};
  }

  const Params m_params;
  const std::shared_ptr<Device> m_device;
  std::unique_ptr<Stream> m_stream;
  std::array<std::unique_ptr<Event>, 2> m_ended;
  std::array<std::unique_ptr<Event>, 2> m_marks;  ///< before the first and after the last kernel
  std::vector<StepPart> m_parts;                  ///< of the last step, unless it was cut short
};

StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

}  // namespace

NodeSpec describe() {
  Describe<Params> d("emulated_step", Category::Consumer, NodeRole::Consumer);
  d.label("Emulated step")
      .help(
          "Simulates a training step: takes a batch and waits for the duration of a step. The step "
          "share shows whether the loader keeps up. After a transfer to a GPU it keeps the GPU "
          "busy for that time, otherwise it sleeps.");
  d.example(R"({"seconds": 0.05})");
  d.tags({"consumer", "training", "accelerator", "mlperf", "sleep"});
  d.real("seconds", &Params::seconds)
      .usedWith("preset", {"none"})
      .label("Seconds")
      .range(0, 3600)
      .unit("seconds")
      .live()
      .help("Duration of a step, for any number of rows.");
  d.choice<Preset>(
       "preset", &Params::preset,
       {{Preset::None, "none", "`seconds` per batch."},
        {Preset::Resnet50A100, "resnet50_a100", "ResNet-50 on an A100: 0.435 s per batch of 400."},
        {Preset::Resnet50H100, "resnet50_h100", "ResNet-50 on an H100: 0.224 s per batch of 400."},
        {Preset::Unet3dH100, "unet3d_h100", "3D U-Net on an H100: 0.323 s per batch of 7."},
        {Preset::CosmoflowH100, "cosmoflow_h100", "CosmoFlow on an H100: 3.5 ms per sample."}})
      .label("Preset")
      .help("Step time of an MLPerf Storage workload, scaled to the rows of the batch.");
  d.infer(infer);
  d.consumer(
      [](const Params& params, const BuildContext& context) -> Result<std::unique_ptr<Consumer>> {
        if (context.device) return EmulatedStepOnDevice::make(params, context.device);
        return std::unique_ptr<Consumer>(std::make_unique<EmulatedStep>(params));
      });
  return d.take();
}

}  // namespace millrace::nodes::emulated_step
