// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Serves a folder like an S3 bucket, each answer after a delay, and one in SLOW_ONE_IN after two
// seconds more:
//   serve PORT DELAY_MS FOLDER BUCKET [SLOW_ONE_IN]
// until it is killed.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/web_server.h"

int main(int count, char** words) {
  namespace fs = std::filesystem;
  if (count < 5 || count > 6) return 2;
  millrace::tests::WebServer server(std::chrono::milliseconds(std::atoi(words[2])),
                                    std::atoi(words[1]));
  if (const int oneIn = count == 6 ? std::atoi(words[5]) : 0; oneIn > 0)
    server.answerBy([oneIn](const millrace::tests::WebRequest& request) {
      if (request.number % static_cast<std::uint64_t>(oneIn) == 0)
        std::this_thread::sleep_for(std::chrono::seconds(2));
      return millrace::tests::WebAnswer{};
    });
  const fs::path root = words[3];
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    server.put("/" + std::string(words[4]) + "/" + fs::relative(entry.path(), root).native(),
               std::move(content).str());
  }
  std::printf("serving\n");
  std::fflush(stdout);
  for (;;) ::pause();
}
