// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/chess_records.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "core/base/crc32c.h"
#include "core/data/example_bytes.h"

namespace millrace::samples {
namespace {

constexpr int kPlanes = 24;
constexpr std::size_t kFlags = 1536;
constexpr std::size_t kMate = 1546;
constexpr int kLongestGame = 160;  ///< half-moves; most random games have no result
constexpr int kMateSeen = 8;       ///< half-moves before a mate in which `s` counts to it
constexpr std::array<std::int64_t, kPieces> kWorth{100, 320, 330, 500, 900, 0};

void setBit(std::vector<std::byte>& bits, std::size_t place) {
  bits[place / 8] |= std::byte{128} >> (place % 8);
}

std::size_t planeOf(const ChessBoard& board, int square) {
  const auto& man = *board.at(square);
  return static_cast<std::size_t>(man.piece) + (man.side == board.toMove() ? 0 : kPieces);
}

void writeFlags(const ChessBoard& board, bool took, std::vector<std::byte>& bits) {
  const Side own = board.toMove();
  bool queens = false;
  for (int square = 0; square < 64; ++square)
    queens = queens || (board.at(square) && board.at(square)->piece == Piece::Queen);
  const std::array<bool, 10> flags{board.mayCastle(own, true),
                                   board.mayCastle(own, false),
                                   board.mayCastle(other(own), true),
                                   board.mayCastle(other(own), false),
                                   board.isCheck(),
                                   board.enPassant().has_value(),
                                   own == Side::Black,
                                   took,
                                   !queens,
                                   board.movesWithoutProgress() >= 50};
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i]) setBit(bits, kFlags + i);
}

ChessRecord recordOf(const ChessBoard& board, bool took) {
  ChessRecord record{std::vector<std::byte>(kChessRecordBytes), 0};
  const int turned = board.toMove() == Side::Black ? 56 : 0;  // its first rank comes first
  const auto place = [&](int square, std::size_t plane) {
    return static_cast<std::size_t>((square ^ turned) * kPlanes) + plane;
  };
  for (int square = 0; square < 64; ++square) {
    if (!board.at(square)) continue;
    const std::size_t plane = planeOf(board, square);
    setBit(record.d, place(square, plane));
    for (std::uint64_t seen = board.attacks(square); seen != 0; seen &= seen - 1)
      setBit(record.d, place(std::countr_zero(seen), plane + 2 * kPieces));
    const std::int64_t worth = kWorth[plane % kPieces];
    record.s += plane < kPieces ? worth : -worth;
  }
  writeFlags(board, took, record.d);
  return record;
}

bool isMate(ChessBoard board, const Move& move) {
  board.play(move);
  if (!board.isCheck()) return false;
  std::vector<Move> replies;
  board.legalMoves(replies);
  return replies.empty();
}

/// A mating move if there is one; otherwise a random move, with captures three times as likely.
Move chosen(const ChessBoard& board, const std::vector<Move>& moves, Draw& draw) {
  const auto mate = std::find_if(moves.begin(), moves.end(),
                                 [&](const Move& move) { return isMate(board, move); });
  if (mate != moves.end()) return *mate;
  std::int64_t weight = 0;
  for (const Move& move : moves) weight += board.isCapture(move) ? 3 : 1;
  std::int64_t left = draw.integer(0, weight - 1);
  for (const Move& move : moves) {
    left -= board.isCapture(move) ? 3 : 1;
    if (left < 0) return move;
  }
  return moves.back();
}

/// One game; if it ends in a mate, the last positions count the moves to it.
std::vector<ChessRecord> playGame(Draw& draw) {
  std::vector<ChessRecord> records;
  ChessBoard board;
  std::vector<Move> moves;
  bool took = false;
  for (int half = 0; half < kLongestGame; ++half) {
    board.legalMoves(moves);
    if (moves.empty()) break;
    records.push_back(recordOf(board, took));
    const Move move = chosen(board, moves, draw);
    took = board.isCapture(move);
    board.play(move);
  }
  if (!moves.empty() || !board.isCheck()) return records;
  for (int distance = 1; distance <= std::min<int>(kMateSeen, int(records.size())); ++distance) {
    ChessRecord& record = records[records.size() - static_cast<std::size_t>(distance)];
    setBit(record.d, kMate);
    // The side that moved last has mated; an odd number of half-moves before the end it is to move.
    record.s = distance % 2 == 1 ? (distance + 1) / 2 : -(distance / 2);
  }
  return records;
}

}  // namespace

std::vector<ChessRecord> playChess(Draw& draw, std::size_t count) {
  std::vector<ChessRecord> records;
  while (records.size() < count) {
    std::vector<ChessRecord> game = playGame(draw);
    std::move(game.begin(), game.end(), std::back_inserter(records));
  }
  records.resize(count);
  return records;
}

void appendTfRecord(const ChessRecord& record, std::vector<std::byte>& file) {
  static_assert(std::endian::native == std::endian::little);
  ExampleBytes fields;
  fields.addBytes("d", {reinterpret_cast<const char*>(record.d.data()), record.d.size()});
  fields.addNumber("s", record.s);
  const std::string_view example = fields.finish();
  const auto put = [&](const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    file.insert(file.end(), bytes, bytes + size);
  };
  const std::uint64_t length = example.size();
  const std::uint32_t lengthSum = maskedCrc(crc32c(std::as_bytes(std::span(&length, 1))));
  const std::uint32_t sum = maskedCrc(crc32c(std::as_bytes(std::span(example))));
  put(&length, sizeof length);
  put(&lengthSum, sizeof lengthSum);
  put(example.data(), example.size());
  put(&sum, sizeof sum);
}

}  // namespace millrace::samples
