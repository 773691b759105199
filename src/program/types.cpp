#include "program/types.h"
#include "support/limits.h"

#include <algorithm>
#include <charconv>

namespace reckon::program {

namespace {

// Deeper nesting than any real type; keeps malformed units from hanging us.
constexpr int kMaxNesting = support::kLimits.program.record_nesting;

bool is_record(const model::Type& type) {
  return type.kind == model::TypeKind::Struct || type.kind == model::TypeKind::Union;
}

void collect_leading(const model::Unit& unit, model::TypeId t, std::vector<std::string_view>& names, int depth) {
  const model::Type& type = unit.type(t);
  if (!is_record(type) || depth > kMaxNesting) return;
  if (type.name != 0 && type.kind == model::TypeKind::Struct) names.push_back(unit.str(type.name));
  for (const model::Field& f : type.fields)
    if (f.offset == 0) collect_leading(unit, f.type, names, depth + 1);
}

bool descend(const model::Unit& unit, model::TypeId t, std::uint64_t offset, std::vector<Step>& steps) {
  const model::Type& type = unit.type(t);
  if (steps.size() > kMaxNesting) return false;
  if (is_record(type)) {
    for (const model::Field& f : type.fields) {
      const std::uint64_t size = unit.type(f.type).size;
      if (offset < f.offset || offset - f.offset >= std::max<std::uint64_t>(size, 1)) continue;
      steps.push_back({t, f.name, Step::kField});
      if (descend(unit, f.type, offset - f.offset, steps)) return true;
      steps.pop_back();
    }
    return false;
  }
  if (type.kind == model::TypeKind::Array) {
    const std::uint64_t size = unit.type(type.elem).size;
    if (size == 0) return false;
    steps.push_back({{}, {}, static_cast<std::int64_t>(offset / size)});
    if (descend(unit, type.elem, offset % size, steps)) return true;
    steps.pop_back();
    return false;
  }
  return offset == 0;
}

// Finds a field by name, also inside unnamed members; appends the steps to it.
bool find_field(const model::Unit& unit, model::TypeId t, std::string_view name, std::vector<Step>& steps,
                model::TypeId& found, int depth) {
  const model::Type& type = unit.type(t);
  if (!is_record(type) || depth > kMaxNesting) return false;
  for (const model::Field& f : type.fields) {
    if (f.name == 0) continue;
    if (unit.str(f.name) == name) {
      steps.push_back({t, f.name, Step::kField});
      found = f.type;
      return true;
    }
  }
  for (const model::Field& f : type.fields) {
    if (f.name != 0) continue;
    steps.push_back({t, {}, Step::kField});
    if (find_field(unit, f.type, name, steps, found, depth + 1)) return true;
    steps.pop_back();
  }
  return false;
}

}  // namespace

std::vector<std::string_view> leading_records(const model::Unit& unit, model::TypeId type) {
  std::vector<std::string_view> names;
  collect_leading(unit, type, names, 0);
  return names;
}

std::vector<Step> steps_to_offset(const model::Unit& unit, model::TypeId type, std::uint64_t offset) {
  std::vector<Step> steps;
  if (!descend(unit, type, offset, steps)) steps.clear();
  return steps;
}

std::vector<Step> steps_of_path(const model::Unit& unit, model::TypeId record, std::string_view path,
                                model::TypeId* reached) {
  std::vector<Step> steps;
  model::TypeId at = record;
  if (unit.type(at).kind == model::TypeKind::Pointer) at = unit.type(at).elem;
  while (!path.empty()) {
    const std::size_t end = path.find_first_of(".[");
    const std::string_view part = path.substr(0, end);
    while (!part.empty() && unit.type(at).kind == model::TypeKind::Array) {  // an index the path does not spell
      steps.push_back({{}, {}, Step::kAnyElement});
      at = unit.type(at).elem;
    }
    if (!part.empty() && !find_field(unit, at, part, steps, at, 0)) return {};
    path = end == std::string_view::npos ? std::string_view{} : path.substr(end);
    while (path.starts_with('[')) {
      Step element{{}, {}, Step::kAnyElement};
      const std::size_t close = std::min(path.find(']'), path.size() - 1);
      std::int64_t k = 0;
      const auto [stop, error] = std::from_chars(path.data() + 1, path.data() + close, k);
      if (error == std::errc{} && stop == path.data() + close && k >= 0) element.element = k;
      steps.push_back(element);
      if (unit.type(at).kind == model::TypeKind::Array) at = unit.type(at).elem;
      path = path.substr(close + 1);
    }
    if (path.starts_with('.')) path = path.substr(1);
  }
  if (reached != nullptr) *reached = at;
  return steps;
}

std::string spell_steps(const model::Unit& unit, std::span<const Step> steps, Elements elements, std::string text) {
  for (const Step& s : steps) {
    if (s.is_field()) {
      if (s.field == 0) continue;
      if (!text.empty()) text += '.';
      text += unit.str(s.field);
    } else if (elements == Elements::Any || (elements == Elements::Numbered && s.element == Step::kAnyElement)) {
      text += "[]";
    } else if (elements == Elements::Numbered) {
      text += '[';
      text += std::to_string(s.element);
      text += ']';
    }
  }
  return text;
}

std::string_view record_name(const model::Unit& unit, const Step& step) {
  return step.is_field() ? unit.str(unit.type(step.record).name) : std::string_view{};
}

}  // namespace reckon::program
