// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/file_desk.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <QFileInfo>
#include <QTimer>

#include "app/workbench/start_desk.h"
#include "widgets/bridge/file_work.h"
#include "widgets/models/document_bytes.h"

namespace millrace {

namespace {

constexpr int kMomentMs = 1000;

FoundFile lookAtFile(const QString& path) {
  if (StartDesk::isData(path)) return {true, true, Error{path.toStdString() + " is no document"}};
  Result<std::string> bytes = documentBytes(path);
  return {QFileInfo::exists(path), false, std::move(bytes)};
}

}  // namespace

int FileDesk::begin(Job job) {
  const int number = ++m_last;
  m_jobs.emplace(number, std::move(job));
  QTimer::singleShot(kMomentMs, this, [this, number] { setWait(number, Wait::Told); });
  return number;
}

void FileDesk::read(const QString& path, std::function<void(const FoundFile&)> take) {
  for (const auto& [number, job] : m_jobs)
    if (job.read && job.path == path && job.wait <= Wait::Told) return;
  // Asked for again: what was said of the last time is answered by that.
  std::erase_if(m_jobs,
                [&](const auto& each) { return each.second.read && each.second.path == path; });
  const int number = begin({path, Wait::Quiet, std::move(take), {}, {}});
  doFileWork(*this, [this, number, path] {
    auto found = std::make_shared<const FoundFile>(lookAtFile(path));
    return [this, number, found] { finishRead(number, *found); };
  });
}

void FileDesk::write(const QString& path, std::string bytes, Written take) {
  for (auto& [number, job] : m_jobs) {
    if (job.read || job.path != path) continue;
    if (job.wait <= Wait::Told) {
      job.next = Order{std::move(bytes), std::move(take)};
      return;
    }
    // Two at once could leave the older bytes.
    return take(Error{path.toStdString() +
                      " has not answered since it was saved last; save under another name, or "
                      "again when its folder answers"},
                false);
  }
  const int number = begin({path, Wait::Quiet, {}, std::move(take), {}});
  doFileWork(*this, [this, number, path, bytes = std::move(bytes)] {
    const Status status = writeDocumentBytes(path, bytes);
    return [this, number, status] { finishWrite(number, status); };
  });
}

void FileDesk::finishRead(int number, const FoundFile& found) {
  const auto at = m_jobs.find(number);
  if (at == m_jobs.end()) return;
  const Job job = std::move(at->second);
  m_jobs.erase(at);
  emit changed();
  if (job.wait <= Wait::Told) job.read(found);
}

void FileDesk::finishWrite(int number, const Status& status) {
  const auto at = m_jobs.find(number);
  Job job = std::move(at->second);
  m_jobs.erase(at);
  emit changed();
  job.written(status, job.wait > Wait::Told);
  if (job.next) write(job.path, std::move(job.next->bytes), std::move(job.next->take));
}

bool FileDesk::isAtWork() const {
  return std::ranges::any_of(m_jobs,
                             [](const auto& each) { return each.second.wait <= Wait::Told; });
}

void FileDesk::setWait(int number, Wait wait) {
  const auto at = m_jobs.find(number);
  if (at == m_jobs.end() || at->second.wait >= wait) return;
  at->second.wait = wait;
  if (wait > Wait::Told) at->second.next.reset();
  emit changed();
}

Notice FileDesk::noticeOf(int number, const Job& job) {
  if (job.wait == Wait::Told)
    return {"Still waiting for " + job.path + (job.read ? "…" : ", which is not saved yet…"),
            {{"Give up", [this, number] { setWait(number, Wait::GivenUp); }}}};
  const QString remedy =
      job.read ? " was not opened: its file system does not answer. Open it again when it does."
               : " is not saved: its file system does not answer. The changes stay here; save them "
                 "under another name.";
  return {job.path + remedy,
          {{"Understood", [this, number] { setWait(number, Wait::Forgotten); }}}};
}

QList<Notice> FileDesk::notices() {
  QList<Notice> notices;
  for (const auto& [number, job] : m_jobs)
    if (job.wait == Wait::Told || job.wait == Wait::GivenUp) notices << noticeOf(number, job);
  return notices;
}

}  // namespace millrace
