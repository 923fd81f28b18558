// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/widgets/hung_folder.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <QFile>

#include "core/base/mutex.h"

namespace millrace::tests {

namespace {

struct PathCall {
  int number;
  int argument;  ///< which argument is the path
};

constexpr std::array kPathCalls = {
    PathCall{__NR_openat, 1},     PathCall{__NR_openat2, 1},   PathCall{__NR_statx, 1},
    PathCall{__NR_newfstatat, 1}, PathCall{__NR_faccessat, 1}, PathCall{__NR_faccessat2, 1},
    PathCall{__NR_readlinkat, 1}, PathCall{__NR_unlinkat, 1},  PathCall{__NR_mkdirat, 1},
    PathCall{__NR_renameat2, 1},  PathCall{__NR_renameat, 1},  PathCall{__NR_inotify_add_watch, 1},
    PathCall{__NR_chdir, 0},      PathCall{__NR_statfs, 0},    PathCall{__NR_truncate, 0},
#ifdef __NR_open  // Older machines' calls, which newer ones do not have.
    PathCall{__NR_open, 0},       PathCall{__NR_stat, 0},      PathCall{__NR_lstat, 0},
    PathCall{__NR_access, 0},     PathCall{__NR_readlink, 0},  PathCall{__NR_unlink, 0},
    PathCall{__NR_mkdir, 0},      PathCall{__NR_rename, 0},
#endif
};

/// Text in another thread or process; empty if it cannot be read.
std::string textAt(pid_t process, std::uint64_t address) {
  std::array<char, 4096> text{};
  // Two pieces, so that a text at the end of its memory is read up to that end.
  const std::size_t first = text.size() - address % text.size();
  const std::array<iovec, 2> from = {
      iovec{reinterpret_cast<void*>(address), first},
      iovec{reinterpret_cast<void*>(address + first), text.size() - first}};
  const iovec to{text.data(), text.size()};
  const ssize_t got = ::process_vm_readv(process, &to, 1, from.data(), from.size(), 0);
  return got <= 0 ? std::string()
                  : std::string(text.data(), ::strnlen(text.data(), static_cast<std::size_t>(got)));
}

/// Passes all calls except those with paths, which are reported. Returns its file descriptor, or
/// -1.
int installFilter() {
  std::vector<sock_filter> program = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const PathCall& call : kPathCalls) {
    program.push_back(
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call.number), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return static_cast<int>(
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter));
}

/// Decides about each call, on a thread that is older than the filter and therefore not affected by
/// it. There is one for the process, permanently: a filter cannot be removed. Monitor.
class Doorkeeper {
 public:
  static Doorkeeper& instance() {
    static auto* one = new Doorkeeper;
    return *one;
  }
  const QString& obstacle() const { return m_obstacle; }
  void hang(std::string folder) {
    const MutexLock lock(m_mutex);
    m_folder = std::move(folder);
    m_asked.clear();
  }
  void answer() {
    const MutexLock lock(m_mutex);
    m_folder.clear();
    for (const std::uint64_t id : m_waiting) letThrough(id);
    m_waiting.clear();
  }
  int waiting() {
    const MutexLock lock(m_mutex);
    return static_cast<int>(m_waiting.size());
  }
  QStringList asked() {
    const MutexLock lock(m_mutex);
    return m_asked;
  }

 private:
  Doorkeeper() : m_gui(::gettid()) {
    std::promise<int> listener;
    std::thread([this, door = listener.get_future()]() mutable { keep(door.get()); }).detach();
    const int door = installFilter();
    if (door < 0) m_obstacle = QString("seccomp: ") + std::strerror(errno);
    listener.set_value(door);
  }

  void keep(int door) {
    m_door = door;
    while (door >= 0) {
      seccomp_notif call{};
      if (::ioctl(door, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) {
        if (errno == EINTR || errno == ENOENT) continue;  // The caller has ended.
        return;
      }
      decide(call);
    }
  }

  void decide(const seccomp_notif& call) {
    std::string path;
    for (const PathCall& each : kPathCalls)
      if (each.number == call.data.nr)
        path = textAt(static_cast<pid_t>(call.pid), call.data.args[each.argument]);
    const MutexLock lock(m_mutex);
    const bool isBelow = !m_folder.empty() && path.starts_with(m_folder);
    const bool isGui = static_cast<pid_t>(call.pid) == m_gui;
    if (isBelow && isGui) m_asked << QFile::decodeName(path.c_str());
    if (isBelow && !isGui)
      m_waiting.push_back(call.id);
    else
      letThrough(call.id);
  }

  void letThrough(std::uint64_t id) const {
    seccomp_notif_resp answer{};
    answer.id = id;
    answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ::ioctl(m_door, SECCOMP_IOCTL_NOTIF_SEND, &answer);  // A caller that has ended needs no answer.
  }

  // Constant after construction.
  const pid_t m_gui;
  QString m_obstacle;
  std::atomic<int> m_door = -1;
  Mutex m_mutex;
  std::string m_folder MILLRACE_GUARDED_BY(m_mutex);  ///< empty: every call is answered
  std::vector<std::uint64_t> m_waiting MILLRACE_GUARDED_BY(m_mutex);
  QStringList m_asked MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace

HungFolder::HungFolder(const std::filesystem::path& folder) : m_folder(folder.string()) {
  Doorkeeper::instance();
}

HungFolder::~HungFolder() { answer(); }

QString HungFolder::obstacle() { return Doorkeeper::instance().obstacle(); }

void HungFolder::hang() { Doorkeeper::instance().hang(m_folder); }

void HungFolder::answer() { Doorkeeper::instance().answer(); }

int HungFolder::waiting() { return Doorkeeper::instance().waiting(); }

QStringList HungFolder::askedByGui() { return Doorkeeper::instance().asked(); }

}  // namespace millrace::tests
