// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Reads from a server that answers in every wrong way.
#include "core/storage/remote_object.h"

#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>

#include "core/storage/remote_figures.h"
#include "tests/support/needs_part.h"
#include "tests/support/test_case.h"
#include "tests/support/web_server.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestRemoteObject : public QObject {
  Q_OBJECT

  static std::string bytesOf(std::size_t size, unsigned seed = 1) {
    std::string bytes(size, '\0');
    std::minstd_rand random(seed);
    for (char& byte : bytes) byte = static_cast<char>(random());
    return bytes;
  }

  /// The bytes, or the error's message.
  static std::string whole(const std::string& path) {
    std::string bytes;
    const auto read =
        readWholeObject(path, [&](std::uint64_t size) -> Result<std::span<std::byte>> {
          if (size > 1000000000) return Error{"too large"};
          bytes.resize(static_cast<std::size_t>(size));
          return std::as_writable_bytes(std::span(bytes));
        });
    return read ? bytes : read.error().message;
  }
  static std::string range(RemoteObject& object, std::uint64_t offset, std::size_t size) {
    std::string bytes(size, '\0');
    const std::array part{std::as_writable_bytes(std::span(bytes))};
    const Status read = object.read(offset, part);
    return read ? bytes : read.error().message;
  }
  static bool says(const std::string& message, const char* part) {
    if (message.find(part) != std::string::npos) return true;
    qWarning("%s", message.substr(0, 200).c_str());
    return false;
  }
  static WebAnswer refusal(int status) {
    WebAnswer answer;
    answer.status = status;
    return answer;
  }
  /// Answers the first `count` requests like this, and later ones well.
  static auto first(std::uint64_t count, const WebAnswer& bad) {
    return [count, bad](const WebRequest& request) {
      return request.number < count ? bad : WebAnswer{};
    };
  }

 private slots:
  void initTestCase() {
    MILLRACE_NEEDS_PART("curl");
    qputenv("MILLRACE_REMOTE_TIMEOUT", "1");
    qputenv("no_proxy", "*");
  }

  void wholeObjectsOfAnySizeArrive() {
    WebServer server;
    for (const std::size_t size : {0, 1, 1000, 8 << 20, (8 << 20) + 1, (33 << 20) + 7}) {
      const std::string bytes = bytesOf(size);
      server.put("/x", bytes);
      QVERIFY(whole(server.url("/x")) == bytes);
    }
  }

  void namesOfEveryKindArrive() {
    WebServer server;
    qputenv("AWS_ENDPOINT_URL", server.url().c_str());
    qputenv("AWS_NO_SIGN_REQUEST", "1");
    for (const char* key :
         {"a b", "a//b", "a/../b", "100%25.jpg", "a?b#c&d=e+f", "ü/日本", "x/."}) {
      server.put("/bucket/" + std::string(key), std::string("content of ") + key);
      QCOMPARE(whole("s3://bucket/" + std::string(key)), std::string("content of ") + key);
    }
  }

  void rangesArriveInAnyOrder() {
    WebServer server;
    const std::string bytes = bytesOf((5 << 20) + 123);
    server.put("/x", bytes);
    auto object = RemoteObject::open(server.url("/x"));
    VERIFY_OK(object);
    QCOMPARE((*object)->size(), std::uint64_t{bytes.size()});
    std::minstd_rand random(7);
    for (int i = 0; i < 300; ++i) {
      const std::size_t offset = random() % bytes.size();
      const std::size_t size = std::min<std::size_t>(random() % 200000, bytes.size() - offset);
      QVERIFY(range(**object, offset, size) == bytes.substr(offset, size));
    }
    QVERIFY(says(range(**object, bytes.size() - 1, 2), "the object ends before"));
  }

  void rangesThatFollowEachOtherAreReadTogether() {
    WebServer server;
    const std::string bytes = bytesOf(20 << 20);
    server.put("/x", bytes);
    auto object = RemoteObject::open(server.url("/x"));
    VERIFY_OK(object);
    for (std::size_t at = 0; at < bytes.size(); at += 4096)
      QVERIFY(range(**object, at, 4096) == bytes.substr(at, 4096));
    QVERIFY2(server.requests() < 30, std::to_string(server.requests()).c_str());
  }

  void troubleThatPassesIsRepeated() {
    using Body = WebAnswer::Body;
    const std::string bytes = bytesOf(300000);
    std::vector<WebAnswer> troubles;
    for (const Body how : {Body::Short, Body::Reset, Body::Stalled}) {
      troubles.emplace_back();
      troubles.back().how = how;
    }
    for (const int status : {408, 429, 500, 502, 503, 504}) {
      troubles.emplace_back();
      troubles.back().status = status;
    }
    for (const WebAnswer& trouble : troubles) {
      WebServer server;
      server.put("/x", bytes);
      server.answerBy(first(2, trouble));
      const std::uint64_t before = remoteFigures().counts().retries;
      QVERIFY(whole(server.url("/x")) == bytes);
      QCOMPARE(remoteFigures().counts().retries - before, std::uint64_t{2});
      QCOMPARE(server.requests(), std::uint64_t{3});
    }
  }

  /// The server keeps back the answer to some first requests until a second one for the same bytes
  /// has come: without that one, the read would end after a second without a byte, and be repeated.
  void aRequestWhoseAnswerIsLateIsSentASecondTime() {
    WebServer server;
    for (int i = 0; i < 600; ++i) server.put("/" + std::to_string(i), bytesOf(1000, 1 + i));
    std::mutex mutex;
    std::map<std::string, int> seen;
    std::condition_variable again;
    server.answerBy([&](const WebRequest& request) {
      std::unique_lock lock(mutex);
      const int number = std::stoi(request.path.substr(1));
      if (++seen[request.path] > 1) again.notify_all();
      const auto twice = [&] { return seen[request.path] > 1; };
      const bool late = number >= 400 && number % 60 == 0;
      if (late && !again.wait_for(lock, std::chrono::seconds(10), twice)) return refusal(500);
      return WebAnswer{};
    });
    const RemoteCounts before = remoteFigures().counts();
    for (int i = 0; i < 600; ++i)
      QVERIFY(whole(server.url("/" + std::to_string(i))) == bytesOf(1000, 1 + i));
    const RemoteCounts after = remoteFigures().counts();
    QCOMPARE(after.retries, before.retries);
    QVERIFY(after.second - before.second >= 3);  // 420, 480 and 540
    QVERIFY(after.second - before.second <= 12 + before.requests / 50);
    QVERIFY(after.requests - before.requests == 600 + after.second - before.second);
  }

  void anErrorOfTheSecondRequestDoesNotCount() {
    WebServer server;
    for (int i = 0; i < 300; ++i) server.put("/" + std::to_string(i), bytesOf(1000, 1 + i));
    std::mutex mutex;
    std::map<std::string, int> seen;
    std::condition_variable refused;
    server.answerBy([&](const WebRequest& request) {
      std::unique_lock lock(mutex);
      const int times = ++seen[request.path];
      if (times == 2) {
        refused.notify_all();
        return refusal(503);
      }
      if (request.path == "/250")
        refused.wait_for(lock, std::chrono::seconds(10), [&] { return seen["/250"] > 1; });
      return WebAnswer{};
    });
    const RemoteCounts before = remoteFigures().counts();
    for (int i = 0; i < 300; ++i)
      QVERIFY(whole(server.url("/" + std::to_string(i))) == bytesOf(1000, 1 + i));
    QCOMPARE(remoteFigures().counts().retries, before.retries);
    QVERIFY(remoteFigures().counts().second > before.second);
  }

  void whatArrivedIsNotAskedForAgain() {
    WebServer server;
    server.put("/x", bytesOf(300000));
    WebAnswer half;
    half.how = WebAnswer::Body::Short;
    server.answerBy(first(1, half));
    QVERIFY(whole(server.url("/x")) == bytesOf(300000));
    QCOMPARE(server.log().at(1).headers.at("range").substr(0, 13), std::string("bytes=150000-"));
  }

  void troubleThatStaysEndsWithASentence() {
    WebServer server;
    server.put("/x", "x");
    WebAnswer busy;
    busy.status = 503;
    server.answerBy(first(1000, busy));
    QVERIFY(says(whole(server.url("/x")), "the server answered 503, 7 times in a row"));
    QVERIFY(says(whole("http://127.0.0.1:1/x"), "no connection to the server"));
  }

  void refusalsAreNotRepeated() {
    struct Case {
      int status;
      const char* body;
      const char* says;
    };
    for (const Case& refused :
         {Case{404, "", "the server has no such object (404)"},
          {404, "<Error><Code>NoSuchBucket</Code></Error>", "there is no bucket `bucket`"},
          {403, "<Error><Code>AccessDenied</Code></Error>", "no permission (403 AccessDenied)"},
          {400, "<Error><Code>ExpiredToken</Code></Error>", "have expired"},
          {403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", "the clock of this machine"},
          {400, "<Error><Code>X</Code><Region>eu-west-1</Region></Error>", "region `eu-west-1`"},
          {418, "<Error><Code>\x1b[2J</Code></Error>", "the server answered 418"}}) {
      WebServer server;
      qputenv("AWS_NO_SIGN_REQUEST", "1");
      WebAnswer answer;
      answer.status = refused.status;
      answer.body = refused.body;
      server.answerBy(first(1000, answer));
      const std::string message = whole(server.url("/bucket/x"));
      if (refused.says != std::string("there is no bucket `bucket`"))
        QVERIFY(says(message, refused.says));
      QVERIFY(message.find('\x1b') == std::string::npos);
      QCOMPARE(server.requests(), std::uint64_t{1});
    }
  }

  void wrongAnswersAreRefused() {
    using Body = WebAnswer::Body;
    WebServer server;
    server.put("/x", bytesOf(100000));
    const auto messageOf = [&](const WebAnswer& answer) {
      server.answerBy([answer](const WebRequest&) { return answer; });
      return whole(server.url("/x"));
    };
    WebAnswer answer;
    answer.how = Body::Long;
    QVERIFY(says(messageOf(answer), "the server sent more bytes than were asked for"));
    answer.how = Body::Endless;
    QVERIFY(says(messageOf(answer), "the server sent more bytes than were asked for"));
    answer = {};
    answer.wrongRange = true;
    QVERIFY(says(messageOf(answer), "the server sent other bytes than were asked for"));
    answer = {};
    answer.hugeHeaders = true;
    QVERIFY(says(messageOf(answer), "more headers than an answer can have"));
  }

  void aServerWithoutRangesGivesWholeObjectsOnly() {
    WebServer server;
    server.put("/x", bytesOf(20 << 20));
    WebAnswer plain;
    plain.knowsRanges = false;
    server.answerBy([plain](const WebRequest&) { return plain; });
    QVERIFY(whole(server.url("/x")) == bytesOf(20 << 20));
    const auto object = RemoteObject::open(server.url("/x"));
    QVERIFY(!object && says(object.error().message, "does not send ranges of files"));
  }

  void redirectsAreFollowedOnlyToTheWeb() {
    WebServer other;
    other.put("/there", "found");
    WebServer server;
    const auto messageOf = [&](const std::string& location) {
      WebAnswer away;
      away.status = 302;
      away.headers = {"Location: " + location};
      server.answerBy([away](const WebRequest&) { return away; });
      return whole(server.url("/x"));
    };
    QCOMPARE(messageOf(other.url("/there")), std::string("found"));
    for (const char* target : {"file:///etc/passwd", "gopher://x/", "dict://127.0.0.1:11211/"})
      QVERIFY(says(messageOf(target), "is not followed"));
    QVERIFY(says(messageOf("http://169.254.169.254/latest/meta-data/"), "link-local"));
    QVERIFY(says(messageOf("http://[::ffff:a9fe:a9fe]/"), "link-local"));
    QVERIFY(says(messageOf(server.url("/x")), "redirects again and again"));
  }

  void credentialsStayWithTheirServer() {
    WebServer other;
    other.put("/there", "found");
    WebServer server;
    qputenv("HF_ENDPOINT", server.url().c_str());
    qputenv("HF_TOKEN", "hf_SECRET");
    WebAnswer away;
    away.status = 302;
    away.headers = {"Location: " + other.url("/there")};
    server.answerBy([away](const WebRequest&) { return away; });
    QCOMPARE(whole("hf://datasets/me/set@v1/a b.bin"), std::string("found"));
    QCOMPARE(server.log().front().path, std::string("/datasets/me/set/resolve/v1/a b.bin"));
    QCOMPARE(server.log().front().headers.at("authorization"), std::string("Bearer hf_SECRET"));
    QVERIFY(!other.log().front().headers.contains("authorization"));
  }

  void changedDataIsReported() {
    WebServer server;
    const std::string bytes = bytesOf(3 << 20);
    server.put("/x", bytes);
    auto object = RemoteObject::open(server.url("/x"));
    VERIFY_OK(object);
    QVERIFY(range(**object, 1000000, 10) == bytes.substr(1000000, 10));
    server.put("/x", bytesOf(3 << 20, 2));
    QVERIFY(says(range(**object, 2000000, 10), "it has changed since it was opened"));
    server.put("/x", bytesOf(1000, 2));
    QVERIFY(says(range(**object, 500000, 10), "it has changed since it was opened"));
  }

  void anObjectThatChangesWhileItIsReadIsReported() {
    WebServer server;
    server.put("/x", bytesOf(20 << 20));
    server.answerBy([](const WebRequest& request) {
      WebAnswer answer;
      if (request.number > 0) answer.etag = "\"new\"";
      return answer;
    });
    QVERIFY(says(whole(server.url("/x")), "it has changed"));
  }
};

}  // namespace millrace

using millrace::TestRemoteObject;
MILLRACE_TEST_CASE(TestRemoteObject)
#include "tst_remote_object.moc"
