// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace/trace_rows.h"

#include <algorithm>
#include <map>

#include <QRegularExpression>

#include "core/base/text/text.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

std::uint32_t indexOf(const std::vector<std::string>& texts, const char* text) {
  const auto found = std::ranges::find(texts, text);
  return found == texts.end() ? TraceFile::kNoText
                              : static_cast<std::uint32_t>(found - texts.begin());
}

/// A name of the file with titles for ids: "decode + flip", "workers:0", "queue prefetch".
QString titled(const std::string& name, const TraceTitles& titles) {
  static const QRegularExpression parts("^(queue )?([^:]+)(:[0-9]+)?$");
  QStringList words = toQt(singleLine(name)).split(" + ");
  for (QString& word : words) {
    const QRegularExpressionMatch match = parts.match(word);
    const QString title = titles && match.hasMatch() ? titles(match.captured(2)) : QString();
    if (!title.isEmpty()) word = match.captured(1) + title + match.captured(3);
  }
  return words.join(" + ");
}

}  // namespace

TraceRows::TraceRows(const TraceFile& file, std::size_t repeat, const TraceTitles& titles)
    : m_file(&file),
      m_names(file.texts.size()),
      m_wait(indexOf(file.categories, "wait")),
      m_phase(indexOf(file.categories, "phase")) {
  for (const TraceFile::Track& track : file.tracks) {
    if (track.repeat != repeat) continue;
    m_threads.push_back({titled(track.name, titles), lanesOf(track.spans)});
    TraceLane busy;
    for (const TraceFile::Span& span : track.spans) {
      m_lengthNs = std::max(m_lengthNs, span.endNs);
      if (m_names[span.name].isEmpty()) m_names[span.name] = titled(file.texts[span.name], titles);
      if (span.batch != TraceFile::kNoItem) m_lastBatch = std::max(m_lastBatch, span.batch);
      if (span.category != m_wait && span.category != m_phase && span.beginNs >= busy.endNs())
        busy.add(span);
    }
    if (!busy.spans().empty()) m_busy.emplace_back(m_threads.size() - 1, std::move(busy));
  }
  for (const TraceFile::Queue& queue : file.queues)
    if (queue.repeat == repeat) {
      m_queues.push_back(&queue);
      m_queueNames.push_back(titled(queue.name, titles));
    }
}

std::string TraceRows::categoryOf(const TraceFile::Span& span) const {
  return m_file->categories[span.category];
}

std::vector<TraceRows::Place> TraceRows::spansOf(std::uint64_t batch) const {
  std::vector<Place> found;
  for (std::size_t t = 0; t < m_threads.size(); ++t)
    for (std::size_t l = 0; l < m_threads[t].lanes.size(); ++l) {
      const auto& spans = m_threads[t].lanes[l].spans();
      for (std::size_t s = 0; s < spans.size(); ++s)
        if (spans[s].batch == batch) found.push_back({t, l, s});
    }
  std::ranges::stable_sort(found, {}, [this](const Place& place) { return span(place).beginNs; });
  return found;
}

QString TraceRows::storyOf(std::uint64_t batch) const {
  const std::vector<Place> places = spansOf(batch);
  if (places.empty()) return QString("Batch %1 is not in this repeat.").arg(batch);
  std::map<std::uint64_t, bool> samples;
  std::uint64_t busy = 0;
  std::uint64_t waited = 0;
  std::uint64_t end = 0;
  for (const Place& place : places) {
    const TraceFile::Span& one = span(place);
    if (one.sample != TraceFile::kNoItem) samples[one.sample] = true;
    (isWait(one) ? waited : busy) += one.endNs - one.beginNs;
    end = std::max(end, one.endNs);
  }
  const std::uint64_t begin = span(places.front()).beginNs;
  QString words = QString("Batch %1: ").arg(batch);
  if (!samples.empty())
    words += shownCount(static_cast<std::int64_t>(samples.size()), "sample") + ", ";
  words += QString("from %1 to %2 (%3), worked on for %4 on all threads")
               .arg(shownDuration(begin), shownDuration(end), shownDuration(end - begin),
                    shownDuration(busy));
  if (waited > 0) words += ", waited for " + shownDuration(waited);
  return words + '.';
}

QString TraceRows::wordsOf(const Place& place) const {
  const TraceFile::Span& one = span(place);
  QStringList words = {nameOf(one), shownDuration(one.endNs - one.beginNs)};
  if (one.sample != TraceFile::kNoItem) {
    QString sample = QString("sample %1").arg(one.sample);
    if (one.sampleName != TraceFile::kNoText)
      sample += " " + toQt(singleLine(m_file->texts[one.sampleName]));
    words << sample;
  }
  if (one.batch != TraceFile::kNoItem) words << QString("batch %1").arg(one.batch);
  words << "at " + shownDuration(one.beginNs) << m_threads[place.thread].name;
  return words.join(" · ");
}

double TraceRows::busyShare(std::uint64_t from, std::uint64_t to) const {
  if (to <= from || m_busy.empty()) return 0;
  double busy = 0;
  for (const auto& [thread, lane] : m_busy) busy += static_cast<double>(lane.busyNs(from, to));
  return busy / static_cast<double>(to - from) / static_cast<double>(m_busy.size());
}

QColor traceColour(const std::string& category) {
  const Theme& t = theme();
  if (category == "read") return t.category(Category::Source);
  if (category == "decode") return t.category(Category::Decode);
  if (category == "augment") return t.category(Category::Geometry);
  if (category == "cache") return t.category(Category::Cache);
  if (category == "batch") return t.category(Category::Runtime);
  if (category == "step") return t.category(Category::Consumer);
  if (category == "transfer") return t[Tone::WirePinned];
  if (category == "device") return t[Tone::WireDevice];
  if (category == "wait" || category == "phase") return t[Tone::WaterTrack];
  return t[Tone::Hint];
}

const std::vector<std::pair<std::string, QString>>& traceCategories() {
  static const std::vector<std::pair<std::string, QString>> kAll = {
      {"read", "reading"},         {"decode", "decoding"}, {"augment", "augmenting"},
      {"cache", "cache"},          {"batch", "batches"},   {"transfer", "copies"},
      {"device", "on the device"}, {"step", "step"},       {"wait", "waiting"}};
  return kAll;
}

QString shownDuration(std::uint64_t ns) {
  const auto value = static_cast<double>(ns);
  const auto text = [](double number, const char* unit) {
    const int decimals = number >= 100 ? 0 : number >= 10 ? 1 : 2;
    return QString::number(number, 'f', decimals) + kNoBreak + unit;
  };
  if (value < 1e3) return QString::number(ns) + kNoBreak + "ns";
  if (value < 1e6) return text(value / 1e3, "µs");
  if (value < 1e9) return text(value / 1e6, "ms");
  return QString::number(value / 1e9, 'f', 3) + kNoBreak + 's';
}

}  // namespace millrace
