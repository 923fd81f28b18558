// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/file_controller.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <QFileInfo>
#include <QTimer>

#include "app/workbench/controllers/start_controller.h"
#include "widgets/bridge/file_work.h"
#include "widgets/models/document_bytes.h"

namespace millrace {

namespace {

constexpr int kMomentMs = 1000;

FoundFile examineFile(const QString& path) {
  if (StartController::isData(path))
    return {true, true, Error{path.toStdString() + " is not a document"}};
  Result<std::string> bytes = documentBytes(path);
  return {QFileInfo::exists(path), false, std::move(bytes)};
}

}  // namespace

int FileController::begin(Job job) {
  const int number = ++m_last;
  m_jobs.emplace(number, std::move(job));
  QTimer::singleShot(kMomentMs, this, [this, number] { setWait(number, Wait::Reported); });
  return number;
}

void FileController::read(const QString& path, std::function<void(const FoundFile&)> take) {
  for (const auto& [number, job] : m_jobs)
    if (job.read && job.path == path && job.wait <= Wait::Reported) return;
  // Requested again: that answers the notice about the last request.
  std::erase_if(m_jobs,
                [&](const auto& each) { return each.second.read && each.second.path == path; });
  const int number = begin({path, Wait::Quiet, std::move(take), {}, {}});
  doFileWork(*this, [this, number, path] {
    auto found = std::make_shared<const FoundFile>(examineFile(path));
    return [this, number, found] { finishRead(number, *found); };
  });
}

void FileController::write(const QString& path, std::string bytes, Written take) {
  for (auto& [number, job] : m_jobs) {
    if (job.read || job.path != path) continue;
    if (job.wait <= Wait::Reported) {
      job.next = Order{std::move(bytes), std::move(take)};
      return;
    }
    // Two writes at once could leave the older bytes.
    return take(Error{path.toStdString() +
                      " has not responded since it was last saved; save under another name, or "
                      "again when its folder responds"},
                false);
  }
  const int number = begin({path, Wait::Quiet, {}, std::move(take), {}});
  doFileWork(*this, [this, number, path, bytes = std::move(bytes)] {
    const Status status = writeDocumentBytes(path, bytes);
    return [this, number, status] { finishWrite(number, status); };
  });
}

void FileController::finishRead(int number, const FoundFile& found) {
  const auto at = m_jobs.find(number);
  if (at == m_jobs.end()) return;
  const Job job = std::move(at->second);
  m_jobs.erase(at);
  emit changed();
  if (job.wait <= Wait::Reported) job.read(found);
}

void FileController::finishWrite(int number, const Status& status) {
  const auto at = m_jobs.find(number);
  Job job = std::move(at->second);
  m_jobs.erase(at);
  emit changed();
  job.written(status, job.wait > Wait::Reported);
  if (job.next) write(job.path, std::move(job.next->bytes), std::move(job.next->take));
}

bool FileController::isAtWork() const {
  return std::ranges::any_of(m_jobs,
                             [](const auto& each) { return each.second.wait <= Wait::Reported; });
}

void FileController::setWait(int number, Wait wait) {
  const auto at = m_jobs.find(number);
  if (at == m_jobs.end() || at->second.wait >= wait) return;
  at->second.wait = wait;
  if (wait > Wait::Reported) at->second.next.reset();
  emit changed();
}

Notice FileController::noticeOf(int number, const Job& job) {
  if (job.wait == Wait::Reported)
    return {"Still waiting for " + job.path + (job.read ? "…" : ", which is not saved yet…"),
            {{"Give up", [this, number] { setWait(number, Wait::GivenUp); }}}};
  const QString remedy =
      job.read ? " was not opened: its file system does not respond. Open it again later."
               : " is not saved: its file system does not respond. Your changes are still here; "
                 "save them "
                 "under another name.";
  return {job.path + remedy, {{"OK", [this, number] { setWait(number, Wait::Forgotten); }}}};
}

QList<Notice> FileController::notices() {
  QList<Notice> notices;
  for (const auto& [number, job] : m_jobs)
    if (job.wait == Wait::Reported || job.wait == Wait::GivenUp) notices << noticeOf(number, job);
  return notices;
}

}  // namespace millrace
