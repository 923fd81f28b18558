// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/checked_pipeline.h"

namespace millrace {

/// Nodes that run as one operation; they share one counter, which the first shows (CONTRACT §6).
struct PlanGroup {
  std::vector<std::size_t> nodes;  ///< indices into CheckedPipeline::nodes, in chain order
};

/// Work between two hand-overs of a batch: first operations that go row by row into new memory,
/// then operations on the whole batch in place. Both are empty where a stage hands batches on as
/// they are. The first phase of a stage in front of the batch node is what lies in front of it; row
/// operations behind it go over the rows of finished batches, in phases of their own. Where two
/// regions stand in front of the batch node, the first hands over the rows of the batch to come.
struct PlanPhase {
  std::vector<PlanGroup> rowGroups;
  std::vector<std::size_t> batchOps;
  StreamType out;  ///< the stream behind the phase, at batch level
  /// Its rows, of any size until then, become those of the batch node.
  bool formsBatch = false;
};

/// Nodes that run on the same threads.
struct PlanStage {
  /// Thread name, log prefix, chart label and place in errors: the id of the node that made it.
  std::string id;
  std::size_t threads = 1;
  /// The consumer's own thread runs this stage; `threads` is 1.
  bool onConsumer = false;
  WorkUnit unit = WorkUnit::Sample;
  DeliveryOrder order = DeliveryOrder::Strict;
  std::vector<PlanPhase> phases;
  /// The transfer node of a stage that moves batches to a device; such a stage has one thread and
  /// one phase, without operations of the host.
  std::optional<std::size_t> transfer;
  /// What runs on the device behind that, in order.
  std::vector<PlanGroup> deviceGroups;
  /// Every node of the stage, settings nodes (workers, batch) included, for display.
  std::vector<std::size_t> nodes;
};

/// Finished batches between two stages.
struct PlanQueue {
  /// Of the prefetch node; where there is none of the batch node, or of the second region in front
  /// of it.
  std::string id;
  std::string from;  ///< stage ids
  std::string to;
  std::size_t capacity = 0;    ///< batches that may wait
  std::size_t slotCount = 0;   ///< batches that memory is kept for
  std::size_t batchBytes = 0;  ///< memory of one, of the fields whose rows have a fixed size
  bool anySize = false;        ///< rows of other fields take memory as they come
  Place place = Place::Host;   ///< of the slots
};

/// Reading ahead of the first stage's threads, by threads of its own.
struct PlanReadAhead {
  std::size_t samples = 0;  ///< read before they are asked for; 0: the stage reads itself
  std::size_t threads = 0;  ///< reads under way at once
};

/// How a checked pipeline runs: stages in order, the first from the source on, the last one the
/// consumer's; queue i lies between stages i and i + 1. Value type.
struct Plan {
  CheckedPipeline pipeline;
  std::vector<std::size_t> orderNodes;
  std::size_t source = 0;
  PlanReadAhead readAhead;
  std::size_t consumer = 0;
  BatchSettings batch;
  std::size_t batchNode = 0;
  std::vector<PlanStage> stages;
  std::vector<PlanQueue> queues;

  const CheckedNode& node(std::size_t i) const { return pipeline.nodes[i]; }
  /// The node whose counter shows the work of node i: i itself unless it was fused into another.
  std::size_t counterOf(std::size_t i) const;
  /// As `millrace check` prints it, a line each.
  std::vector<std::string> text() const;
};

struct PlanOptions {
  bool fuse = true;  ///< off: every node an operation of its own (`--no-fuse`)
  /// The consumer is another program's training step: what would run on its thread gets a stage
  /// with a thread of its own, so that batches are ready when it asks.
  bool consumerApart = false;
};

/// Lowers a checked pipeline (DESIGN §3, CONTRACT §5 and §6). An error names what cannot run.
Result<Plan> makePlan(CheckedPipeline pipeline, const PlanOptions& options = {});

}  // namespace millrace
