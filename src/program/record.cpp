#include "program/record.h"

#include <span>

#include "model/binary.h"
#include "support/archive.h"

namespace reckon::program {

namespace {

model::Unit without_bodies(const model::Unit& unit) {
  model::Unit out;
  out.path = unit.path;
  out.target = unit.target;
  out.language = unit.language;
  out.pointer_size = unit.pointer_size;
  out.strings = unit.strings;
  out.types = unit.types;
  out.symbols = unit.symbols;
  out.constants = unit.constants;
  out.headers = unit.headers;
  out.macros = unit.macros;
  for (const model::Function& f : unit.functions) {
    model::Function& head = out.functions.emplace_back();
    head.symbol = f.symbol;
    head.params = f.params;
    head.result = f.result;
    head.variadic = f.variadic;
    head.from_header = f.from_header;
    head.loc = f.loc;
    head.end = f.end;
  }
  return out;
}

// Writes and reads notes. Ids that are read have to be those of something in the frame, or of nothing.
template <class Archive>
class Coder {
 public:
  Coder(Archive& archive, const model::Unit& frame, std::size_t fields) : a_(archive), frame_(frame), fields_(fields) {}

  void code(UnitNotes& notes) {
    a_.list(notes.fields, [&](model::FieldName& f) {
      id(f.record, frame_.types.size()), id(f.path, frame_.strings.size()), id(f.type, frame_.types.size());
    });
    fields_ = notes.fields.size();
    std::size_t next = 0;
    static const model::Function nobody;
    a_.list(notes.functions, [&](FunctionNotes& f) {
      code(f, next < frame_.functions.size() ? frame_.functions[next] : nobody);
      ++next;
    });
    a_.list(notes.privates, [&](PrivateFunction& f) {
      a_.number(f.index);
      a_.number(f.digest.low);
      a_.number(f.digest.high);
      symbols(f.publics);
      check(f.index < frame_.functions.size());
    });
    check(notes.functions.size() == frame_.functions.size());
  }

 private:
  void check(bool holds) {
    if constexpr (Archive::reading)
      if (!holds) a_.fail();
  }
  template <class Id>
  void id(Id& i, std::size_t size) {
    std::uint32_t number = static_cast<std::uint32_t>(i) + 1;
    a_.number(number);
    i = Id(number - 1);
    check(i == kNone || i < size);
  }
  void symbol(model::SymId& s) { id(s, frame_.symbols.size()); }
  void symbols(std::vector<model::SymId>& all) {
    a_.list(all, [&](model::SymId& s) {
      symbol(s);
      check(s != kNone);
    });
  }
  void members(std::vector<FieldId>& all) {
    a_.list(all, [&](FieldId& f) {
      id(f, fields_);
      check(f != kNone);
    });
  }
  void numbers(std::vector<std::uint32_t>& all, std::size_t below) {
    a_.list(all, [&](std::uint32_t& n) {
      a_.number(n);
      check(n < below);
    });
  }
  void flag(bool& b) {
    std::uint8_t n = b;
    a_.number(n);
    b = n != 0;
  }

  void types(std::vector<model::TypeId>& all) {
    a_.list(all, [&](model::TypeId& t) {
      id(t, frame_.types.size());
      check(t != kNone);
    });
  }
  // kNone is the largest number, and gets the shortest form.
  void number_or_none(std::uint32_t& n, std::size_t below) {
    std::uint32_t number = n + 1;
    a_.number(number);
    n = number - 1;
    check(n == kNone || n < below);
  }

  void code(ArgumentNote& note, std::size_t calls) {
    using Kind = ArgumentNote::Kind;
    a_.number(note.kind);
    flag(note.cast);
    a_.number(note.loads);
    a_.number(note.same);
    a_.number(note.root);
    flag(note.root_member);
    flag(note.root_read);
    std::uint32_t number = note.id + 1;
    a_.number(number);
    note.id = number - 1;
    a_.number(note.number);
    check(note.kind <= Kind::Result);
    if (note.kind == Kind::Result) check(note.id < calls);
    if (note.kind == Kind::Symbol || note.kind == Kind::Global) check(note.id < frame_.symbols.size());
    if (note.kind == Kind::Member) check(note.id < fields_);
  }

  void code(CallNote& call, std::size_t calls, std::size_t params) {
    symbol(call.callee);
    number_or_none(call.param, params);
    flag(call.at_offset);
    flag(call.by_pointer);
    flag(call.assembly);
    flag(call.passed_on);
    id(call.origin, frame_.strings.size());
    id(call.type, frame_.types.size());
    check(call.origin != kNone && call.type != kNone);
    symbols(call.behind);
    a_.list(call.arguments, [&](ArgumentNote& argument) { code(argument, calls); });
    a_.list(call.addresses, [&](AddressesNote& note) {
      a_.number(note.argument);
      symbols(note.symbols);
      check(note.argument < call.arguments.size());
    });
    types(call.types);
    numbers(call.decided_by, calls);
  }

  void code(PutNote& put) {
    symbols(put.functions);
    symbol(put.variable);
    a_.list(put.steps, [&](Step& s) {
      id(s.record, frame_.types.size());
      id(s.field, frame_.strings.size());
      a_.number(s.element);
      check(s.record != kNone && s.field != kNone);
    });
  }

  void code(RegistrationNote& note, std::size_t calls) {
    a_.number(note.call);
    id(note.loc.file, frame_.strings.size());
    a_.number(note.loc.line);
    a_.number(note.loc.col);
    id(note.loc.macro, frame_.strings.size());
    flag(note.dropped);
    flag(note.elsewhere);
    members(note.members);
    check(note.call < calls && note.loc.file != kNone && note.loc.macro != kNone);
  }

  void code(FlowNote& step, std::size_t calls) {
    a_.number(step.first_call);
    a_.number(step.calls);
    flag(step.returns);
    a_.list(step.next, [&](std::uint32_t& n) { a_.number(n); });
    check(step.first_call <= calls && step.calls <= calls - step.first_call);
  }

  // What checks of the whole program ask.
  void code_looks(FunctionNotes& f, std::size_t calls) {
    symbols(f.handed);
    a_.list(f.looks, [&](LookNote& look) {
      id(look.member, fields_);
      flag(look.is_far);
      a_.number(look.offset);
      check(look.member != kNone);
    });
    types(f.own_structs);
    a_.list(f.variables, [&](VariableNote& note) {
      symbol(note.variable);
      flag(note.exact);
      a_.number(note.offset);
      number_or_none(note.call, calls);
      a_.number(note.argument);
      check(note.variable != kNone && (note.call == kNone || note.argument < f.calls[note.call].arguments.size()));
    });
    a_.list(f.visits, [&](VisitNote& visit) {
      a_.number(visit.call);
      id(visit.member, fields_);
      types(visit.records);
      check(visit.call < calls);
    });
    a_.list(f.registrations, [&](RegistrationNote& note) { code(note, calls); });
    a_.list(f.flow, [&](FlowNote& step) { code(step, calls); });
    for (const FlowNote& step : f.flow)
      for (const std::uint32_t n : step.next) check(n < f.flow.size());
  }

  void code(FunctionNotes& f, const model::Function& head) {
    flag(f.has_body);
    a_.number(f.instructions);
    a_.number(f.branches);
    symbol(f.rest_of);
    // A call names others by number: how many there are has to be known before.
    std::uint32_t calls = static_cast<std::uint32_t>(f.calls.size());
    a_.number(calls);
    a_.list(f.calls, [&](CallNote& call) { code(call, calls, head.params.size()); });
    check(f.calls.size() == calls);
    symbols(f.named);
    a_.list(f.puts, [&](PutNote& put) { code(put); });
    a_.list(f.own_members, [&](OwnMemberNote& m) {
      a_.number(m.offset);
      id(m.type, frame_.types.size());
      id(m.record, frame_.types.size());
      check(m.type != kNone);
    });
    a_.number(f.unused);
    a_.number(f.adds_to);
    members(f.written);
    symbols(f.written_globals);
    members(f.nulled);
    members(f.raised);
    members(f.cleared);
    a_.list(f.asked, [&](AskedNote& asked) {
      id(asked.member, fields_);
      check(asked.member != kNone);
      symbols(asked.callees);
    });
    a_.list(f.interned, [&](InternedNote& n) {
      symbol(n.variable);
      symbol(n.callee);
      id(n.text, frame_.strings.size());
      check(n.variable != kNone && n.callee != kNone && n.text != kNone);
    });
    symbols(f.touched);
    a_.list(f.counts, [&](CountNote& count) {
      id(count.member, fields_);
      check(count.member != kNone);
      numbers(count.decided_by, calls);
    });
    numbers(f.result_decided_by, calls);
    numbers(f.stores_decided_by, calls);
    code_looks(f, calls);
  }

  Archive& a_;
  const model::Unit& frame_;
  std::size_t fields_;
};

}  // namespace

UnitRecord record_of(std::shared_ptr<const model::Unit> unit) {
  UnitNotes notes = notes_of(*unit);
  return {std::move(unit), std::move(notes)};
}

std::string encode_record(const model::Unit& unit) {
  const model::Unit frame = without_bodies(unit);
  UnitNotes notes = notes_of(unit);
  support::Writer writer;
  Coder(writer, frame, 0).code(notes);
  std::string out;
  support::put_text(out, model::encode(frame));
  return out += writer.bytes();
}

bool decode_record(std::string_view bytes, UnitRecord& record) {
  support::ByteReader in(bytes);
  const std::string_view frame = in.text();
  if (!in.ok()) return false;
  auto unit = std::make_shared<model::Unit>();
  if (!model::decode(std::as_bytes(std::span(frame)), *unit)) return false;
  support::Reader reader(bytes.substr(bytes.size() - in.left()));
  Coder(reader, *unit, 0).code(record.notes);
  record.frame = std::move(unit);
  return reader.ok() && reader.at_end();
}

}  // namespace reckon::program
