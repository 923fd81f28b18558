// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/remote_words.h"

#include "core/base/version.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestRemoteWords : public QObject {
  Q_OBJECT
 private slots:
  void theGreetingIsFoundAfterWhatALoginPrints() {
    std::string printed =
        "Welcome to gpu1!\n\x1bquota: 3 of 5\nno newline " + greetingLine() + "rest";
    const auto greeting = takeGreeting(printed);
    QVERIFY(greeting.has_value());
    QCOMPARE(greeting->version, std::string(engineVersion()));
    QCOMPARE(greeting->protocol, kRemoteProtocol);
    QVERIFY(!greeting->machine.empty());
    QCOMPARE(printed, std::string("rest"));
  }

  void aGreetingThatComesByteByByteIsFoundOnce() {
    const std::string all = "motd\n" + greetingLine();
    std::string printed;
    int found = 0;
    for (const char byte : all) {
      printed += byte;
      if (takeGreeting(printed)) ++found;
    }
    QCOMPARE(found, 1);
    QVERIFY(printed.empty());
  }

  void aLoginThatPrintsWithoutEndTakesNoMemory() {
    std::string printed;
    for (int i = 0; i < 100; ++i) {
      printed += std::string(1000, 'x');
      QVERIFY(!takeGreeting(printed));
      QVERIFY(printed.size() < 100);
    }
  }

  void aRequestKeepsEveryByte() {
    RemoteRequest request;
    request.words = {"run", "it's a 'name'.json", "--set=a=$(touch x)",
                     "",    "two\nlines",         "\xff\xfe"};
    request.documents = {{"it's a 'name'.json", "{\n}\n"}, {"-", std::string(100'000, 'd')}};
    request.program = "millrace --on 'user@a b'";
    request.columns = 132;
    request.colours = true;
    std::string received = requestBytes(request) + "next";
    const auto taken = takeRequest(received);
    VERIFY_OK(taken);
    QVERIFY(taken->has_value());
    QVERIFY((*taken)->words == request.words);
    QVERIFY((*taken)->documents == request.documents);
    QCOMPARE((*taken)->program, request.program);
    QVERIFY((*taken)->columns == request.columns);
    QVERIFY((*taken)->colours);
    QCOMPARE(received, std::string("next"));
  }

  void aPartOfARequestIsWaitedFor() {
    const std::string all = requestBytes({{"doctor"}, {{"name", "text"}}, std::nullopt, false});
    for (std::size_t length = 0; length < all.size(); ++length) {
      std::string received = all.substr(0, length);
      const auto taken = takeRequest(received);
      VERIFY_OK(taken);
      QVERIFY2(!taken->has_value(), std::to_string(length).c_str());
      QCOMPARE(received.size(), length);
    }
  }

  void otherBytesAreRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("a word") << QByteArray("hello\n");
    QTest::newRow("no number") << QByteArray(100, 'x');
    QTest::newRow("a negative number") << QByteArray("-1\n0\n0\n0\n");
    QTest::newRow("too many words") << QByteArray("80\n0\n18446744073709551615\n");
    QTest::newRow("a word too long") << QByteArray("80\n0\n1\n99999999999\n");
    QTest::newRow("colours") << QByteArray("80\n2\n");
  }
  void otherBytesAreRefused() {
    QFETCH(const QByteArray, bytes);
    std::string received = bytes.toStdString();
    QVERIFY(!takeRequest(received));
  }
};

MILLRACE_TEST_CASE(TestRemoteWords)

}  // namespace millrace

#include "tst_remote_words.moc"
