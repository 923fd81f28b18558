// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_python/python_worker.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/base/helper_cpu.h"
#include "core/base/text/text.h"
#include "core/own_python/python_trouble.h"

namespace millrace {

namespace {

constexpr int kAskEveryMs = 100;

struct CallReply {
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;
  std::uint64_t cpuNs = 0;
};

/// "raised ValueError: too small (train.py:12 in augment)", or what it returned.
std::string callText(const std::string& json) {
  const PythonTrouble trouble = parseTrouble(json);
  if (trouble.unusable) return trouble.text;
  std::string text = "raised " + raisedText(trouble);
  if (trouble.frames.empty()) return text;
  const PythonFrame& frame = trouble.frames.back();
  text += fmt::format(" ({}:{}", std::filesystem::path(frame.file).filename().string(), frame.line);
  if (!frame.function.empty()) text += " in " + frame.function;
  return text + ")";
}

}  // namespace

struct PythonWorker::Process {
  pid_t id = -1;
  UniqueFd connection;
  CallMemory memory;
  CallReply reply;
  std::uint64_t cpuNs = 0;
};

PythonWorker::PythonWorker(std::shared_ptr<PythonProgram> program)
    : m_program(std::move(program)) {}

PythonWorker::~PythonWorker() {
  if (!m_process) return;
  const pid_t id = m_process->id;
  m_process.reset();  // it ends when its connection closes
  (void)m_program->howEnded(id);
}

Status PythonWorker::begin() {
  if (m_process) return {};
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{fmt::format("socketpair: {}", std::strerror(errno))};
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  MILLRACE_ASSIGN_OR_RETURN(auto memory, CallMemory::make());
  MILLRACE_ASSIGN_OR_RETURN(const pid_t id, m_program->fork(theirs.get(), memory.descriptor()));
  m_process = std::make_unique<Process>(Process{id, std::move(ours), std::move(memory), {}, 0});
  return {};
}

Error PythonWorker::gone(bool kill, const std::string& why) {
  const pid_t id = m_process->id;
  if (kill) ::kill(id, SIGKILL);
  m_process.reset();
  ++m_replaced;
  const std::string how = m_program->howEnded(id);
  return Error{why.empty() ? fmt::format("the process that called {} is gone: {}",
                                         m_program->function().shown(), how)
                           : why};
}

Status PythonWorker::await(const std::function<bool()>& wanted) {
  const double seconds = m_program->function().timeoutSeconds;
  const SteadyTime begin = steadyClock().now();
  pollfd waiting{m_process->connection.get(), POLLIN, 0};
  while (::poll(&waiting, 1, kAskEveryMs) <= 0) {
    if (!wanted()) return gone(true, "the run has ended");
    if (toSeconds(steadyClock().now() - begin) > seconds)
      return gone(true, fmt::format("{} did not return in {}; the process was ended",
                                    m_program->function().shown(), humanSeconds(seconds)));
  }
  CallReply& reply = m_process->reply;
  const ssize_t got = ::recv(m_process->connection.get(), &reply, sizeof reply, 0);
  if (got != static_cast<ssize_t>(sizeof reply)) return gone(false, {});
  if (reply.cpuNs > m_process->cpuNs) HelperCpu::add(reply.cpuNs - m_process->cpuNs);
  m_process->cpuNs = reply.cpuNs;
  return {};
}

Result<std::vector<TensorView>> PythonWorker::call(std::span<const TensorView> values,
                                                   std::optional<std::uint64_t> seed,
                                                   const std::function<bool()>& wanted) {
  MILLRACE_TRY(begin());
  MILLRACE_TRY(m_process->memory.put(values, seed));
  const std::uint64_t bytes = m_process->memory.bytes();
  if (::send(m_process->connection.get(), &bytes, sizeof bytes, MSG_NOSIGNAL) < 0)
    return gone(true, {});
  MILLRACE_TRY(await(wanted));
  const CallReply reply = m_process->reply;
  if (reply.failed == 0) {
    MILLRACE_ASSIGN_OR_RETURN(auto results, m_process->memory.results(reply.bytes));
    if (results.size() != m_program->function().results.size())
      return Error{"the process of the function wrote another number of results"};
    return results;
  }
  MILLRACE_ASSIGN_OR_RETURN(const auto text, m_process->memory.error(reply.bytes));
  return Error{fmt::format("{} {}", m_program->function().shown(), callText(text))};
}

}  // namespace millrace
