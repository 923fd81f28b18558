// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/batch_mix_op.h"

#include <utility>
#include <vector>

namespace millrace {

namespace {

DeviceMix deviceMixOf(const DeviceWork& work, std::size_t field) {
  const BatchField& from = work.in.fields[field];
  DeviceMix mix;
  mix.from = from.rows.front().data;
  mix.to = work.out.fields[field].rows.front().data;
  mix.elements = from.rows.front().shape.elements();
  mix.rows = static_cast<std::int32_t>(work.in.rows);
  mix.dtype = from.spec.dtype;
  return mix;
}

/// What is mixed, and how.
struct Mixing {
  MixDraws draws;
  MixedFields fields;
  std::unique_ptr<RowMix> mix;

  /// Draws for a batch; false: it is not mixed.
  bool begin(Draw draw) const {
    if (!draw.bernoulli(draws.probability)) return false;
    mix->draw(draw.beta(draws.alpha, draws.alpha), draw);
    return true;
  }
};

class BatchMixOp final : public BatchOp {
 public:
  explicit BatchMixOp(Mixing mixing) : m_mixing(std::move(mixing)) {}

  Status process(Batch& batch, const BatchContext& context) override {
    // A batch of one row has no partner.
    if (!m_mixing.begin(context.draw(batch)) || batch.rows < 2) return {};
    for (const std::size_t i : m_mixing.fields.pictures)
      m_mixing.mix->mixPictures(batch.fields[i], batch.rows, m_scratch);
    for (const std::size_t i : m_mixing.fields.labels)
      mixWithPreviousRow(batch.fields[i], batch.rows, m_mixing.mix->labelShare(), m_scratch);
    return {};
  }

 private:
  const Mixing m_mixing;
  Buffer m_scratch;
};

class DeviceMixOp final : public DeviceOp {
 public:
  explicit DeviceMixOp(Mixing mixing) : m_mixing(std::move(mixing)) {}

  std::vector<std::size_t> replaces() const override {
    std::vector<std::size_t> fields = m_mixing.fields.pictures;
    fields.insert(fields.end(), m_mixing.fields.labels.begin(), m_mixing.fields.labels.end());
    return fields;
  }
  std::size_t paramBytes(std::size_t) const override { return 0; }

  Status prepare(const DeviceWork& work) override {
    const OpContext& node = work.nodes.front();
    m_mixed = m_mixing.begin(BatchContext{node.seed, node.node, node.noRandom}.draw(work.in)) &&
              work.in.rows > 1;
    return {};
  }

  Status launch(Stream& stream, const DeviceWork& work) override {
    const RowMix& rows = *m_mixing.mix;
    for (const std::size_t i : m_mixing.fields.pictures) {
      const DeviceMix mix = deviceMixOf(work, i);
      MILLRACE_TRY(m_mixed ? rows.mixPictures(stream, mix, work.in.fields[i].spec)
                           : launchCopyRows(stream, mix));
    }
    for (const std::size_t i : m_mixing.fields.labels) {
      const DeviceMix mix = deviceMixOf(work, i);
      MILLRACE_TRY(m_mixed ? launchMixRows(stream, mix, rows.labelShare())
                           : launchCopyRows(stream, mix));
    }
    return {};
  }

 private:
  const Mixing m_mixing;
  bool m_mixed = false;  ///< the current batch, between `prepare` and `launch`
};

}  // namespace

std::unique_ptr<BatchOp> batchMixOp(const MixDraws& draws, MixedFields fields,
                                    std::unique_ptr<RowMix> mix) {
  return std::make_unique<BatchMixOp>(Mixing{draws, std::move(fields), std::move(mix)});
}

std::unique_ptr<DeviceOp> deviceMixOp(const MixDraws& draws, MixedFields fields,
                                      std::unique_ptr<RowMix> mix) {
  return std::make_unique<DeviceMixOp>(Mixing{draws, std::move(fields), std::move(mix)});
}

}  // namespace millrace
