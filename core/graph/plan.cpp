// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/plan.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/graph/plan_groups.h"
#include "core/graph/server_data.h"
#include "core/spec/reorder_slots.h"
#include "core/storage/request_limit.h"

namespace millrace {

namespace {

/// Walks the chain from the source to the consumer and cuts it into stages.
class Lowering {
 public:
  Lowering(CheckedPipeline pipeline, const PlanOptions& options) : m_options(options) {
    m_plan.pipeline = std::move(pipeline);
  }

  Result<Plan> run() {
    while (role(m_plan.batchNode) != NodeRole::Batch) ++m_plan.batchNode;
    for (std::size_t i = 0; i < m_plan.pipeline.nodes.size(); ++i) place(i);
    finishConsumerStage();
    sizeQueues();
    MILLRACE_TRY(fuse());
    return std::move(m_plan);
  }

 private:
  void place(std::size_t i) {
    switch (role(i)) {
      case NodeRole::Source: placeSource(i); break;
      case NodeRole::Order: m_plan.orderNodes.push_back(i); break;
      case NodeRole::Workers: openRegion(i); break;
      case NodeRole::Batch: placeBatch(i); break;
      case NodeRole::Prefetch: placePrefetch(i); break;
      case NodeRole::Transfer: placeTransfer(i); break;
      case NodeRole::BatchOp: addBatchOp(i); break;
      case NodeRole::Consumer: m_plan.consumer = i; break;
      case NodeRole::Choice: break;  // not in a chain
      case NodeRole::Image:
      case NodeRole::Sample:
      case NodeRole::Cache: addSampleNode(i); break;
    }
  }

  void placeSource(std::size_t i) {
    m_plan.source = i;
    const CheckedNode& node = m_plan.node(i);
    if (!node.spec->readAhead) return;
    std::int64_t samples = node.spec->readAhead(node.values).samples;
    const bool fromServer = readsFromServer(node);
    if (fromServer && samples == 0) samples = kMostRequests;
    m_plan.readAhead.samples = static_cast<std::size_t>(samples);
    m_plan.readAhead.threads = static_cast<std::size_t>(
        std::min(samples, fromServer ? kMostRequests : ReadAheadSettings::kMostAtOnce));
    m_plan.readAhead.fromServer = fromServer;
  }

  void openRegion(std::size_t i) {
    const WorkersSettings settings = m_plan.node(i).spec->workers(m_plan.node(i).values);
    if (m_region && m_batched) closeStage(std::nullopt);
    if (m_region && !m_batched) passRowsOn(i);
    m_region = i;
    m_stage.id = m_plan.node(i).id;
    m_stage.threads = static_cast<std::size_t>(settings.count);
    m_stage.unit = m_batched || !m_plan.stages.empty() ? WorkUnit::Batch : settings.unit;
    m_stage.order = settings.order;
    m_stage.nodes.push_back(i);
  }

  /// Two regions before the batch node: the first collects the rows of a future batch in any size,
  /// the second continues with them row by row.
  void passRowsOn(std::size_t next) {
    const std::size_t batch = m_plan.batchNode;
    if (m_stage.segments.empty()) m_stage.segments.emplace_back();
    StreamType& rows = m_stage.segments.back().out;
    rows = m_plan.node(next).in;
    rows.level = Level::Batch;
    rows.batchSize = m_plan.node(batch).spec->batch(m_plan.node(batch).values).size;
    closeStage(std::nullopt);
    m_plan.queues.back().id = m_plan.node(next).id;
  }

  void placeBatch(std::size_t i) {
    m_batched = true;
    m_plan.batch = m_plan.node(i).spec->batch(m_plan.node(i).values);
    m_stage.nodes.push_back(i);
    if (m_stage.segments.empty()) m_stage.segments.emplace_back();
    m_stage.segments.back().out = m_plan.node(i).out;
    m_stage.segments.back().formsBatch = true;
    m_segmentClosed = true;
  }

  /// Without a device batches stay in host memory, but work after the transfer still leaves the
  /// region (docs/reference/regions-and-queues.md).
  void placeTransfer(std::size_t i) {
    if (m_plan.node(i).out.place != Place::Device) {
      m_stage.nodes.push_back(i);
      m_regionOver = m_region.has_value();
      return;
    }
    if (m_plan.stages.empty() || m_region || !m_stage.segments.empty()) closeNamed();
    if (m_plan.node(i).spec->transfer(m_plan.node(i).values).pinned)
      m_plan.queues.back().place = Place::Pinned;
    m_stage.id = m_plan.node(i).id;
    m_stage.transfer = i;
    m_stage.nodes.push_back(i);
    m_stage.segments.push_back({{}, {}, m_plan.node(i).out, false});
  }

  /// A prefetch after a transfer says how many batches may wait on the device, wherever it is
  /// placed.
  void placePrefetch(std::size_t i) {
    if (!m_stage.transfer) return closeStage(i);
    m_devicePrefetch = i;
    m_stage.nodes.push_back(i);
  }

  void addDeviceNode(std::size_t i) {
    m_stage.deviceGroups.push_back({{i}});
    m_stage.segments.back().out = m_plan.node(i).out;
    m_stage.nodes.push_back(i);
  }

  void closeTransfer() {
    const CheckedNode& node = m_plan.node(*m_stage.transfer);
    PlanQueue queue;
    queue.id = node.id;
    queue.capacity = static_cast<std::size_t>(node.spec->transfer(node.values).deviceSlots) - 1;
    if (m_devicePrefetch) {
      const CheckedNode& prefetch = m_plan.node(*m_devicePrefetch);
      queue.id = prefetch.id;
      queue.capacity =
          static_cast<std::size_t>(prefetch.spec->prefetch(prefetch.values).batches) + 1;
    }
    queue.place = Place::Device;
    m_plan.stages.push_back(std::move(m_stage));
    m_stage = PlanStage{};
    m_plan.queues.push_back(queue);
  }

  void addSampleNode(std::size_t i) {
    if (m_stage.transfer) return addDeviceNode(i);
    if (m_regionOver) closeStage(std::nullopt);
    std::vector<StageSegment>& segments = m_stage.segments;
    if (segments.empty() || m_segmentClosed || !segments.back().batchOps.empty())
      segments.emplace_back();
    m_segmentClosed = false;
    segments.back().sampleGroups.push_back({{i}});
    segments.back().out = m_plan.node(i).out;
    m_stage.nodes.push_back(i);
  }

  void addBatchOp(std::size_t i) {
    if (m_stage.transfer) return addDeviceNode(i);
    if (m_regionOver) closeStage(std::nullopt);
    addSegmentFor(i);
    m_stage.segments.back().batchOps.push_back(i);
    m_stage.segments.back().out = m_plan.node(i).out;
    m_stage.nodes.push_back(i);
  }

  /// Adds what is missing of the segments that operation i on whole batches needs.
  void addSegmentFor(std::size_t i) {
    std::vector<StageSegment>& segments = m_stage.segments;
    const CheckedNode& node = m_plan.node(i);
    const bool maps = node.spec->batchMap != nullptr;
    // Workers put the samples of the source into the first segment.
    if (segments.empty() && (!maps || m_plan.stages.empty()))
      segments.push_back({{}, {}, node.in, false, false});
    if (maps) segments.push_back({{}, {}, node.out, false, true});
  }

  /// Ends the stage with a queue. `prefetch`: its node; nullopt if one region follows another.
  void closeStage(std::optional<std::size_t> prefetch) {
    PlanQueue queue;
    queue.id = m_plan.node(prefetch.value_or(m_plan.batchNode)).id;
    queue.capacity = 1;
    if (prefetch) {
      const CheckedNode& node = m_plan.node(*prefetch);
      queue.capacity = static_cast<std::size_t>(node.spec->prefetch(node.values).batches);
      m_stage.nodes.push_back(*prefetch);
    }
    if (m_stage.id.empty()) m_stage.id = queue.id;
    if (m_stage.segments.empty())
      m_stage.segments.push_back({{}, {}, m_plan.node(m_stage.nodes.back()).out, false, false});
    m_plan.stages.push_back(std::move(m_stage));
    m_stage = PlanStage{};
    m_segmentClosed = false;
    m_plan.queues.push_back(queue);
    m_region.reset();
    m_regionOver = false;
  }

  Status fuse() {
    if (!m_options.fuse) return {};
    for (PlanStage& stage : m_plan.stages)
      for (StageSegment& segment : stage.segments)
        MILLRACE_TRY(fuseImageGroups(m_plan.pipeline, segment.sampleGroups));
    for (PlanStage& stage : m_plan.stages) fuseDeviceGroups(m_plan.pipeline, stage.deviceGroups);
    return {};
  }

  /// The nodes after the last queue run on the consumer's thread. A region without a prefetch node
  /// at its end still passes finished batches through a queue.
  void finishConsumerStage() {
    if (m_stage.transfer) closeTransfer();
    if (m_region) {
      const bool beforeBatch = *m_region < m_plan.batchNode;
      closeStage(std::nullopt);
      if (beforeBatch) moveRestToConsumer();
    }
    if (m_options.consumerApart) closeConsumersWork();
    m_stage.id = m_plan.node(m_plan.consumer).id;
    m_stage.onConsumer = true;
    m_stage.nodes.push_back(m_plan.consumer);
    m_plan.stages.push_back(std::move(m_stage));
  }

  void closeConsumersWork() {
    if (m_plan.stages.empty() || !m_stage.segments.empty()) closeNamed();
  }

  /// Ends a stage that has no node at its end. The queue is named after the stage's last node,
  /// which is unique; without a region the stage is, too. A region before the batch node keeps its
  /// usual name.
  void closeNamed() {
    const std::string last =
        m_plan.node(m_stage.nodes.empty() ? m_plan.batchNode : m_stage.nodes.back()).id;
    const bool plain = m_region && *m_region < m_plan.batchNode;
    if (!m_region) m_stage.id = last;
    closeStage(std::nullopt);
    if (!plain) m_plan.queues.back().id = last;
  }

  /// docs/reference/regions-and-queues.md: a region before the batch node ends with it, and nodes
  /// outside of regions run on the consumer's thread if no queue follows.
  void moveRestToConsumer() {
    PlanStage& region = m_plan.stages.back();
    StageSegment& first = region.segments.front();
    if (!first.batchOps.empty()) {
      m_stage.segments.push_back({{}, std::move(first.batchOps), first.out, false, false});
      first.batchOps.clear();
      first.out = m_plan.node(m_plan.batchNode).out;
    }
    std::move(region.segments.begin() + 1, region.segments.end(),
              std::back_inserter(m_stage.segments));
    region.segments.resize(1);
    const auto split = std::find(region.nodes.begin(), region.nodes.end(), m_plan.batchNode) + 1;
    m_stage.nodes.assign(split, region.nodes.end());
    region.nodes.erase(split, region.nodes.end());
  }

  void sizeQueues() {
    for (std::size_t i = 0; i < m_plan.queues.size(); ++i) {
      PlanQueue& queue = m_plan.queues[i];
      const PlanStage& writer = m_plan.stages[i];
      queue.from = writer.id;
      queue.to = m_plan.stages[i + 1].id;
      const bool wholeBatches =
          writer.unit == WorkUnit::Batch || i > 0 || writer.segments.size() > 1;
      queue.slotCount = usualSlots(queue.capacity, writer.threads, wholeBatches,
                                   static_cast<std::size_t>(m_plan.batch.size));
      // On a device, batches in progress wait in the queue too: their work is enqueued, not done.
      if (writer.transfer) queue.slotCount = queue.capacity + 1;
      if (writer.transfer)
        addDeviceBytes(writer, queue);
      else
        addHostBytes(writer, queue);
    }
    addReorderSlots();
  }

  /// For workers that share batches: those that make whole batches have a slot each. Without an
  /// upper limit, batches of large samples would take much memory.
  void addReorderSlots() {
    constexpr std::size_t kMostBytes = 256U << 20U;
    constexpr std::size_t kMostOfAnySize = 32;
    const PlanStage& writer = m_plan.stages.front();
    if (m_plan.queues.empty() || writer.transfer || writer.unit == WorkUnit::Batch) return;
    PlanQueue& queue = m_plan.queues.front();
    std::size_t most = queue.batchBytes > 0 ? kMostBytes / queue.batchBytes : SIZE_MAX;
    if (queue.anySize) most = std::min(most, kMostOfAnySize);
    queue.reorderSlots = std::min(
        most,
        reorderSlots(writer.threads, static_cast<std::size_t>(m_plan.batch.size), queue.slotCount));
  }

  /// Adds the memory of a field, in a batch of `rows` rows, to a slot of the queue.
  static void addBytes(const FieldSpec& field, std::int64_t rows, PlanQueue& queue) {
    const std::int64_t elements = field.shape.elements();
    if (field.dtype == DType::Encoded || elements == Shape::kUnknown)
      queue.anySize = true;
    else
      queue.batchBytes += static_cast<std::size_t>(elements * rows) * sizeOf(field.dtype);
  }

  /// Memory of a slot: the batches of all segments.
  static void addHostBytes(const PlanStage& stage, PlanQueue& queue) {
    for (const StageSegment& segment : stage.segments)
      for (const FieldSpec& field : segment.out.fields)
        addBytes(field, segment.out.batchSize, queue);
  }

  /// The copied fields, and every field for which an operation allocates new memory.
  void addDeviceBytes(const PlanStage& stage, PlanQueue& queue) const {
    for (const std::size_t i : stage.nodes) {
      const CheckedNode& node = m_plan.node(i);
      for (const FieldSpec& field : node.out.fields) {
        const FieldSpec* before = node.in.field(field.name);
        if (node.spec->role == NodeRole::Transfer || before == nullptr || *before != field)
          addBytes(field, node.out.batchSize, queue);
      }
    }
  }

  NodeRole role(std::size_t i) const { return m_plan.node(i).spec->role; }

  PlanOptions m_options;
  Plan m_plan;
  PlanStage m_stage;
  std::optional<std::size_t> m_region;
  std::optional<std::size_t> m_devicePrefetch;
  bool m_batched = false;
  bool m_regionOver = false;     ///< the next node is outside the region
  bool m_segmentClosed = false;  ///< the next sample node starts a segment
};

std::string groupText(const Plan& plan, const PlanGroup& group) {
  std::vector<std::string> ids;
  for (const std::size_t i : group.nodes) ids.push_back(plan.node(i).id);
  const std::string text = join(ids, " + ");
  return ids.size() > 1 ? "[" + text + "]" : text;
}

/// "choose: 1 of flip, blur for each sample, with probability 0.8": one line for each choice.
std::vector<std::string> choiceTexts(const CheckedPipeline& pipeline) {
  std::vector<std::string> lines;
  const NodeChoice* last = nullptr;
  for (const CheckedNode& node : pipeline.nodes) {
    if (!node.choice || (last != nullptr && last->id == node.choice->id)) continue;
    last = &*node.choice;
    std::vector<std::string> ids;
    for (const CheckedNode& other : pipeline.nodes)
      if (other.choice && other.choice->id == last->id) ids.push_back(other.id);
    std::string line = fmt::format("{}: {} of {} for each sample", last->id,
                                   last->count == ids.size() ? "all" : std::to_string(last->count),
                                   join(ids, ", "));
    if (last->probability < 1) line += fmt::format(", with probability {:g}", last->probability);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string stageText(const Plan& plan, const PlanStage& stage) {
  std::vector<std::string> work;
  for (const StageSegment& segment : stage.segments) {
    for (const PlanGroup& group : segment.sampleGroups) work.push_back(groupText(plan, group));
    if (segment.formsBatch) work.push_back(plan.node(plan.batchNode).id);
    for (const std::size_t i : segment.batchOps) work.push_back(plan.node(i).id + " (whole batch)");
  }
  if (stage.transfer) work.push_back("copy to the GPU");
  for (const PlanGroup& group : stage.deviceGroups) work.push_back(groupText(plan, group));
  if (&stage == plan.stages.data()) work.insert(work.begin(), "read");
  if (stage.onConsumer) work.push_back(plan.node(plan.consumer).id);
  const char* threads = stage.onConsumer ? "the consumer's thread" : nullptr;
  return fmt::format(
      "stage {}: {}{}: {}", stage.id,
      threads ? threads : fmt::format("{} thread{}", stage.threads, stage.threads == 1 ? "" : "s"),
      stage.unit == WorkUnit::Batch ? ", whole batches" : "", join(work, ", "));
}

}  // namespace

std::size_t Plan::counterOf(std::size_t i) const {
  for (const PlanStage& stage : stages)
    for (const StageSegment& segment : stage.segments)
      for (const PlanGroup& group : segment.sampleGroups)
        if (std::find(group.nodes.begin(), group.nodes.end(), i) != group.nodes.end())
          return group.nodes.front();
  for (const PlanStage& stage : stages)
    for (const PlanGroup& group : stage.deviceGroups)
      if (std::find(group.nodes.begin(), group.nodes.end(), i) != group.nodes.end())
        return group.nodes.front();
  return i;
}

std::vector<std::string> Plan::text() const {
  std::vector<std::string> lines;
  std::vector<std::string> order;
  for (const std::size_t i : orderNodes) order.push_back(node(i).id);
  lines.push_back(fmt::format("order: {}", order.empty() ? "as in the source" : join(order, ", ")));
  if (readAhead.samples > 0)
    lines.push_back(fmt::format("read ahead of {}: up to {} samples, {}{} at once", node(source).id,
                                readAhead.samples, readAhead.fromServer ? "up to " : "",
                                readAhead.threads));
  for (std::size_t i = 0; i < stages.size(); ++i) {
    lines.push_back(stageText(*this, stages[i]));
    if (i >= queues.size()) continue;
    const PlanQueue& queue = queues[i];
    const std::string fixed =
        humanBytes(static_cast<double>(queue.batchBytes) * static_cast<double>(queue.slotCount));
    const std::string memory = !queue.anySize          ? fixed + " in all"
                               : queue.batchBytes == 0 ? "rows of varying size"
                                                       : fixed + " and rows of varying size";
    const char* const place = queue.place == Place::Device   ? " of GPU memory"
                              : queue.place == Place::Pinned ? ", pinned"
                                                             : "";
    std::string line = fmt::format("queue {}: up to {} finished batches, {} slots, {}{}", queue.id,
                                   queue.capacity, queue.slotCount, memory, place);
    if (queue.reorderSlots > 0)
      line += fmt::format("; {} more while a slow sample holds up a batch", queue.reorderSlots);
    lines.push_back(std::move(line));
  }
  for (std::string& line : choiceTexts(pipeline)) lines.push_back(std::move(line));
  for (std::size_t i = 0; i < pipeline.nodes.size(); ++i)
    if (const std::size_t bytes = sideIndexBytes(pipeline, i); bytes > 0)
      lines.push_back(fmt::format("side index of {}: up to {} of memory", node(i).id,
                                  humanBytes(static_cast<double>(bytes))));
  for (const PlanStage& stage : stages)
    for (const StageSegment& segment : stage.segments)
      for (const PlanGroup& group : segment.sampleGroups)
        if (std::string text = resizeText(pipeline, group.nodes.front(), group.nodes);
            !text.empty())
          lines.push_back(std::move(text));
  return lines;
}

Result<Plan> makePlan(CheckedPipeline pipeline, const PlanOptions& options) {
  return Lowering(std::move(pipeline), options).run();
}

}  // namespace millrace
