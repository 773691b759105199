// What the editor has open, and what is known of each.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "lsp/analyst.h"

namespace reckon::lsp {

struct Document {
  std::string uri;  // as the editor writes it
  std::string text;
  std::int64_t version = 0;
  std::uint64_t edit = 0;                         // number of the edit that made the text, of all there were
  std::optional<nlohmann::json> answer;           // of the last text that compiled
  std::uint64_t answered_edit = 0;                // the text that it is about
  std::map<std::string, nlohmann::json> repairs;  // by fingerprint; tried with the text of `repaired_edit`
  std::uint64_t repaired_edit = 0;
};

class Documents {
 public:
  explicit Documents(const Analyst& analyst) : analyst_(analyst) {}

  // False: a URI that is not a file's, or nothing that was opened.
  bool open(const nlohmann::json& item);
  bool change(const nlohmann::json& params);
  void close(const std::string& path) { by_path_.erase(path); }

  Document* find(const std::string& path);
  Document* find_uri(const std::string& uri);
  // The path by which a document is known here, "" if none is.
  std::string path_of_uri(const std::string& uri) const;
  // How the editor writes the path of an open file, else how anybody would.
  std::string uri_of(const std::string& path) const;
  std::map<std::string, std::string> texts() const;
  std::map<std::string, Document>& all() { return by_path_; }

 private:
  const Analyst& analyst_;
  std::map<std::string, Document> by_path_;  // paths with links followed
  std::uint64_t edits_ = 0;
};

}  // namespace reckon::lsp
