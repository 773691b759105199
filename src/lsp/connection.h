// The wire: messages in, messages out. Nothing here knows what they are about.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lsp/framing.h"

namespace reckon::lsp {

// Errors of JSON-RPC and of the protocol.
enum ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kServerNotInitialized = -32002,
  kRequestCancelled = -32800,
};

class Connection {
 public:
  Connection(int in, int out) : in_(in), out_(out) {}

  int fd() const { return in_; }
  // Reads what has arrived. False: the other side has closed.
  bool receive();
  bool next(std::string& body) { return reader_.next(body); }
  bool broken() const { return reader_.broken(); }  // the other side sends what is no message

  void notify(const std::string& method, nlohmann::json params);
  void request(const std::string& method, nlohmann::json params);  // the reply is not waited for
  void reply(const nlohmann::json& id, nlohmann::json result);
  void fail(const nlohmann::json& id, ErrorCode code, const std::string& message);
  bool lost() const { return lost_; }  // nobody reads any more

 private:
  void send(const nlohmann::json& message);

  int in_, out_;
  MessageReader reader_;
  std::int64_t requests_ = 0;
  bool lost_ = false;
};

}  // namespace reckon::lsp
