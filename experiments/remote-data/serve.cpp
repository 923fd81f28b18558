// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Serves a folder like an S3 bucket, each answer after a delay:
//   serve PORT DELAY_MS FOLDER BUCKET
// until it is killed.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/web_server.h"

int main(int count, char** words) {
  namespace fs = std::filesystem;
  if (count != 5) return 2;
  millrace::tests::WebServer server(std::chrono::milliseconds(std::atoi(words[2])),
                                    std::atoi(words[1]));
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
