// Requests and answers of HTTP/1.1 as values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpshare::http {

struct Headers {
  std::vector<std::pair<std::string, std::string>> fields;

  // The first of that name, whatever its case; "" when there is none.
  std::string_view Find(std::string_view name) const;
  void Add(std::string name, std::string value) {
    fields.emplace_back(std::move(name), std::move(value));
  }
};

// As a server gets it. Path and query are as they came: nothing is decoded.
struct Request {
  std::string method = {};
  std::string path = {};   // "/api/v1/pods"
  std::string query = {};  // what follows the "?"
  Headers headers = {};
  std::string body = {};
};

struct Response {
  unsigned status = 200;
  Headers headers = {};  // Content-Length and Connection are added where they are written
  std::string body = {};

  static Response Json(std::string body, unsigned status = 200);
  static Response Text(std::string body, unsigned status = 200);
};

// "Not Found"; "" for a number that means nothing.
std::string_view StatusText(unsigned status);

// What goes before the body, up to and with the empty line. Bytes that would end a line are left
// out of every value, so that no text from elsewhere makes a header of its own.
std::string RequestHead(std::string_view method, std::string_view target, const Headers& headers);
std::string ResponseHead(unsigned status, const Headers& headers);

// The value of one parameter of a query, decoded; "" when it is not there.
std::string QueryParameter(std::string_view query, std::string_view name);

// For a path segment or a query value: all but letters, digits and "-._~" as %XX.
std::string UrlEncode(std::string_view text);

}  // namespace warpshare::http
