// The unit under construction: interned strings, and places made absolute.
#pragma once

#include <string>
#include <string_view>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "model/model.h"

namespace reckon::capture {

class Strings {
 public:
  explicit Strings(model::Unit& unit) : unit_(unit) {
    unit_.strings.assign(1, "");
    ids_[""] = model::StrId{};
  }

  model::StrId intern(llvm::StringRef text) {
    auto [it, fresh] = ids_.try_emplace(text, static_cast<model::StrId>(unit_.strings.size()));
    if (fresh) unit_.strings.push_back(text.str());
    return it->second;
  }

 private:
  model::Unit& unit_;
  llvm::StringMap<model::StrId> ids_;
};

}  // namespace reckon::capture
