#include "lsp/documents.h"

#include "lsp/places.h"
#include "report/uri.h"

namespace reckon::lsp {

using nlohmann::json;

bool Documents::open(const json& item) {
  const std::string uri = item.value("uri", ""), path = lsp::path_of(uri);
  if (path.empty()) return false;
  Document& document = by_path_[analyst_.real_path(path)];
  document = {};
  document.uri = uri;
  document.text = item.value("text", "");
  document.version = item.value("version", std::int64_t{0});
  document.edit = ++edits_;
  return true;
}

bool Documents::change(const json& params) {
  const json& id = params.at("textDocument");
  Document* document = find_uri(id.value("uri", ""));
  if (!document) return false;
  for (const json& change : params.at("contentChanges")) {
    const std::string text = change.value("text", "");
    if (!change.contains("range")) {
      document->text = text;
      continue;
    }
    const json& range = change.at("range");
    const std::size_t first = offset_of(document->text, range.at("start"));
    const std::size_t last = std::max(first, offset_of(document->text, range.at("end")));
    document->text.replace(first, last - first, text);
  }
  if (id.contains("version") && id["version"].is_number_integer()) document->version = id["version"];
  document->edit = ++edits_;
  return true;
}

Document* Documents::find(const std::string& path) {
  const auto it = by_path_.find(path);
  return it == by_path_.end() ? nullptr : &it->second;
}

std::string Documents::path_of_uri(const std::string& uri) const {
  for (const auto& [path, document] : by_path_)
    if (document.uri == uri) return path;
  const std::string path = lsp::path_of(uri);
  return path.empty() ? "" : analyst_.real_path(path);
}

Document* Documents::find_uri(const std::string& uri) { return find(path_of_uri(uri)); }

std::string Documents::uri_of(const std::string& path) const {
  const auto it = by_path_.find(analyst_.real_path(path));
  return it == by_path_.end() ? report::file_uri(path) : it->second.uri;
}

std::map<std::string, std::string> Documents::texts() const {
  std::map<std::string, std::string> out;
  for (const auto& [path, document] : by_path_) {
    out[path] = document.text;
    if (const std::string given = lsp::path_of(document.uri); !given.empty()) out[given] = document.text;
  }
  return out;
}

}  // namespace reckon::lsp
