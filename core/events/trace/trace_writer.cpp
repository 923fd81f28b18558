// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/trace/trace_writer.h"

#include <cstdio>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/text.h"

namespace millrace {

namespace {

/// The text as a JSON string.
std::string quoted(const std::string& text) {
  return nlohmann::json(validUtf8(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Trace events are in microseconds; three decimals preserve nanoseconds.
double microseconds(std::uint64_t from, std::uint64_t to) {
  return to > from ? static_cast<double>(to - from) * 1e-3 : 0;
}

/// The common beginning of a span's event.
std::string spanHead(const std::string& name, const char* category, std::size_t process,
                     std::size_t thread, double at, double length) {
  return fmt::format(
      R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f})", quoted(name),
      category, process, thread, at, length);
}

std::string nameEvent(const char* what, std::size_t process, std::size_t thread,
                      const std::string& name) {
  return fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", what,
                     process, thread, quoted(name));
}

/// Categories that users look for: reading, decoding, augmenting, ...
const char* categoryOf(const CheckedNode& node) {
  switch (node.spec->category) {
    case Category::Source: return "read";
    case Category::Cache: return "cache";
    case Category::Decode: return "decode";
    case Category::Geometry:
    case Category::Colour:
    case Category::Tensor: return "augment";
    case Category::Consumer: return "step";
    default: return "batch";
  }
}

const char* nameOf(StepWork work) {
  switch (work) {
    case StepWork::Forward: return "forward";
    case StepWork::Backward: return "backward";
    case StepWork::Update: return "update";
    case StepWork::Emulated: return "step";
  }
  return "";
}

/// Formats the spans of one repeat.
class SpanText {
 public:
  SpanText(const Plan& plan, std::size_t process, std::uint64_t beginNs)
      : m_plan(plan), m_process(process), m_beginNs(beginNs) {
    for (const CheckedNode& node : plan.pipeline.nodes) m_names.push_back(node.id);
    for (const PlanStage& stage : plan.stages) {
      for (const StageSegment& segment : stage.segments) {
        for (const std::size_t op : segment.batchOps) m_onBatches.insert(op);
        for (const PlanGroup& group : segment.sampleGroups) join(group);
      }
      if (stage.transfer) m_onBatches.insert(*stage.transfer);
      for (const PlanGroup& group : stage.deviceGroups) {
        join(group);
        m_onBatches.insert(group.nodes.front());
      }
    }
    m_onBatches.insert(plan.consumer);
  }

  std::string of(const TraceSpan& span, std::size_t thread) const {
    switch (span.kind) {
      case TraceSpan::Kind::Node: return ofNode(span, thread);
      case TraceSpan::Kind::Row:
        return head(span, thread, "row", "batch") +
               fmt::format(R"(,"args":{{"sample":{},"batch":{}}}}})", span.item, span.node);
      case TraceSpan::Kind::Batch:
        return head(span, thread, "batch", "batch") + item("batch", span);
      case TraceSpan::Kind::WaitForSlot:
        return head(span, thread, "waits for a slot", "wait") + item("batch", span);
      case TraceSpan::Kind::WaitForBatch:
        return head(span, thread, "waits for a batch", "wait") + item("batch", span);
      case TraceSpan::Kind::Copy:
        return head(span, thread, "copy to the device", "transfer") + item("batch", span);
      case TraceSpan::Kind::Device:
        return head(span, thread, m_names[span.node], "device") + item("batch", span);
      case TraceSpan::Kind::Step:
        return head(span, thread, nameOf(span.part), "step") + item("batch", span);
    }
    return {};
  }

 private:
  void join(const PlanGroup& group) {
    for (std::size_t i = 1; i < group.nodes.size(); ++i)
      m_names[group.nodes.front()] += " + " + m_plan.node(group.nodes[i]).id;
  }

  std::string ofNode(const TraceSpan& span, std::size_t thread) const {
    const std::string begin =
        head(span, thread, m_names[span.node], categoryOf(m_plan.node(span.node)));
    if (span.node == m_plan.source)
      return fmt::format(
          R"({},"args":{{"sample":{},"name":{}}}}})", begin, span.item,
          quoted(m_plan.pipeline.source->name(static_cast<std::uint32_t>(span.item))));
    return begin + item(m_onBatches.count(span.node) > 0 ? "batch" : "sample", span);
  }

  std::string head(const TraceSpan& span, std::size_t thread, const std::string& name,
                   const char* category) const {
    return spanHead(name, category, m_process, thread, microseconds(m_beginNs, span.beginNs),
                    microseconds(span.beginNs, span.endNs));
  }

  static std::string item(const char* what, const TraceSpan& span) {
    return fmt::format(R"(,"args":{{"{}":{}}}}})", what, span.item);
  }

  const Plan& m_plan;
  const std::size_t m_process;
  const std::uint64_t m_beginNs;
  std::vector<std::string> m_names;  ///< by node; for fused nodes the first has all names
  std::set<std::size_t> m_onBatches;
};

/// Flow ids are unique in the whole file, not only in a repeat.
std::uint64_t flowId(std::size_t process, std::uint64_t batch) {
  return (static_cast<std::uint64_t>(process) << 40U) + batch;
}

const char* flowPhase(std::size_t point, std::size_t points) {
  if (point == 0) return R"("ph":"s")";
  // "e": the flow ends at the enclosing span, not at the next one.
  return point + 1 == points ? R"("ph":"f","bp":"e")" : R"("ph":"t")";
}

constexpr std::string_view kBegin = R"({"displayTimeUnit":"ms","traceEvents":[)";

}  // namespace

Result<TraceWriter> TraceWriter::open(const std::filesystem::path& file) {
  MILLRACE_TRY(mayReplaceKind(file, "a trace",
                              [](std::string_view head) { return head.starts_with(kBegin); }));
  MILLRACE_ASSIGN_OR_RETURN(auto opened, WholeFile::open(file));
  TraceWriter writer(std::move(opened), file);
  std::fwrite(kBegin.data(), 1, kBegin.size(), writer.m_file.stream());
  return writer;
}

void TraceWriter::write(const std::string& event) {
  std::fputs(m_first ? "\n" : ",\n", m_file.stream());
  m_first = false;
  std::fwrite(event.data(), 1, event.size(), m_file.stream());
}

void TraceWriter::add(const Plan& plan, std::size_t repeat, const RunTrace& trace) {
  const std::size_t process = repeat + 1;
  write(nameEvent("process_name", process, 0, fmt::format("repeat {}", process)));
  write(nameEvent("thread_name", process, 0, "phase"));
  const std::uint64_t measured = trace.measuredNs > 0 ? trace.measuredNs : trace.endNs;
  write(spanHead("warm-up", "phase", process, 0, 0, microseconds(trace.beginNs, measured)) + "}");
  if (trace.measuredNs > 0)
    write(spanHead("measured", "phase", process, 0, microseconds(trace.beginNs, measured),
                   microseconds(measured, trace.endNs)) +
          "}");
  const SpanText text(plan, process, trace.beginNs);
  for (std::size_t t = 0; t < trace.threads.size(); ++t) {
    const RunTrace::Thread& thread = trace.threads[t];
    std::string name = thread.name;
    m_summary.spans += thread.spans.size();
    m_summary.leftOut += thread.dropped;
    if (thread.dropped > 0) name += fmt::format(" ({} later spans left out)", thread.dropped);
    write(nameEvent("thread_name", process, t + 1, name));
    for (const TraceSpan& span : thread.spans) write(text.of(span, t + 1));
  }
  addFlows(plan, process, trace);
  addQueues(plan, process, trace);
  if (const auto overlap = overlapOf(trace)) m_summary.overlap = overlap;
}

void TraceWriter::addFlows(const Plan& plan, std::size_t process, const RunTrace& trace) {
  for (const BatchPath& path : batchPaths(plan, trace))
    for (std::size_t i = 0; i < path.points.size(); ++i)
      write(
          fmt::format(R"({{{},"name":"batch","cat":"flow","id":{},"pid":{},"tid":{},"ts":{:.3f}}})",
                      flowPhase(i, path.points.size()), flowId(process, path.batch), process,
                      path.points[i].thread + 1, microseconds(trace.beginNs, path.points[i].ns)));
}

void TraceWriter::addQueues(const Plan& plan, std::size_t process, const RunTrace& trace) {
  for (const QueueFill& queue : queueFills(plan, trace)) {
    const std::string name = quoted("queue " + queue.queue);
    for (const QueueFill::Change& change : queue.changes)
      write(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{:.3f},"args":{{"batches":{}}}}})",
                        name, process, microseconds(trace.beginNs, change.ns), change.fill));
  }
}

Status TraceWriter::finish() {
  const std::string overlap =
      m_summary.overlap ? fmt::format("{:.4f}", m_summary.overlap->share()) : "null";
  // Not fmt::print to the file, because that throws if the disk is full.
  const std::string end = fmt::format(
      "\n],\"otherData\":{{\"spans\":{},\"spans_left_out\":{},\"copy_overlap_share\":{}}}}}\n",
      m_summary.spans, m_summary.leftOut, overlap);
  std::fputs(end.c_str(), m_file.stream());
  const Status finished = m_file.finish();
  if (finished.ok()) return {};
  return Error{
      fmt::format("{}: the trace is incomplete: {}", m_name.string(), finished.error().message)};
}

}  // namespace millrace
