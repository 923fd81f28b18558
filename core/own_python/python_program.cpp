// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_python/python_program.h"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/own_python/python_parts.h"
#include "core/own_python/python_trouble.h"

namespace millrace {

namespace {

constexpr double kImportSeconds = 300;
constexpr double kAnswerSeconds = 10;
constexpr std::size_t kPacketBytes = 65536;

Error noProgram(const PythonFunction& function, const char* what, int number) {
  return Error{fmt::format("{} could not be started: {}: {}", function.interpreter.string(), what,
                           std::strerror(number))};
}

/// Changes with the file.
std::string stampOf(const PythonFunction& function) {
  struct stat now{};
  if (function.file.empty() || ::stat(function.file.c_str(), &now) != 0) return {};
  return fmt::format("{}.{}.{}", now.st_mtim.tv_sec, now.st_mtim.tv_nsec, now.st_size);
}

struct Programs {
  Mutex mutex;
  /// By function: several nodes of a pipeline may each have one.
  std::map<std::string, std::weak_ptr<PythonProgram>> running MILLRACE_GUARDED_BY(mutex);
  std::shared_ptr<PythonProgram> last MILLRACE_GUARDED_BY(mutex);
};

Programs& programs() {
  static Programs all;
  return all;
}

std::int64_t numberAt(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::string wordsOfEnd(const std::string& answer) {
  const auto json = parsedJson(answer);
  if (!json.is_object()) return "it ended";
  const auto signal = static_cast<int>(numberAt(json, "signal"));
  if (signal == SIGKILL) return "it was killed (signal 9), which happens when memory runs out";
  if (signal != 0) return fmt::format("it crashed: signal {} ({})", signal, ::strsignal(signal));
  return fmt::format("it ended with exit code {}", numberAt(json, "code"));
}

Error importError(const PythonFunction& function, const nlohmann::json& said,
                  const std::string& answer) {
  const std::string shown = function.shown();
  if (said.value("event", "") == "left")
    return Error{fmt::format("{} ended the program when it was imported", shown)};
  const PythonTrouble trouble = parseTrouble(answer);
  if (trouble.unusable) return Error{fmt::format("{}: {}", shown, trouble.text)};
  if (!trouble.missing.empty())
    return Error{
        missingText(trouble, shown, function.interpreter.string(), "the parameter `python`")};
  return Error{fmt::format("{} {}: {}{}", shown,
                           trouble.phase == "import" ? "cannot be imported" : "cannot be used",
                           raisedText(trouble), framesOf(trouble))};
}

}  // namespace

Result<std::shared_ptr<PythonProgram>> PythonProgram::of(const PythonFunction& function) {
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}", function.interpreter.string(), function.file.string(),
                  stampOf(function), function.settings());
  Programs& all = programs();
  const MutexLock lock(all.mutex);
  std::shared_ptr<PythonProgram> program = all.running[key].lock();
  if (!program) {
    program.reset(new PythonProgram(function));
    MILLRACE_TRY(program->start());
    MILLRACE_TRY(program->awaitImport());
    all.running[key] = program;
  }
  all.last = program;
  std::erase_if(all.running, [](const auto& each) { return each.second.expired(); });
  return program;
}

Status PythonProgram::start() {
  MILLRACE_ASSIGN_OR_RETURN(const auto parts, inheritedPythonParts());
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return noProgram(m_function, "socketpair", errno);
  m_control = UniqueFd(ends[0]);
  const UniqueFd theirs(ends[1]);
  std::vector<std::string> words =
      pythonCommand(m_function.interpreter.string(), parts.path(), "server", m_function.settings(),
                    m_function.file.string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), STDIN_FILENO);
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int failed =
      ::posix_spawn(&m_process, arguments[0], &actions, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0) return noProgram(m_function, "posix_spawn", failed);
  return {};
}

Status PythonProgram::awaitImport() {
  const auto answer = hear(kImportSeconds);
  if (!answer) return Error{fmt::format("{}: {}", m_function.shown(), answer.error().message)};
  const auto said = parsedJson(*answer);
  if (said.is_object() && said.value("event", "") == "ready") {
    m_samples = numberAt(said, "samples");
    return {};
  }
  return importError(m_function, said.is_object() ? said : nlohmann::json::object(), *answer);
}

PythonProgram::~PythonProgram() {
  m_control = UniqueFd();
  if (m_process <= 0) return;
  // It kills its children first, which takes a moment.
  const SteadyTime until = steadyClock().now() + std::chrono::seconds(6);
  while (::waitpid(m_process, nullptr, WNOHANG) == 0) {
    if (steadyClock().now() > until) ::kill(m_process, SIGKILL);
    ::usleep(1000);
  }
}

Result<pid_t> PythonProgram::fork(int connection, int memory) {
  const MutexLock lock(m_mutex);
  MILLRACE_ASSIGN_OR_RETURN(const auto answer, ask("fork", {connection, memory}));
  const auto said = parsedJson(answer);
  const auto process = said.is_object() ? numberAt(said, "process") : 0;
  if (process <= 0) return Error{"the interpreter could not start a process"};
  return static_cast<pid_t>(process);
}

std::string PythonProgram::howEnded(pid_t process) {
  const MutexLock lock(m_mutex);
  const auto answer = ask(fmt::format("ended {}", process), {});
  return answer ? wordsOfEnd(*answer) : answer.error().message;
}

Result<std::string> PythonProgram::ask(const std::string& packet,
                                       std::initializer_list<int> descriptors) {
  iovec content{const_cast<char*>(packet.data()), packet.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> room{};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  if (descriptors.size() > 0) {
    message.msg_control = room.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(header), descriptors.begin(), descriptors.size() * sizeof(int));
  }
  if (::sendmsg(m_control.get(), &message, MSG_NOSIGNAL) < 0) return Error{"the interpreter ended"};
  return hear(kAnswerSeconds);
}

Result<std::string> PythonProgram::hear(double seconds) const {
  pollfd waiting{m_control.get(), POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&waiting, 1, static_cast<int>(seconds * 1000));
  } while (ready < 0 && errno == EINTR);
  if (ready == 0)
    return Error{fmt::format("the interpreter did not answer in {}", humanSeconds(seconds))};
  std::string packet(kPacketBytes, '\0');
  const ssize_t bytes = ::recv(m_control.get(), packet.data(), packet.size(), 0);
  if (bytes <= 0)
    return Error{"the interpreter ended without a message; it must be Python 3.8 or later"};
  packet.resize(static_cast<std::size_t>(bytes));
  return packet;
}

}  // namespace millrace
