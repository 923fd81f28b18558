// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/loader/live_loader.h"

#include <algorithm>

#include <QJsonDocument>
#include <QJsonObject>
#include <QThread>

#include "core/own_loader/loader_lines.h"
#include "core/own_loader/loader_run.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/loader/loader_graph.h"

namespace millrace {

namespace {

/// Before this, the figures so far are of too few batches.
constexpr double kLeastSeconds = 1.5;
/// All that passes its steps is batches.
const QString kPerSecond = kNoBreak + QString("/s");

}  // namespace

void LiveLoader::begin(const QString& name, const MeasureChoice& measure) {
  *this = {};
  m_name = name;
  m_measure = measure;
  m_run.begin(name, measure, {});
}

void LiveLoader::take(const StreamEvent& event) {
  if (const auto* plan = std::get_if<PlanEvent>(&event.content)) {
    m_graph = loaderGraph(*plan);
    m_run.begin(m_name, m_measure, loaderNames(m_graph));
  }
  m_run.take(event);
  if (const auto* result = std::get_if<ResultEvent>(&event.content)) takeResult(result->json);
}

void LiveLoader::takeResult(const std::string& json) {
  const QJsonObject facts =
      QJsonDocument::fromJson(QByteArray::fromStdString(json)).object()["environment"].toObject();
  m_limit = facts["loader_limit"].toString();
  m_limitStep = fromQt(facts["loader_limit_step"].toString());
  m_advice = facts["loader_advice"].toString();
  if (const QString start = facts["loader_epoch_start"].toString(); !start.isEmpty())
    m_notes << "Epoch start: " + start + '.';
  if (const auto empty = facts["loader_queue_empty"]; empty.isString())
    m_notes << QString("The queue of finished batches was empty for %1 of the batches.")
                   .arg(shownShare(empty.toString().toDouble()));
}

QString LiveLoader::planLine(std::size_t line) const {
  if (!m_run.plan() || m_run.plan()->text.size() <= line) return {};
  return toQt(m_run.plan()->text[line]);
}

std::optional<LoaderLoad> LiveLoader::load() const {
  const LiveSpan span = m_run.between({m_run.began(), m_run.now()});
  if (!m_run.plan() || span.seconds < kLeastSeconds || span.countedSeconds <= 0)
    return std::nullopt;
  LoaderLoad load;
  load.what = about().startsWith(toQt(kTfData)) ? kTfData : kDataLoader;
  load.coresUsable = std::max(1, QThread::idealThreadCount());
  load.coresUsed = span.cpuSeconds / span.seconds;
  for (const PlanEvent::Stage& stage : m_run.plan()->stages)
    if (stage.id == kWorkersStage) load.workers = stage.threads;
  double busy = 0;
  for (const LiveSpan::Node& node : span.nodes) {
    if (node.id == kStepNode || node.id == kFetchNode) continue;
    load.steps.emplace_back(node.id, node.busySeconds.value_or(0));
    busy += node.busySeconds.value_or(0);
  }
  for (auto& [step, share] : load.steps) share = busy > 0 ? share / busy : 0;
  if (load.workers > 0)
    load.workersBusy =
        std::min(1.0, busy / (static_cast<double>(load.workers) * span.countedSeconds));
  return load;
}

QString LiveLoader::limit() const {
  if (m_limit) return *m_limit;
  const auto known = load();
  return known ? toQt(lineOf(findLoaderLimit(*known))) : QString();
}

RunOverlay loaderOverlay(const LiveRun& run, const std::string& limitStep) {
  RunOverlay overlay = overlayOf(run);
  for (auto& [id, node] : overlay.nodes) {
    node.ring = node.keepsUp = false;
    for (QString* text : {&node.rate, &node.details})
      text->replace(kPerSecond, kNoBreak + QString("batches/s"));
  }
  if (const auto node = overlay.nodes.find(limitStep); node != overlay.nodes.end())
    node->second.ring = true;
  if (const auto region = overlay.regions.find(kWorkersStage); region != overlay.regions.end())
    region->second.left.replace("threads", "processes").replace("thread,", "process,");
  return overlay;
}

RunOverlay LiveLoader::overlay() const {
  std::string step = m_limitStep;
  if (const auto known = load(); !m_limit && known) step = stepOf(findLoaderLimit(*known), *known);
  return loaderOverlay(m_run, step);
}

}  // namespace millrace
