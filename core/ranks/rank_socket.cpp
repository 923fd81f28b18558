// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/rank_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/base/environment_number.h"
#include "core/base/text/text.h"
#include "core/base/version.h"

namespace millrace {

namespace {

using Steady = std::chrono::steady_clock;
using Deadline = Steady::time_point;

constexpr auto kRetry = std::chrono::milliseconds(50);
/// A line that ranks exchange here is never longer.
constexpr std::size_t kMostBytes = 8192;
constexpr const char* kBegin = "begin ";

Deadline deadlineIn(double seconds) {
  return Steady::now() +
         std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(seconds));
}

/// Where the ranks of a start find each other.
struct RendezvousPlace {
  std::string name;  ///< for messages
  sockaddr_storage address{};
  socklen_t size = 0;
};

std::uint64_t hashOf(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

/// An abstract name: it needs no file, and is gone with the socket.
RendezvousPlace localPlace(const LaunchedRank& rank) {
  const std::string name = fmt::format("millrace-{}-{:016x}", ::geteuid(), hashOf(rank.job));
  RendezvousPlace place;
  place.name = fmt::format("the local socket `{}`", name);
  auto* const local = reinterpret_cast<sockaddr_un*>(&place.address);
  local->sun_family = AF_UNIX;
  std::memcpy(local->sun_path + 1, name.data(), name.size());
  place.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return place;
}

Result<RendezvousPlace> networkPlace(const LaunchedRank& rank) {
  constexpr std::int64_t kFirstPort = 20000;
  constexpr std::int64_t kPorts = 10000;
  constexpr std::int64_t kLastPort = 65535;
  if (rank.firstMachine.empty())
    return Error{fmt::format(
        "{} runs ranks on several machines, but does not say where rank 0 is: set MASTER_ADDR to "
        "its name or address for all ranks",
        rank.launcher)};
  const auto usual = static_cast<std::int64_t>(hashOf(rank.job) % kPorts) + kFirstPort;
  MILLRACE_ASSIGN_OR_RETURN(const auto port,
                            environmentNumber("MILLRACE_PORT", 1, kLastPort, usual));
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failed =
      ::getaddrinfo(rank.firstMachine.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failed != 0)
    return Error{
        fmt::format("rank 0's machine `{}` is not known here ({}): set MASTER_ADDR to its "
                    "address for all ranks",
                    rank.firstMachine, ::gai_strerror(failed))};
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, &::freeaddrinfo);
  RendezvousPlace place;
  place.name = fmt::format("port {} of {}", port, rank.firstMachine);
  std::memcpy(&place.address, found->ai_addr, found->ai_addrlen);
  place.size = found->ai_addrlen;
  return place;
}

Result<RendezvousPlace> placeOf(const LaunchedRank& rank) {
  return rank.oneMachine ? Result<RendezvousPlace>(localPlace(rank)) : networkPlace(rank);
}

RankSocket socketAt(const RendezvousPlace& place) {
  return RankSocket(::socket(place.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

bool waitToRead(const RankSocket& socket, Deadline deadline) {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - Steady::now()).count();
    pollfd waiting{socket.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::clamp<long>(left, 0, 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (Steady::now() >= deadline) return false;
  }
}

/// A line without its newline, byte by byte, because what follows belongs to others. nullopt if the
/// other side has closed or is too slow.
std::optional<std::string> readLine(const RankSocket& socket, Deadline deadline) {
  std::string line;
  while (line.size() < kMostBytes && waitToRead(socket, deadline)) {
    char c = 0;
    const ssize_t got = ::read(socket.get(), &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    if (c == '\n') return line;
    line += c;
  }
  return std::nullopt;
}

bool writeLine(const RankSocket& socket, std::string line) {
  line += '\n';
  return ::send(socket.get(), line.data(), line.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(line.size());
}

/// Whether the process at the other end is this user's, where the system knows.
bool isOwn(const RankSocket& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return false;
  if (address.ss_family != AF_UNIX) return true;
  ucred other{};
  socklen_t bytes = sizeof(other);
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &other, &bytes) == 0 &&
         other.uid == ::geteuid();
}

/// How a rank introduces itself. A process of another job, or of none, does not know the text.
std::string greetingOf(std::int64_t rank, const std::string& job) {
  return fmt::format("millrace {} {:016x} {}", engineVersion(), hashOf(job), rank);
}

/// The numbers of the ranks without a socket, the first of many.
std::string missingIn(const std::vector<RankSocket>& ranks) {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> numbers;
  std::size_t more = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i].valid()) continue;
    if (numbers.size() < kShown)
      numbers.push_back(std::to_string(i + 1));
    else
      ++more;
  }
  return join(numbers, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

RankSocket::~RankSocket() {
  if (valid()) ::close(m_descriptor);
}

Result<RankRendezvous> RankRendezvous::open(const LaunchedRank& first) {
  MILLRACE_ASSIGN_OR_RETURN(const RendezvousPlace place, placeOf(first));
  RankSocket listener = socketAt(place);
  const int on = 1;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (!listener.valid() ||
      ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&place.address), place.size) != 0 ||
      ::listen(listener.get(), SOMAXCONN) != 0)
    return Error{fmt::format("rank 0 cannot meet the others at {}: {}{}", place.name,
                             std::strerror(errno),
                             first.oneMachine ? "" : "; set MILLRACE_PORT to a free port")};
  return RankRendezvous(first, std::move(listener));
}

RankRendezvous::Arrival RankRendezvous::nextArrival(Deadline deadline) const {
  constexpr double kGreetingSeconds = 5;
  while (waitToRead(m_listener, deadline)) {
    RankSocket socket(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.valid() || !isOwn(socket)) continue;
    const auto greeting = readLine(socket, deadlineIn(kGreetingSeconds));
    for (std::int64_t rank = 1; greeting && rank < m_first.world; ++rank)
      if (*greeting == greetingOf(rank, m_first.job)) return {rank, std::move(socket)};
  }
  return {};
}

Result<std::vector<RankSocket>> RankRendezvous::gather(const std::filesystem::path& sharedFolder,
                                                       double seconds,
                                                       const std::function<bool()>& stopped) {
  constexpr double kLookSeconds = 0.1;
  const Deadline deadline = deadlineIn(seconds);
  std::vector<RankSocket> ranks(static_cast<std::size_t>(m_first.world - 1));
  while (!std::ranges::all_of(ranks, &RankSocket::valid)) {
    if (stopped()) return Error{"stopped before all ranks were there"};
    Arrival arrival = nextArrival(deadlineIn(kLookSeconds));
    if (arrival.socket.valid())
      ranks[static_cast<std::size_t>(arrival.rank - 1)] = std::move(arrival.socket);
    else if (Steady::now() > deadline)
      return Error{
          fmt::format("of {} ranks that {} started, these did not come within {:.0f} s: {}",
                      m_first.world, m_first.launcher, seconds, missingIn(ranks))};
  }
  for (const RankSocket& socket : ranks)
    if (!writeLine(socket, kBegin + sharedFolder.string()))
      return Error{"a rank ended before the run began"};
  m_listener = RankSocket();
  return ranks;
}

void RankRendezvous::dismiss() {
  constexpr double kLateSeconds = 5;
  const Deadline deadline = deadlineIn(kLateSeconds);
  std::set<std::int64_t> heard;
  while (static_cast<std::int64_t>(heard.size()) < m_first.world - 1) {
    const Arrival arrival = nextArrival(deadline);
    if (!arrival.socket.valid()) return;
    heard.insert(arrival.rank);
  }
}

Result<JoinedRank> joinRendezvous(const LaunchedRank& rank, double seconds) {
  MILLRACE_ASSIGN_OR_RETURN(const RendezvousPlace place, placeOf(rank));
  const Deadline deadline = deadlineIn(seconds);
  JoinedRank joined;
  for (;;) {
    joined.socket = socketAt(place);
    if (::connect(joined.socket.get(), reinterpret_cast<const sockaddr*>(&place.address),
                  place.size) == 0)
      break;
    if (Steady::now() > deadline)
      return Error{fmt::format("rank {} of {} did not find rank 0 at {} within {:.0f} s",
                               rank.number, rank.world, place.name, seconds)};
    std::this_thread::sleep_for(kRetry);
  }
  const bool greeted =
      isOwn(joined.socket) && writeLine(joined.socket, greetingOf(rank.number, rank.job));
  const auto answer = greeted ? readLine(joined.socket, Deadline::max()) : std::nullopt;
  if (!answer || !answer->starts_with(kBegin))
    return Error{fmt::format("rank 0 ended before rank {} could begin", rank.number)};
  joined.sharedFolder = answer->substr(std::string_view(kBegin).size());
  return joined;
}

}  // namespace millrace
