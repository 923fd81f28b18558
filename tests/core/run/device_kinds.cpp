// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Device implementations of test kinds: in place, with new memory of any size, with rows that fail,
// with parameters for each row.
#include "tests/core/run/device_kinds.h"

#include <algorithm>
#include <cstring>

#include "core/spec/describe.h"
#include "tests/core/run/device_kernels.h"

namespace millrace::tests {

namespace {

/// Adds an amount to the first field's bytes, with parameters written by `prepare`.
class Adding : public DeviceOp {
 public:
  std::size_t paramBytes(std::size_t rows) const override { return rows * sizeof(AddedRow); }
  Status prepare(const DeviceWork& work) override {
    auto* const params = reinterpret_cast<AddedRow*>(work.hostParams);
    for (std::size_t r = 0; r < work.in.rows; ++r) {
      const TensorView& from = work.in.fields[0].rows[r];
      params[r] = {from.as<std::uint8_t>(), work.out.fields[0].rows[r].as<std::uint8_t>(),
                   static_cast<std::uint32_t>(from.bytes), amount(r)};
    }
    return {};
  }
  Status launch(Stream& stream, const DeviceWork& work) override {
    std::uint32_t most = 0;
    for (const TensorView& row : work.in.fields[0].rows)
      most = std::max(most, static_cast<std::uint32_t>(row.bytes));
    return launchAdd(stream, reinterpret_cast<const AddedRow*>(work.deviceParams), work.in.rows,
                     most, times());
  }

 protected:
  virtual std::uint32_t amount(std::size_t row) const = 0;
  virtual std::uint32_t times() const { return 1; }
};

class TintOnDevice final : public Adding {
 public:
  explicit TintOnDevice(std::int64_t amount) : m_amount(static_cast<std::uint32_t>(amount)) {}

 private:
  std::uint32_t amount(std::size_t) const override { return m_amount; }
  const std::uint32_t m_amount;
};

class StampOnDevice final : public Adding {
  std::uint32_t amount(std::size_t row) const override { return static_cast<std::uint32_t>(row); }
};

class TwiceOnDevice final : public Adding {
 public:
  std::vector<std::size_t> replaces() const override { return {0}; }
  Status shape(const DeviceWork& work) override {
    for (std::size_t r = 0; r < work.in.rows; ++r) {
      TensorView& to = work.out.fields[0].rows[r];
      to = work.in.fields[0].rows[r];
      to.bytes *= 2;
      to.shape = {static_cast<std::int64_t>(to.bytes)};
      to.data = nullptr;
    }
    return {};
  }

 private:
  std::uint32_t amount(std::size_t) const override { return 0; }
  std::uint32_t times() const override { return 2; }
};

class BrokenOnDevice final : public DeviceOp {
 public:
  explicit BrokenOnDevice(RealList samples) : m_samples(std::move(samples)) {}
  std::size_t paramBytes(std::size_t) const override { return 0; }
  Status prepare(const DeviceWork& work) override {
    for (std::size_t r = 0; r < work.in.rows; ++r)
      if (std::ranges::find(m_samples, static_cast<double>(work.in.keys[r].index)) !=
          m_samples.end())
        work.fail(r, "made to fail");
    return {};
  }
  Status launch(Stream&, const DeviceWork&) override { return {}; }

 private:
  const RealList m_samples;
};

class Twice final : public SampleOp {
  Status process(Sample& sample, const OpContext&) override {
    const TensorView from = sample[0];
    const TensorView to = sample.replaceBytes(0, 2 * from.bytes);
    if (from.bytes == 0) return {};
    std::memcpy(to.data, from.data, from.bytes);
    std::memcpy(to.data + from.bytes, from.data, from.bytes);
    return {};
  }
  std::vector<std::size_t> replaces() const override { return {0}; }
};

using Made = Result<std::unique_ptr<DeviceOp>>;

}  // namespace

NodeSpec withDeviceSide(NodeSpec spec) {
  if (spec.kind == "tint")
    spec.deviceOp = [](const Values& values, const BuildContext&) -> Made {
      return std::unique_ptr<DeviceOp>(
          std::make_unique<TintOnDevice>(std::get<std::int64_t>(values.at("amount"))));
    };
  if (spec.kind == "stamp")
    spec.deviceOp = [](const Values&, const BuildContext&) -> Made {
      return std::unique_ptr<DeviceOp>(std::make_unique<StampOnDevice>());
    };
  if (spec.kind == "broken")
    spec.deviceOp = [](const Values& values, const BuildContext&) -> Made {
      return std::unique_ptr<DeviceOp>(
          std::make_unique<BrokenOnDevice>(std::get<RealList>(values.at("samples"))));
    };
  return spec;
}

NodeSpec twiceKind() {
  struct None {};
  Describe<None> d("twice", Category::Tensor, NodeRole::Sample);
  d.label("twice").help("For tests.").example("{}");
  d.infer([](const None&, const StreamType& in, InferContext&) { return in; });
  d.sample([](const None&, const BuildContext&) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Twice>());
  });
  d.deviceOp([](const None&, const BuildContext&) -> Made {
    return std::unique_ptr<DeviceOp>(std::make_unique<TwiceOnDevice>());
  });
  return d.take();
}

}  // namespace millrace::tests
