// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/data/sample.h"
#include "core/spec/source.h"

namespace millrace {

/// One entry of an epoch's order.
struct SampleIndex {
  std::uint32_t index = 0;
  std::uint32_t copy = 0;  ///< which copy of the sample in the epoch
  bool operator==(const SampleIndex&) const = default;
};

struct OrderContext {
  std::uint64_t seed = 0;
  std::uint32_t epoch = 0;
  std::uint32_t node = 0;  ///< hash of the node's id
  bool noRandom = false;   ///< keep the incoming order
  const Source* source = nullptr;
  /// Number of entries that make one batch of every process.
  std::size_t step = 1;

  Draw draw() const { return Draw({seed, epoch, 0, 0, node}, noRandom); }
};

/// Transforms an order that arrives in pieces, for an epoch that starts before its whole source is
/// listed. For use by one thread.
class IndexStream {
 public:
  virtual ~IndexStream() = default;
  /// Takes the next entries and appends to `out` every entry that is now determined. `last`: no
  /// more entries follow; called exactly once with it, unless done() became true before.
  virtual void next(std::span<const SampleIndex> in, bool last, std::vector<SampleIndex>& out) = 0;
  /// It needs no more entries.
  virtual bool done() const { return false; }
};

/// Transforms the order of one epoch: shuffles it, takes a part, repeats it. A pure function of its
/// input and the context, so that every rank and every resume computes the same order. All epochs
/// have the same length. Constant
/// after construction; any thread.
class IndexTransform {
 public:
  virtual ~IndexTransform() = default;
  virtual void apply(std::vector<SampleIndex>& order, const OrderContext& context) const = 0;
  /// The number of processes, if it selects the part of one: what comes before it is the same for
  /// all of them.
  virtual std::size_t processes() const { return 1; }
  /// Whether it may select other samples in another epoch.
  virtual bool varies() const { return false; }
  /// Why it cannot follow one that varies; empty if it can.
  virtual std::string whyNotAfterVarying() const { return {}; }
  /// The same transform in pieces; nullptr if it needs the whole order at once.
  virtual std::unique_ptr<IndexStream> stream(const OrderContext&) const { return nullptr; }
};

}  // namespace millrace
