// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/capi/job_handle.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

#include "core/base/thread_name.h"

namespace millrace::capi {

namespace {

bool isSnapshot(const std::string& line) {
  return line.find("\"event\":\"snapshot\"") != std::string::npos;
}

}  // namespace

Result<std::unique_ptr<JobHandle>> JobHandle::start(std::unique_ptr<NamedJob> job) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
    return Error{"no pipe for the events of the job: " + std::system_category().message(errno)};
  return std::unique_ptr<JobHandle>(new JobHandle(std::move(job), pipe[0], pipe[1]));
}

JobHandle::JobHandle(std::unique_ptr<NamedJob> job, int readEnd, int writeEnd)
    : m_job(std::move(job)),
      m_readEnd(readEnd),
      m_writeEnd(writeEnd),
      m_runner([this] { run(); }),
      m_reader([this] { readLines(); }) {}

JobHandle::~JobHandle() {
  close();
  ::close(m_readEnd);
}

void JobHandle::run() {
  setThreadName("job");
  NamedJobEnd end;
  // The last barrier: exceptions of libraries become an error here.
  try {
    end = m_job->run(m_writeEnd);
  } catch (const std::exception& thrown) {
    end = {NamedJobEnd::Kind::Failed, {}, thrown.what()};
  } catch (...) {
    end = {NamedJobEnd::Kind::Failed, {}, "a library failed without giving a reason"};
  }
  {
    const MutexLock lock(m_mutex);
    m_end = std::move(end);
  }
  ::close(m_writeEnd);  // Ends the stream for the reader.
}

void JobHandle::readLines() {
  setThreadName("job events");
  std::string pending;
  std::array<char, 65536> chunk;
  for (;;) {
    const ssize_t count = ::read(m_readEnd, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    pending.append(chunk.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = pending.find('\n'); end != std::string::npos;
         end = pending.find('\n', begin)) {
      add(pending.substr(begin, end - begin));
      begin = end + 1;
    }
    pending.erase(0, begin);
  }
  const MutexLock lock(m_mutex);
  m_streamEnded = true;
  m_changed.notifyAll();
}

void JobHandle::add(std::string line) {
  const MutexLock lock(m_mutex);
  if (m_closed) return;
  if (isSnapshot(line)) std::erase_if(m_lines, isSnapshot);
  m_lines.push_back(std::move(line));
  m_changed.notifyAll();
}

JobHandle::Next JobHandle::nextEvent(SteadyTime until, std::string& line) {
  const MutexLock lock(m_mutex);
  while (m_lines.empty() && !m_streamEnded && !m_closed)
    if (!m_changed.waitUntil(m_mutex, until) && m_lines.empty() && !m_streamEnded && !m_closed)
      return Next::Timeout;
  if (m_closed) return Next::Closed;
  if (m_lines.empty()) return Next::End;
  line = std::move(m_lines.front());
  m_lines.pop_front();
  return Next::Event;
}

std::optional<NamedJobEnd> JobHandle::end() {
  const MutexLock lock(m_mutex);
  return m_streamEnded ? m_end : std::nullopt;
}

void JobHandle::close() {
  m_job->stop();
  {
    const MutexLock lock(m_mutex);
    m_closed = true;
    m_lines.clear();
    m_changed.notifyAll();
  }
  const MutexLock lock(m_joining);
  if (m_runner.joinable()) m_runner.join();
  if (m_reader.joinable()) m_reader.join();
}

}  // namespace millrace::capi
