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

/// Nodes that run as one operation. They share the counter of the first node
/// (docs/reference/regions-and-queues.md).
struct PlanGroup {
  std::vector<std::size_t> nodes;  ///< indices into CheckedPipeline::nodes, in chain order
};

/// Work between two hand-overs of a batch: first sample operations, row by row into new memory,
/// then operations on the whole batch in place. Both may be empty. In a stage before the batch
/// node, the first segment is the work before that node. Sample operations after the batch node go
/// over the rows of finished batches, in separate segments. If two regions come before the
/// batch node, the first passes on the rows of the future batch.
struct StageSegment {
  std::vector<PlanGroup> sampleGroups;
  std::vector<std::size_t> batchOps;
  StreamType out;  ///< the stream after the segment, at batch level
  /// Its rows get the form of the batch node here; before, they may have any size.
  bool formsBatch = false;
  /// The first of batchOps makes a new batch (NodeSpec::batchMap); there are no sample operations.
  bool maps = false;
};

/// Nodes that run on the same threads.
struct PlanStage {
  /// Id of the node that defines the stage; also thread name, log prefix, chart label and prefix of
  /// errors.
  std::string id;
  std::size_t threads = 1;
  /// Whether the consumer's own thread runs this stage; `threads` is 1 then.
  bool onConsumer = false;
  WorkUnit unit = WorkUnit::Sample;
  DeliveryOrder order = DeliveryOrder::Strict;
  std::vector<StageSegment> segments;
  /// The transfer node, if the stage moves batches to a device. Such a stage has one thread and one
  /// segment without operations on the host.
  std::optional<std::size_t> transfer;
  /// Operations on the device after that, in order.
  std::vector<PlanGroup> deviceGroups;
  /// Every node of the stage for display, including settings nodes (workers, batch).
  std::vector<std::size_t> nodes;
};

/// Queue of finished batches between two stages.
struct PlanQueue {
  /// Id of the prefetch node; without one, of the batch node or of the second region before it.
  std::string id;
  std::string from;  ///< stage ids
  std::string to;
  std::size_t capacity = 0;   ///< batches that may wait
  std::size_t slotCount = 0;  ///< batches that memory is allocated for
  /// Further slots, allocated only if a slow sample holds up a batch (BatchRing).
  std::size_t reorderSlots = 0;
  std::size_t batchBytes = 0;  ///< memory of a batch, for fields with rows of fixed size
  bool anySize = false;        ///< whether other fields take memory as needed
  Place place = Place::Host;   ///< place of the slots
};

/// Reading ahead of the first stage, on separate threads.
struct PlanReadAhead {
  std::size_t samples = 0;  ///< samples read ahead; 0: the stage reads them itself
  std::size_t threads = 0;  ///< reads in progress at once, at most
  /// The data is at a server: the run begins with few reads at once and finds how many it needs.
  bool fromServer = false;
};

/// How a checked pipeline runs. Stages are in order: the first one has the source, the last one is
/// the consumer's; queue i is between stages i and i + 1. Value type.
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
  /// The node whose counter includes the work of node i: i itself unless it is fused into another.
  std::size_t counterOf(std::size_t i) const;
  /// The plan as `millrace check` prints it, one string for each line.
  std::vector<std::string> text() const;
};

struct PlanOptions {
  bool fuse = true;  ///< off: every node is a separate operation (`--no-fuse`)
  /// The consumer is another program's training step: work that would run on its thread gets a
  /// separate stage with its own thread, so that batches are ready when it asks for them.
  bool consumerApart = false;
};

/// Lowers a checked pipeline (docs/reference/regions-and-queues.md). The error names what cannot
/// run.
Result<Plan> makePlan(CheckedPipeline pipeline, const PlanOptions& options = {});

}  // namespace millrace
