#include "lsp/connection.h"

#include <unistd.h>

#include <cerrno>

namespace reckon::lsp {

using nlohmann::json;

bool Connection::receive() {
  char buffer[1 << 16];
  ssize_t n;
  do n = read(in_, buffer, sizeof buffer);
  while (n < 0 && errno == EINTR);
  if (n <= 0) return false;
  reader_.add({buffer, static_cast<std::size_t>(n)});
  return true;
}

void Connection::send(const json& message) {
  // Texts of files may hold anything; what is not UTF-8 is replaced rather than refused.
  const std::string bytes = framed(message.dump(-1, ' ', false, json::error_handler_t::replace));
  std::string_view rest = bytes;
  while (!rest.empty() && !lost_) {
    const ssize_t n = write(out_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) lost_ = true;
    if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

void Connection::notify(const std::string& method, json params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Connection::request(const std::string& method, json params) {
  send({{"jsonrpc", "2.0"}, {"id", ++requests_}, {"method", method}, {"params", std::move(params)}});
}

void Connection::reply(const json& id, json result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Connection::fail(const json& id, ErrorCode code, const std::string& message) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

}  // namespace reckon::lsp
