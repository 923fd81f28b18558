// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/remote_path.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestRemotePath : public QObject {
  Q_OBJECT

 private slots:
  void localPathsAreNotRemote() {
    for (const char* path : {"", "/data/a", "data", "C:\\data", "a/b://c", "sample:photos", "://x",
                             "x://y", "/s3://a", "photos of 1:2://x"})
      QVERIFY2(!isRemotePath(path), path);
    for (const char* path : {"s3://a/b", "https://h/x", "HF://datasets/a/b", "az://x", "file:///x"})
      QVERIFY2(isRemotePath(path), path);
  }

  void thePartsAreKeptAsWritten() {
    const auto path = parseRemotePath("s3://bucket/a//b/../c%2Fd?e#f");
    VERIFY_OK(path);
    QCOMPARE(path->host, std::string("bucket"));
    QCOMPARE(path->path, std::string("a//b/../c%2Fd?e#f"));
    const auto web = parseRemotePath("HTTPS://h:8443/a/b.tar?sig=x%2F&y#part");
    VERIFY_OK(web);
    QCOMPARE(web->scheme, std::string("https"));
    QCOMPARE(web->host, std::string("h:8443"));
    QCOMPARE(web->path, std::string("a/b.tar"));
    QCOMPARE(web->query, std::string("?sig=x%2F&y"));
  }

  void badPathsSayWhatIsWrong() {
    const auto says = [](const char* path, const char* part) {
      const auto parsed = parseRemotePath(path);
      return !parsed && parsed.error().message.find(part) != std::string::npos;
    };
    QVERIFY(says("ftp://host/x", "there are s3://, gs://"));
    QVERIFY(says("file:///etc/passwd", "`file://` is not a kind of address"));
    QVERIFY(says("s3:///key", "names no host or bucket"));
    QVERIFY(says("https://me:secret@host/x", "has a user or a password"));
    QVERIFY(says("https://host/a\nHost: other", "control character"));
    QVERIFY(!says("https://me:secret@host/x", "secret"));
  }

  void messagesShowNoQueryAndNoPassword() {
    QCOMPARE(shownRemotePath("https://h/x?sig=SECRET"), std::string("https://h/x"));
    QCOMPARE(shownRemotePath("https://me:SECRET@h/x@y"), std::string("https://h/x@y"));
    QCOMPARE(shownRemotePath("s3://b/x?y"), std::string("s3://b/x?y"));
  }

  void namesAreJoinedBelowAFolder() {
    QCOMPARE(joinRemotePath("s3://b/a", "x y%.jpg"), std::string("s3://b/a/x y%.jpg"));
    QCOMPARE(joinRemotePath("s3://b/a/", "x"), std::string("s3://b/a/x"));
    QCOMPARE(joinRemotePath("https://h/a?sig=1", "x y%#.jpg"),
             std::string("https://h/a/x%20y%25%23.jpg?sig=1"));
    QCOMPARE(joinRemotePath("s3://b/a", "https://h/x"), std::string("https://h/x"));
    QCOMPARE(remoteFolderOf("https://h/a/m.csv?sig=a/b"), std::string("https://h/a?sig=a/b"));
    QCOMPARE(remoteFolderOf("s3://b/a/m.csv"), std::string("s3://b/a"));
    QCOMPARE(remoteFolderOf("s3://b/m.csv"), std::string("s3://b"));
    QCOMPARE(remoteFolderOf("s3://b"), std::string("s3://b"));
  }

  void percentEncodingComesBack() {
    std::string all;
    for (int i = 1; i < 256; ++i) all += static_cast<char>(i);
    QCOMPARE(percentDecoded(percentEncoded(all)), all);
    QCOMPARE(percentDecoded("a%2"), std::string("a%2"));
    QCOMPARE(percentDecoded("%zz%41"), std::string("%zzA"));
  }
};

}  // namespace millrace

using millrace::TestRemotePath;
MILLRACE_TEST_CASE(TestRemotePath)
#include "tst_remote_path.moc"
