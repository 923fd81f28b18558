// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/remote_listing.h"

#include "core/storage/object_service.h"
#include "tests/support/needs_part.h"
#include "tests/support/test_case.h"
#include "tests/support/web_server.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestRemoteListing : public QObject {
  Q_OBJECT

  static Result<std::vector<std::string>> listed(const std::string& folder) {
    std::vector<std::string> paths;
    MILLRACE_TRY(listRemote(folder, [&](std::string_view path, std::uint64_t) {
      paths.emplace_back(path);
      return true;
    }));
    return paths;
  }

 private slots:
  void initTestCase() {
    MILLRACE_NEEDS_PART("curl");
    qputenv("no_proxy", "*");
    qputenv("AWS_NO_SIGN_REQUEST", "1");
    qputenv("MILLRACE_REMOTE_TIMEOUT", "1");
  }

  void allPagesAreRead() {
    WebServer server;
    qputenv("AWS_ENDPOINT_URL_S3", server.url().c_str());
    for (int i = 0; i < 1234; ++i)
      server.put("/listed/set/" + std::to_string(10000 + i) + ".jpg", "x");
    server.put("/listed/set/", "");
    server.put("/listed/settled", "x");
    // Some pages fail at first.
    server.answerBy([](const WebRequest& request) {
      WebAnswer answer;
      if (request.number % 3 == 1) answer.status = 503;
      return answer;
    });
    const auto paths = listed("s3://listed/set");
    VERIFY_OK(paths);
    QCOMPARE(paths->size(), std::size_t{1234});
    QCOMPARE(paths->front(), std::string("10000.jpg"));
    QCOMPARE(paths->back(), std::string("11233.jpg"));
    QVERIFY(server.requests() > 13);
  }

  void aFolderHasItsNamesOnly() {
    WebServer server;
    qputenv("AWS_ENDPOINT_URL_S3", server.url().c_str());
    for (const char* path : {"a/cat/1.jpg", "a/cat/2.jpg", "a/dog/1.jpg", "a/list.csv", "ab/x"})
      server.put("/named/" + std::string(path), "x");
    const auto folder = remoteFolder("s3://named/a", 100);
    VERIFY_OK(folder);
    QCOMPARE(folder->files, std::vector<std::string>{"list.csv"});
    QCOMPARE(folder->folders, (std::vector<std::string>{"cat", "dog"}));
    QVERIFY(folder->all);
    QVERIFY(isRemoteFolder("s3://named/a"));
    QVERIFY(isRemoteFolder("s3://named"));
    QVERIFY(!isRemoteFolder("s3://named/a/list.csv"));
    QVERIFY(!isRemoteFolder("s3://named/b"));
  }

  void wrongListingsAreRefused() {
    WebServer server;
    qputenv("AWS_ENDPOINT_URL_S3", server.url().c_str());
    const auto messageOf = [&](const std::string& body, int status = 0) {
      WebAnswer answer;
      answer.status = status == 0 ? 203 : status;
      answer.body = body;
      server.answerBy([answer](const WebRequest&) { return answer; });
      const auto paths = listed("s3://wrong/set");
      return paths ? std::string("listed") : paths.error().message;
    };
    const auto says = [](const std::string& message, const char* part) {
      if (message.find(part) == std::string::npos) qWarning("%s", message.c_str());
      return message.find(part) != std::string::npos;
    };
    QVERIFY(says(messageOf("", 403), "no permission (403)"));
    QVERIFY(says(messageOf("", 404), "`s3://wrong/set/` cannot be listed"));
  }

  void aWebServerListsNoFolders() {
    const auto paths = listed("https://host/set?sig=SECRET");
    QVERIFY(!paths);
    QVERIFY(paths.error().message.find("web servers list no folders") != std::string::npos);
    QVERIFY(paths.error().message.find("SECRET") == std::string::npos);
  }

  void pagesOfTheServicesAreUnderstood() {
    const ListingRequest asked{{"s3", "b", "set/", ""}, true, 1000, ""};
    const auto& service = *objectServiceOf("s3");
    const auto page = service.page(
        asked,
        "<ListBucketResult xmlns=\"x\"><EncodingType>url</EncodingType><Contents><Key>set/a%20b"
        "&amp;c</Key><Size>12</Size></Contents><IsTruncated>true</IsTruncated>"
        "<NextContinuationToken>1&lt;2</NextContinuationToken></ListBucketResult>",
        "");
    VERIFY_OK(page);
    QCOMPARE(page->objects.at(0).path, std::string("set/a b&c"));
    QCOMPARE(page->objects.at(0).size, std::uint64_t{12});
    QCOMPARE(page->next, std::string("1<2"));
    for (const char* broken :
         {"", "<html>", "<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>",
          "<ListBucketResult><Contents><Key>a</Key><Size>x</Size></Contents></ListBucketResult>",
          "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"})
      QVERIFY2(!service.page(asked, broken, ""), broken);
    const ListingRequest hub{{"hf", "datasets", "me/set@v1/data/", ""}, true, 1000, ""};
    const auto files =
        objectServiceOf("hf")->page(hub,
                                    R"([{"type": "directory", "path": "data"},
            {"type": "file", "path": "data/a.parquet", "size": 5}])",
                                    "<https://huggingface.co/api/x?cursor=1>; rel=\"next\"");
    VERIFY_OK(files);
    QCOMPARE(files->objects.at(0).path, std::string("me/set@v1/data/a.parquet"));
    QCOMPARE(files->next, std::string("https://huggingface.co/api/x?cursor=1"));
    QVERIFY(!objectServiceOf("hf")->page(hub, "{\"error\": 1}", ""));
    QVERIFY(!objectServiceOf("hf")->page(hub, "[{\"type\": 1}]", ""));
  }
};

}  // namespace millrace

using millrace::TestRemoteListing;
MILLRACE_TEST_CASE(TestRemoteListing)
#include "tst_remote_listing.moc"
