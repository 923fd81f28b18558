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

/// One place in an epoch's order.
struct OrderEntry {
  std::uint32_t index = 0;
  std::uint32_t round = 0;
  bool operator==(const OrderEntry&) const = default;
};

struct OrderContext {
  std::uint64_t seed = 0;
  std::uint32_t epoch = 0;
  std::uint32_t node = 0;  ///< hash of the node's id
  bool noRandom = false;   ///< keep the order that comes in
  const Source* source = nullptr;

  Draw draw() const { return Draw({seed, epoch, 0, 0, node}, noRandom); }
};

/// Turns an order that comes bit by bit into another, for an epoch that begins before all of its
/// source is listed. One thread.
class OrderStream {
 public:
  virtual ~OrderStream() = default;
  /// Takes the next entries and appends to `out` what follows from those that came so far. `last`:
  /// none come after them; called once with it, unless `done` before.
  virtual void next(std::span<const OrderEntry> in, bool last, std::vector<OrderEntry>& out) = 0;
  /// It wants no more.
  virtual bool done() const { return false; }
};

/// Turns the order of one epoch into another: shuffles, takes a part, repeats. A pure function of
/// its input and the context, so that every rank and every resume computes the same. Constant
/// after construction; any thread.
class OrderOp {
 public:
  virtual ~OrderOp() = default;
  virtual void apply(std::vector<OrderEntry>& order, const OrderContext& context) const = 0;
  /// The same bit by bit; nullptr: the operation needs all of the order.
  virtual std::unique_ptr<OrderStream> stream(const OrderContext&) const { return nullptr; }
};

}  // namespace millrace
