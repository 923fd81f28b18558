// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/store_import.h"

#include <algorithm>
#include <limits>

#include "widgets/common/format.h"

namespace millrace {

namespace {

constexpr std::size_t kAtOnce = 20;

}  // namespace

/// Used by the store's thread while a job runs, by the GUI thread between two jobs.
struct StoreImport::Work {
  std::optional<RunStore> source;
  std::vector<RunNumber> runs;  ///< oldest first, so that they are numbered in that order
  std::size_t done = 0;
  std::array<std::int64_t, 4> counts{};
  std::int64_t unreadable = 0;

  Status open(const std::filesystem::path& file) {
    auto opened = RunStore::openSource(file);
    if (!opened.ok()) return opened.error();
    source.emplace(opened.take());
    RunQuery query;
    query.limit = std::numeric_limits<std::int32_t>::max();
    const auto list = source->search(query);
    if (!list.ok()) return list.error();
    for (const RunSummary& run : list->runs) runs.push_back(run.number);
    std::ranges::reverse(runs);
    unreadable = list->unreadable;
    return {};
  }

  Status copySome(RunStore& target) {
    for (std::size_t i = 0; i < kAtOnce && done < runs.size(); ++i, ++done) {
      const auto imported = target.importRun(*source, runs[done]);
      if (!imported.ok()) return imported.error();
      ++counts[static_cast<std::size_t>(*imported)];
    }
    return {};
  }
};

StoreImport::StoreImport(StoreThread& store, std::filesystem::path source, QObject* parent)
    : QObject(parent),
      m_store(store),
      m_source(std::move(source)),
      m_work(std::make_shared<Work>()) {}

void StoreImport::start() {
  std::error_code error;
  if (std::filesystem::equivalent(m_source, m_store.file(), error)) {
    emit ended("This file is the current store. Choose another one to import from.", true);
    return;
  }
  next();
}

void StoreImport::next() {
  m_store.change(
      this,
      [work = m_work, source = m_source](RunStore& target) -> Status {
        if (!work->source) return work->open(source);
        return work->copySome(target);
      },
      [this](const QString& error) {
        if (!error.isEmpty()) {
          emit ended(error, true);
          return;
        }
        emit progressed(static_cast<int>(m_work->done), static_cast<int>(m_work->runs.size()));
        m_stopped || m_work->done >= m_work->runs.size() ? finish() : next();
      });
}

void StoreImport::finish() {
  using enum RunStore::Import;
  const auto count = [this](RunStore::Import which) {
    return m_work->counts[static_cast<std::size_t>(which)];
  };
  QString text = shownCount(count(Added), "run") + " imported";
  if (const auto there = count(AlreadyThere); there > 0)
    text += QString(", %1 %2 here already").arg(there).arg(there == 1 ? "was" : "were");
  if (const auto running = count(Running); running > 0)
    text += QString(", %1 left out: still being written").arg(running);
  const std::int64_t unreadable = count(Unreadable) + m_work->unreadable;
  if (unreadable > 0) text += QString(", %1 left out: damaged in the other store").arg(unreadable);
  if (m_stopped && m_work->done < m_work->runs.size())
    text += QString("; stopped after %1 of %2").arg(m_work->done).arg(m_work->runs.size());
  emit ended(text + '.', unreadable > 0);
}

}  // namespace millrace
