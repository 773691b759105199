#include "report/repair.h"

#include <algorithm>
#include <map>
#include <optional>

#include "report/repair_protect.h"
#include "report/repair_text.h"

namespace reckon::report {

namespace {

// `statement` before every place at which the finding shows.
std::optional<Fix> everywhere(const Finding& f, const RepairText& text, const std::string& word, bool returns_object,
                              std::string description) {
  if (word.empty()) return std::nullopt;
  Fix fix{std::move(description), {}};
  std::vector<SourceLoc> places = f.further_places;
  places.insert(places.begin(), f.loc);
  for (const SourceLoc& place : places) {
    if (place.file != f.loc.file || !place.macro.empty()) return std::nullopt;
    const RepairText::Index exit = text.exit_at(place);
    if (exit == RepairText::kNowhere) return std::nullopt;
    if (text.is(exit, "return")) {
      const RepairText::Index end = text.statement_end(exit);
      bool used = false;
      for (RepairText::Index i = exit; i < end && end != RepairText::kNowhere; ++i) used = used || text.is(i, f.object);
      if (used != returns_object) return std::nullopt;
      // A reference is taken for what is returned itself, not for what something else is computed from.
      if (returns_object && end != exit + 2) return std::nullopt;
    }
    const auto edits = text.before(place, exit, word + "(" + f.object + ");");
    if (!edits) return std::nullopt;
    for (const Edit& edit : *edits)
      if (std::find(fix.edits.begin(), fix.edits.end(), edit) == fix.edits.end()) fix.edits.push_back(edit);
  }
  std::sort(fix.edits.begin(), fix.edits.end());
  return fix;
}

// `statement` before the `goto` that the last `if` of the path leads to: several ways share the end behind the label,
// and only this one has the object.
std::optional<Fix> before_goto(const Finding& f, const RepairText& text, const std::string& word) {
  if (word.empty() || !f.further_places.empty()) return std::nullopt;
  for (auto step = f.path.rbegin(); step != f.path.rend(); ++step) {
    if (step->depth != 0 || step->loc.file != f.loc.file) continue;
    RepairText::Index head = text.token_at(step->loc);
    if (head == RepairText::kNowhere) continue;
    const RepairText::Index begin = text.statement_begin(head);
    while (head > begin && !text.is(head, "if")) --head;
    if (!text.is(head, "if") || !text.is(head + 1, "(")) continue;
    RepairText::Index jump = text.closing(head + 1);
    if (jump == RepairText::kNowhere) continue;
    if (text.is(++jump, "{")) {
      const RepairText::Index close = text.closing(jump);
      while (jump < close && !text.is(jump, "goto")) ++jump;
    }
    if (!text.is(jump, "goto")) continue;
    const auto edits = text.before(f.loc, jump, word + "(" + f.object + ");");
    if (!edits) return std::nullopt;
    return Fix{"release `" + f.object + "` before the jump", *edits};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Fix> propose_fixes(const Finding& finding, Repair repair, const RepairWords& words, Sources& sources) {
  std::vector<Fix> out;
  if (finding.loc.file.empty()) return out;
  const SourceFile& file = sources.file(finding.loc.file);
  if (file.text.empty()) return out;
  const RepairText text(file);
  auto add = [&](std::optional<Fix> fix) {
    if (fix) out.push_back(std::move(*fix));
  };
  if (!is_identifier(finding.object)) return propose_protection(finding, repair, words, text);
  if (repair == Repair::Release) {
    add(everywhere(finding, text, words.release, false, "release `" + finding.object + "` before returning"));
    add(everywhere(finding, text, words.release_or_null, false,
                   "release `" + finding.object + "`, which may be NULL, before returning"));
    add(before_goto(finding, text, words.release));
    add(before_goto(finding, text, words.release_or_null));
  } else if (repair == Repair::Acquire) {
    add(everywhere(finding, text, words.acquire, true,
                   "take a reference to `" + finding.object + "` before returning it"));
    add(everywhere(finding, text, words.acquire_or_null, true,
                   "take a reference to `" + finding.object + "`, which may be NULL, before returning it"));
  } else {
    return propose_protection(finding, repair, words, text);
  }
  return out;
}

bool overlap(const Edit& a, const Edit& b) {
  if (a.file != b.file) return false;
  const auto start = [](const Edit& e) { return std::pair(e.line, e.col); };
  const auto end = [](const Edit& e) { return std::pair(e.end_line, e.end_col); };
  const bool both_insert = start(a) == end(a) && start(b) == end(b);
  if (both_insert) return false;
  return start(a) < end(b) ? start(b) < end(a) || start(a) == start(b) : start(a) == start(b);
}

std::string apply_edits(const SourceFile& source, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return std::tie(a.line, a.col, a.end_line, a.end_col) < std::tie(b.line, b.col, b.end_line, b.end_col);
  });
  std::string out;
  std::size_t done = 0;
  for (const Edit& edit : edits) {
    const std::size_t from = source.offset(edit.line, edit.col), to = source.offset(edit.end_line, edit.end_col);
    if (from == std::string::npos || to == std::string::npos || from < done || to < from) continue;  // not of this text
    out.append(source.text, done, from - done).append(edit.text);
    done = to;
  }
  return out.append(source.text, done);
}

}  // namespace reckon::report
