// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/chess_board.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <span>

namespace millrace::samples {
namespace {

struct Step {
  int file;
  int rank;
};
constexpr std::array<Step, 4> kStraight{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr std::array<Step, 4> kDiagonal{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr std::array<Step, 8> kAround{
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr std::array<Step, 8> kJumps{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};
constexpr std::string_view kLetters = "pnbrqk";

int fileOf(int square) { return square & 7; }
int rankOf(int square) { return square >> 3; }
int homeRank(Side side) { return side == Side::White ? 0 : 7; }
int ahead(Side side) { return side == Side::White ? 1 : -1; }

/// The square one step away; nullopt if that is outside the board.
std::optional<int> stepped(int square, Step step) {
  const int file = fileOf(square) + step.file;
  const int rank = rankOf(square) + step.rank;
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return std::nullopt;
  return rank * 8 + file;
}

std::uint64_t bit(int square) { return std::uint64_t{1} << static_cast<unsigned>(square); }

}  // namespace

ChessBoard::ChessBoard() : ChessBoard("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") {}

ChessBoard::ChessBoard(std::string_view fen) {
  int square = 56;
  std::size_t i = 0;
  for (; i < fen.size() && fen[i] != ' '; ++i) {
    const char c = fen[i];
    if (c == '/') {
      square -= 16;
    } else if (c >= '1' && c <= '8') {
      square += c - '0';
    } else {
      const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      m_squares[static_cast<std::size_t>(square++)] =
          Man{static_cast<Piece>(kLetters.find(lower)), lower == c ? Side::Black : Side::White};
    }
  }
  m_toMove = fen.substr(i).starts_with(" b") ? Side::Black : Side::White;
  const std::string_view rights = fen.substr(std::min(i + 3, fen.size()));
  for (std::size_t k = 0; k < 4; ++k)
    m_castling[k] = rights.substr(0, rights.find(' ')).find("KQkq"[k]) != std::string_view::npos;
  const std::size_t space = rights.find(' ');
  if (space != std::string_view::npos && space + 2 < rights.size() && rights[space + 1] != '-')
    m_enPassant = (rights[space + 2] - '1') * 8 + (rights[space + 1] - 'a');
}

bool ChessBoard::mayCastle(Side side, bool kingside) const {
  return m_castling[(side == Side::White ? 0U : 2U) + (kingside ? 0U : 1U)];
}

std::uint64_t ChessBoard::attacks(int square) const {
  if (!at(square)) return 0;
  const auto [piece, side] = *at(square);
  std::uint64_t seen = 0;
  const auto jump = [&](std::span<const Step> steps) {
    for (const Step step : steps)
      if (const auto to = stepped(square, step)) seen |= bit(*to);
  };
  const auto slide = [&](std::span<const Step> steps) {
    for (const Step step : steps)
      for (auto to = stepped(square, step); to; to = stepped(*to, step)) {
        seen |= bit(*to);
        if (at(*to)) break;
      }
  };
  switch (piece) {
    case Piece::Pawn: jump(std::array<Step, 2>{{{-1, ahead(side)}, {1, ahead(side)}}}); break;
    case Piece::Knight: jump(kJumps); break;
    case Piece::Bishop: slide(kDiagonal); break;
    case Piece::Rook: slide(kStraight); break;
    case Piece::Queen: slide(kAround); break;
    case Piece::King: jump(kAround); break;
  }
  return seen;
}

bool ChessBoard::isAttacked(int square, Side by) const {
  const auto stands = [&](std::optional<int> from, Piece piece) {
    return from && at(*from) && at(*from)->side == by && at(*from)->piece == piece;
  };
  for (const int file : {-1, 1})
    if (stands(stepped(square, {file, -ahead(by)}), Piece::Pawn)) return true;
  for (const Step step : kJumps)
    if (stands(stepped(square, step), Piece::Knight)) return true;
  for (const Step step : kAround) {
    auto from = stepped(square, step);
    if (stands(from, Piece::King)) return true;
    while (from && !at(*from)) from = stepped(*from, step);
    const Piece slider = step.file == 0 || step.rank == 0 ? Piece::Rook : Piece::Bishop;
    if (stands(from, Piece::Queen) || stands(from, slider)) return true;
  }
  return false;
}

int ChessBoard::king(Side side) const {
  for (int square = 0; square < 64; ++square)
    if (at(square) && at(square)->piece == Piece::King && at(square)->side == side) return square;
  return 0;
}

bool ChessBoard::isCapture(const Move& move) const {
  return at(move.to) ||
         (at(move.from)->piece == Piece::Pawn && fileOf(move.from) != fileOf(move.to));
}

void ChessBoard::addPawnMoves(int square, std::vector<Move>& moves) const {
  const int forward = ahead(m_toMove);
  const auto add = [&](int to) {
    if (rankOf(to) != homeRank(other(m_toMove))) {
      moves.push_back({static_cast<std::uint8_t>(square), static_cast<std::uint8_t>(to), {}});
      return;
    }
    for (const Piece piece : {Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight})
      moves.push_back({static_cast<std::uint8_t>(square), static_cast<std::uint8_t>(to), piece});
  };
  const int one = square + 8 * forward;
  if (!at(one)) {
    add(one);
    const int two = one + 8 * forward;
    if (rankOf(square) == homeRank(m_toMove) + forward && !at(two)) add(two);
  }
  for (const int file : {-1, 1}) {
    const auto to = stepped(square, {file, forward});
    if (to && ((at(*to) && at(*to)->side != m_toMove) || to == m_enPassant)) add(*to);
  }
}

bool ChessBoard::pathIsSafe(int from, int to) const {
  for (int square = std::min(from, to); square <= std::max(from, to); ++square)
    if (isAttacked(square, other(m_toMove))) return false;
  return true;
}

void ChessBoard::addCastling(std::vector<Move>& moves) const {
  const int home = homeRank(m_toMove) * 8;
  const auto free = [&](int first, int last) {
    for (int file = first; file <= last; ++file)
      if (at(home + file)) return false;
    return true;
  };
  const auto add = [&](int file) {
    if (pathIsSafe(home + 4, home + file))
      moves.push_back(
          {static_cast<std::uint8_t>(home + 4), static_cast<std::uint8_t>(home + file), {}});
  };
  if (mayCastle(m_toMove, true) && free(5, 6)) add(6);
  if (mayCastle(m_toMove, false) && free(1, 3)) add(2);
}

void ChessBoard::legalMoves(std::vector<Move>& moves) const {
  moves.clear();
  for (int square = 0; square < 64; ++square) {
    if (!at(square) || at(square)->side != m_toMove) continue;
    if (at(square)->piece == Piece::Pawn) {
      addPawnMoves(square, moves);
      continue;
    }
    const std::uint64_t reach = attacks(square);
    for (int to = 0; to < 64; ++to)
      if ((reach & bit(to)) != 0 && !(at(to) && at(to)->side == m_toMove))
        moves.push_back({static_cast<std::uint8_t>(square), static_cast<std::uint8_t>(to), {}});
  }
  addCastling(moves);
  std::erase_if(moves, [&](const Move& move) {
    ChessBoard after = *this;
    after.play(move);
    return after.isAttacked(after.king(m_toMove), after.m_toMove);
  });
}

/// A castling right ends with the first move from or to the square of its king or rook.
void ChessBoard::loseCastling(int square) {
  constexpr std::array<std::array<int, 2>, 4> kNeeds{{{4, 7}, {4, 0}, {60, 63}, {60, 56}}};
  for (std::size_t k = 0; k < 4; ++k)
    if (square == kNeeds[k][0] || square == kNeeds[k][1]) m_castling[k] = false;
}

void ChessBoard::play(const Move& move) {
  const Man man = *at(move.from);
  const bool pawn = man.piece == Piece::Pawn;
  m_quiet = pawn || isCapture(move) ? 0 : m_quiet + 1;
  if (pawn && move.to == m_enPassant)
    m_squares[static_cast<std::size_t>(move.to - 8 * ahead(man.side))].reset();
  m_squares[move.to] = Man{move.promotion.value_or(man.piece), man.side};
  m_squares[move.from].reset();
  if (man.piece == Piece::King && std::abs(move.to - move.from) == 2) {
    const bool kingside = move.to > move.from;
    auto& rook = m_squares[static_cast<std::size_t>(kingside ? move.to + 1 : move.to - 2)];
    m_squares[static_cast<std::size_t>(kingside ? move.to - 1 : move.to + 1)] = rook;
    rook.reset();
  }
  loseCastling(move.from);
  loseCastling(move.to);
  m_enPassant.reset();
  if (pawn && std::abs(move.to - move.from) == 16) m_enPassant = (move.to + move.from) / 2;
  m_toMove = other(m_toMove);
}

}  // namespace millrace::samples
