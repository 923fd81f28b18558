// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/network_address.h"

#include <arpa/inet.h>

#include "tests/support/test_case.h"

namespace millrace {

class TestNetworkAddress : public QObject {
  Q_OBJECT

  static AddressKind kindOfText(const char* text) {
    sockaddr_storage address{};
    auto* v4 = reinterpret_cast<sockaddr_in*>(&address);
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&address);
    if (::inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
      address.ss_family = AF_INET;
    } else {
      address.ss_family = AF_INET6;
      if (::inet_pton(AF_INET6, text, &v6->sin6_addr) != 1) qFatal("not an address");
    }
    return kindOf(*reinterpret_cast<sockaddr*>(&address));
  }

 private slots:
  void addressesAreTold() {
    for (const char* text : {"169.254.169.254", "169.254.0.1", "fe80::1", "fd00:ec2::254",
                             "::ffff:169.254.169.254", "100.100.100.200"})
      QVERIFY2(kindOfText(text) == AddressKind::Metadata, text);
    for (const char* text : {"127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.1", "192.168.1.1",
                             "0.0.0.0", "100.64.0.1", "::1", "::", "fc00::1", "::ffff:127.0.0.1"})
      QVERIFY2(kindOfText(text) == AddressKind::Local, text);
    for (const char* text : {"8.8.8.8", "172.32.0.1", "100.128.0.1", "2001:db8::1", "52.92.0.1"})
      QVERIFY2(kindOfText(text) == AddressKind::Public, text);
  }
};

}  // namespace millrace

using millrace::TestNetworkAddress;
MILLRACE_TEST_CASE(TestNetworkAddress)
#include "tst_network_address.moc"
