// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The thread of the network, by libcurl's multi interface.
#include <curl/curl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/mutex.h"
#include "core/base/text/text.h"
#include "core/base/thread_name.h"
#include "core/base/version.h"
#include "core/storage/environment.h"
#include "core/storage/hedge_delay.h"
#include "core/storage/http_head.h"
#include "core/storage/http_transfer.h"
#include "core/storage/network_address.h"
#include "core/storage/remote_figures.h"
#include "core/storage/request_limit.h"

namespace millrace {

namespace {

constexpr std::size_t kMostHeaderBytes = std::size_t{1} << 17U;
constexpr std::size_t kKeptAnswer = std::size_t{1} << 13U;
/// A longer answer of an error ends its connection.
constexpr std::size_t kMostAnswer = std::size_t{1} << 18U;
constexpr long kMostConnections = kMostRequests;

/// The transfers of one call of performAll().
struct Call {
  Mutex mutex;
  Condition ended;
  std::size_t left MILLRACE_GUARDED_BY(mutex) = 0;
};

/// A handle of libcurl and the transfer that it works on. Used again for later ones.
struct Handle {
  CURL* curl = nullptr;
  curl_slist* headers = nullptr;
  HttpTransfer* transfer = nullptr;
  Call* call = nullptr;
  std::size_t headerBytes = 0;
  std::size_t answerBytes = 0;
  bool begun = false;
  bool refused = false;  ///< by this program; the transfer has the reason
  /// The other handle of a transfer whose request was sent twice, until one of them is answered.
  Handle* twin = nullptr;
  bool isSecond = false;
  std::uint64_t use = 0;                   ///< counts the transfers that it has had
  std::vector<Handle*>* losers = nullptr;  ///< takes the handle that is no longer needed
  std::array<char, CURL_ERROR_SIZE> reason{};

  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
  }

  std::size_t refuse(const std::string& why) {
    transfer->trouble = why;
    refused = true;
    return 0;
  }
  bool hasLost() const { return transfer == nullptr; }
  /// Its answer is not needed: that of the twin is, or will be.
  void lose() {
    Handle* const other = std::exchange(twin, nullptr);
    if (other != nullptr) other->twin = nullptr;
    transfer = nullptr;
    losers->push_back(this);
  }
  /// The first answer is taken, but of the second request only one that is not an error.
  bool decide(std::string_view line) {
    HttpHead answer;
    takeHeader(line, answer);
    const bool isGood = answer.status == 200 || answer.status == 206;
    (isSecond && !isGood ? this : twin)->lose();
    return !hasLost();
  }
  std::size_t header(std::string_view line) {
    if (hasLost() || (twin != nullptr && !decide(line))) return 0;
    headerBytes += line.size();
    if (headerBytes > kMostHeaderBytes)
      return refuse("the server sent more headers than an answer can have");
    if (!transfer->firstByte) transfer->firstByte = HttpTransfer::Clock::now();
    takeHeader(line, transfer->head);
    return line.size();
  }
  std::size_t body(std::span<const std::byte> piece) {
    if (hasLost()) return 0;
    const int status = transfer->head.status;
    if (status != 200 && status != 206) {
      answerBytes += piece.size();
      const std::size_t kept =
          std::min(kKeptAnswer - std::min(kKeptAnswer, transfer->answer.size()), piece.size());
      transfer->answer.append(reinterpret_cast<const char*>(piece.data()), kept);
      return answerBytes > kMostAnswer ? 0 : piece.size();
    }
    if (!begun) {
      begun = true;
      if (Status fits = transfer->begin(); !fits) return refuse(fits.error().message);
    }
    if (Status taken = transfer->take(piece); !taken) return refuse(taken.error().message);
    return piece.size();
  }
};

std::size_t onHeader(char* data, std::size_t size, std::size_t count, void* handle) {
  return static_cast<Handle*>(handle)->header({data, size * count});
}

std::size_t onBody(char* data, std::size_t size, std::size_t count, void* handle) {
  return static_cast<Handle*>(handle)->body(std::as_bytes(std::span(data, size * count)));
}

/// Refuses addresses before anything is sent to them.
curl_socket_t onSocket(void* user, curlsocktype, curl_sockaddr* address) {
  auto& handle = *static_cast<Handle*>(user);
  if (handle.hasLost()) return CURL_SOCKET_BAD;
  const AddressKind kind = kindOf(address->addr);
  if (kind == AddressKind::Metadata)
    handle.refuse(
        "the server's address is one that a machine's own services use (link-local); it "
        "is not read");
  else if (kind == AddressKind::Local && !handle.transfer->mayUseLocalNetwork)
    handle.refuse("a redirect leads to an address of the own network; it is not followed");
  if (handle.refused) return CURL_SOCKET_BAD;
  if (kind == AddressKind::Local) handle.transfer->usedLocalNetwork = true;
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// Certificates can be given as other programs take them.
std::string certificateFile() {
  return firstOf({"SSL_CERT_FILE", "AWS_CA_BUNDLE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"});
}

const std::string& agent() {
  static const std::string text = std::string("millrace/") + engineVersion();
  return text;
}

void setUp(Handle& handle) {
  CURL* const curl = handle.curl;
  HttpTransfer& transfer = *handle.transfer;
  curl_easy_setopt(curl, CURLOPT_URL, transfer.request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PRIVATE, &handle);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, handle.reason.data());
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, static_cast<long>(transfer.stall.count()));
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(transfer.stall.count()));
  curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 65536L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, agent().c_str());
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &onHeader);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &handle);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &onBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &handle);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, &onSocket);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, &handle);
  if (const std::string file = certificateFile(); !file.empty())
    curl_easy_setopt(curl, CURLOPT_CAINFO, file.c_str());
  if (!transfer.range.empty()) curl_easy_setopt(curl, CURLOPT_RANGE, transfer.range.c_str());
  for (const std::string& header : transfer.request.headers)
    handle.headers = curl_slist_append(handle.headers, header.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, handle.headers);
}

/// Whether trouble of this kind may pass.
bool mayPass(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_AGAIN: return true;
    default: return false;
  }
}

std::string troubleOf(CURLcode code, const Handle& handle) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST: return "there is no server of this name";
    case CURLE_COULDNT_CONNECT: return "no connection to the server";
    case CURLE_OPERATION_TIMEDOUT:
      return fmt::format("the server sent nothing for {} s", handle.transfer->stall.count());
    case CURLE_PARTIAL_FILE: return "the answer was cut off";
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR: return "the connection was lost";
    case CURLE_GOT_NOTHING: return "the server closed the connection without an answer";
    case CURLE_PEER_FAILED_VERIFICATION:
      return "the server's certificate is not trusted; set SSL_CERT_FILE to the authority's "
             "certificate if it is right";
    case CURLE_OUT_OF_MEMORY: return "out of memory";
    default: return singleLine(std::string("the transfer failed: ") + curl_easy_strerror(code));
  }
}

/// One thread that has all requests in flight. Others hand transfers over and wait.
class Loop {
 public:
  Loop() {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    m_multi = curl_multi_init();
    curl_multi_setopt(m_multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, kMostConnections);
    curl_multi_setopt(m_multi, CURLMOPT_MAXCONNECTS, kMostConnections);
    allowMoreFiles();
    m_thread = std::thread([this] { run(); });
  }
  ~Loop() {
    {
      const MutexLock lock(m_mutex);
      m_isStopping = true;
    }
    curl_multi_wakeup(m_multi);
    m_thread.join();
    m_free.clear();
    curl_multi_cleanup(m_multi);
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void perform(std::span<HttpTransfer* const> transfers) {
    Call call;
    {
      const MutexLock lock(call.mutex);
      call.left = transfers.size();
    }
    {
      const MutexLock lock(m_mutex);
      for (HttpTransfer* transfer : transfers) m_waiting.push_back({transfer, &call});
    }
    curl_multi_wakeup(m_multi);
    const MutexLock lock(call.mutex);
    while (call.left > 0) call.ended.wait(call.mutex);
  }

 private:
  struct Waiting {
    HttpTransfer* transfer;
    Call* call;
  };

  static void allowMoreFiles() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }

  void run() {
    setThreadName("network");
    std::vector<Waiting> taken;
    for (;;) {
      {
        const MutexLock lock(m_mutex);
        if (m_isStopping) return;
        taken.swap(m_waiting);
      }
      for (const Waiting& waiting : taken) add(waiting);
      taken.clear();
      int running = 0;
      curl_multi_perform(m_multi, &running);
      int left = 0;
      while (CURLMsg* message = curl_multi_info_read(m_multi, &left))
        if (message->msg == CURLMSG_DONE) end(message->easy_handle, message->data.result);
      for (Handle* loser : std::exchange(m_losers, {})) recycle(*loser);
      curl_multi_poll(m_multi, nullptr, 0, sendSecondRequests(), nullptr);
    }
  }

  /// Sends requests again whose answers are late. Returns the milliseconds until the next may be.
  int sendSecondRequests() {
    constexpr std::chrono::milliseconds kLongestWait(1000);
    const auto delay = m_hedge.delay();
    if (!delay || !m_mayHedge) {
      m_sent.clear();
      return static_cast<int>(kLongestWait.count());
    }
    const auto now = HttpTransfer::Clock::now();
    while (!m_sent.empty()) {
      const auto [handle, use, at] = m_sent.front();
      const bool waits = handle->use == use && !handle->hasLost() && !handle->transfer->firstByte;
      if (waits && at + *delay > now)
        return static_cast<int>(
            std::min(kLongestWait, std::chrono::ceil<std::chrono::milliseconds>(at + *delay - now))
                .count());
      m_sent.pop_front();
      if (!waits || handle->twin != nullptr || !m_hedge.take()) continue;
      Handle& second = *start(*handle->transfer, handle->call);
      second.isSecond = true;
      second.twin = handle;
      handle->twin = &second;
      remoteFigures().second();
    }
    return static_cast<int>(kLongestWait.count());
  }

  void add(const Waiting& waiting) {
    HttpTransfer& transfer = *waiting.transfer;
    transfer.head = {};
    transfer.answer.clear();
    transfer.trouble.clear();
    transfer.isWorthRepeating = false;
    transfer.usedLocalNetwork = false;
    transfer.firstByte.reset();
    transfer.sent = HttpTransfer::Clock::now();
    Handle* const handle = start(transfer, waiting.call);
    m_sent.push_back({handle, handle->use, transfer.sent});
  }

  /// Sends a request. libcurl's private pointer has the handle until the end.
  Handle* start(HttpTransfer& transfer, Call* call) {
    std::unique_ptr<Handle> handle;
    if (m_free.empty()) {
      handle = std::make_unique<Handle>();
      handle->curl = curl_easy_init();
    } else {
      handle = std::move(m_free.back());
      m_free.pop_back();
      curl_easy_reset(handle->curl);
    }
    handle->transfer = &transfer;
    handle->call = call;
    handle->losers = &m_losers;
    ++handle->use;
    setUp(*handle);
    remoteFigures().request();
    Handle* const started = handle.release();
    curl_multi_add_handle(m_multi, started->curl);
    return started;
  }

  /// Ends the handle's request, whatever its state, and keeps it for later ones.
  void recycle(Handle& handle) {
    curl_multi_remove_handle(m_multi, handle.curl);
    curl_slist_free_all(handle.headers);
    handle.headers = nullptr;
    handle.headerBytes = handle.answerBytes = 0;
    handle.begun = handle.refused = handle.isSecond = false;
    handle.transfer = nullptr;
    m_free.emplace_back(&handle);
  }

  void end(CURL* curl, CURLcode code) {
    Handle* handle = nullptr;
    curl_easy_getinfo(curl, CURLINFO_PRIVATE, &handle);
    // One of two requests that ends without an answer leaves it to the other.
    if (!handle->hasLost() && handle->twin != nullptr) handle->lose();
    if (handle->hasLost()) return;
    HttpTransfer& transfer = *handle->transfer;
    const bool answered =
        transfer.head.status != 0 && transfer.head.status != 200 && transfer.head.status != 206;
    // The answer of an error is enough, even if it is cut off.
    if (code != CURLE_OK && !handle->refused && !(answered && code == CURLE_WRITE_ERROR)) {
      transfer.trouble = troubleOf(code, *handle);
      transfer.isWorthRepeating = mayPass(code);
    }
    // An object of 0 bytes has no body.
    if (transfer.trouble.empty() && !answered && !handle->begun)
      if (Status fits = transfer.begin(); !fits) transfer.trouble = fits.error().message;
    char* location = nullptr;
    if (curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &location) == CURLE_OK &&
        location != nullptr)
      transfer.head.location = location;
    count(curl, transfer);
    Call* const call = handle->call;
    recycle(*handle);
    const MutexLock lock(call->mutex);
    if (--call->left == 0) call->ended.notifyAll();
  }

  void count(CURL* curl, const HttpTransfer& transfer) {
    curl_off_t bytes = 0;
    curl_easy_getinfo(curl, CURLINFO_SIZE_DOWNLOAD_T, &bytes);
    std::optional<std::chrono::nanoseconds> first;
    if (transfer.firstByte) first = *transfer.firstByte - transfer.sent;
    if (first) m_hedge.add(*first);
    remoteFigures().answer(static_cast<std::uint64_t>(bytes), first);
  }

  CURLM* m_multi = nullptr;
  std::thread m_thread;

  /// A request, for as long as its handle is at this use.
  struct Sent {
    Handle* handle;
    std::uint64_t use;
    HttpTransfer::Clock::time_point at;
  };

  // Own thread only.
  std::vector<std::unique_ptr<Handle>> m_free;
  std::vector<Handle*> m_losers;
  std::deque<Sent> m_sent;  ///< the oldest first
  HedgeDelay m_hedge;
  const bool m_mayHedge = environmentText("MILLRACE_REMOTE_HEDGE") != "0";

  Mutex m_mutex;
  bool m_isStopping MILLRACE_GUARDED_BY(m_mutex) = false;
  std::vector<Waiting> m_waiting MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace

Status checkNetwork() { return {}; }

void performAll(std::span<HttpTransfer* const> transfers) {
  static Loop loop;
  if (!transfers.empty()) loop.perform(transfers);
}

}  // namespace millrace
