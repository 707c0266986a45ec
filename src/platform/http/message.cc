#include "platform/http/message.h"

#include <algorithm>

namespace warpshare::http {
namespace {

char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool SameIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return LowerCase(x) == LowerCase(y); });
}

void AppendWithinLine(std::string& head, std::string_view text) {
  std::copy_if(text.begin(), text.end(), std::back_inserter(head),
               [](char c) { return c != '\r' && c != '\n' && c != '\0'; });
}

void AppendFields(std::string& head, const Headers& headers) {
  for (const auto& [name, value] : headers.fields) {
    AppendWithinLine(head, name);
    head += ": ";
    AppendWithinLine(head, value);
    head += "\r\n";
  }
  head += "\r\n";
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = LowerCase(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string UrlDecode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
                        HexDigit(text[i + 2]) >= 0;
    if (escape) {
      decoded.push_back(static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2])));
      i += 2;
    } else {
      decoded.push_back(text[i] == '+' ? ' ' : text[i]);
    }
  }
  return decoded;
}

Response WithType(std::string_view type, std::string body, unsigned status) {
  Response response{.status = status, .headers = {}, .body = std::move(body)};
  response.headers.Add("Content-Type", std::string(type));
  return response;
}

}  // namespace

std::string_view Headers::Find(std::string_view name) const {
  for (const auto& field : fields) {
    if (SameIgnoringCase(field.first, name)) return field.second;
  }
  return {};
}

Response Response::Json(std::string body, unsigned status) {
  return WithType("application/json", std::move(body), status);
}

Response Response::Text(std::string body, unsigned status) {
  return WithType("text/plain; charset=utf-8", std::move(body), status);
}

std::string_view StatusText(unsigned status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 411:
      return "Length Required";
    case 413:
      return "Payload Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Entity";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "";
  }
}

std::string RequestHead(std::string_view method, std::string_view target, const Headers& headers) {
  std::string head;
  AppendWithinLine(head, method);
  head += ' ';
  AppendWithinLine(head, target);
  head += " HTTP/1.1\r\n";
  AppendFields(head, headers);
  return head;
}

std::string ResponseHead(unsigned status, const Headers& headers) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + ' ';
  head += StatusText(status);
  head += "\r\n";
  AppendFields(head, headers);
  return head;
}

std::string QueryParameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const size_t equals = pair.find('=');
    if (pair.substr(0, equals) != name) continue;
    return equals == std::string_view::npos ? "" : UrlDecode(pair.substr(equals + 1));
  }
  return {};
}

std::string UrlEncode(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const bool plain = (LowerCase(c) >= 'a' && LowerCase(c) <= 'z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      encoded.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded.push_back('%');
      encoded.push_back(kHex[byte >> 4]);
      encoded.push_back(kHex[byte & 15]);
    }
  }
  return encoded;
}

}  // namespace warpshare::http
