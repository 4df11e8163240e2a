// Reads, walks and writes a JSON text that it makes itself.
//
//   json RECORDS ROUNDS
#include "json.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace json {

Value Reader::read_value() {
  skip_space();
  switch (peek()) {
  case '{':
    return read_object();
  case '[':
    return read_array();
  case '"':
    return read_string();
  case 't':
    expect_word("true");
    return true;
  case 'f':
    expect_word("false");
    return false;
  case 'n':
    expect_word("null");
    return {};
  default:
    return read_number();
  }
}

Value Reader::read_number() {
  double number = 0;
  const auto [rest, error] = std::from_chars(at_, end_, number);
  if (error != std::errc()) fail("character");
  at_ = rest;
  return number;
}

unsigned Reader::read_hex() {
  unsigned code = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = next();
    code = code * 16 + unsigned(is_digit(c) ? c - '0' : (c | 32) - 'a' + 10);
  }
  return code;
}

void Reader::append_utf8(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += char(code);
  } else if (code < 0x800) {
    text += char(0xc0 | code >> 6);
    text += char(0x80 | (code & 0x3f));
  } else {
    text += char(0xe0 | code >> 12);
    text += char(0x80 | (code >> 6 & 0x3f));
    text += char(0x80 | (code & 0x3f));
  }
}

std::string Reader::read_string() {
  std::string text;
  expect('"');
  for (char c = next(); c != '"'; c = next()) {
    if (c != '\\') {
      text += c;
      continue;
    }
    switch (c = next()) {
    case 'n':
      text += '\n';
      break;
    case 't':
      text += '\t';
      break;
    case 'u':
      append_utf8(text, read_hex());
      break;
    default:
      text += c;
    }
  }
  return text;
}

Value Reader::read_array() {
  Value::Array values;
  expect('[');
  if (accept(']')) return Value(std::move(values));
  do
    values.push_back(read_value());
  while (accept(','));
  expect(']');
  return Value(std::move(values));
}

Value Reader::read_object() {
  Value::Object members;
  expect('{');
  if (accept('}')) return Value(std::move(members));
  do {
    skip_space();
    std::string key = read_string();
    expect(':');
    members.insert_or_assign(std::move(key), read_value());
  } while (accept(','));
  expect('}');
  return Value(std::move(members));
}

void Writer::write_number(double number) {
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  out_.append(text, end);
}

void Writer::write_string(const std::string& text) {
  put('"');
  for (const char c : text) switch (c) {
    case '"':
    case '\\':
      put('\\');
      put(c);
      break;
    case '\n':
      put("\\n");
      break;
    default:
      put(c);
    }
  put('"');
}

void Writer::write(const Value& value) {
  bool first = true;
  switch (value.kind()) {
  case Value::Kind::null:
    return put("null");
  case Value::Kind::boolean:
    return put(value.boolean() ? "true" : "false");
  case Value::Kind::number:
    return write_number(value.number());
  case Value::Kind::string:
    return write_string(value.string());
  case Value::Kind::array:
    put('[');
    for (const Value& one : value.array()) separate(first), write(one);
    return put(']');
  case Value::Kind::object:
    put('{');
    for (const auto& [key, one] : value.object()) {
      separate(first);
      write_string(key);
      put(':');
      write(one);
    }
    return put('}');
  }
}

} // namespace json

static double sum_of(const json::Value& value) {
  if (value.is_number()) return value.number();
  double sum = 0;
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) sum += sum_of(value[i]);
  if (value.is_object())
    for (const auto& [key, one] : value.object()) sum += sum_of(one);
  return sum;
}

static double look_up(const json::Value& records) {
  double sum = 0;
  for (const json::Value& record : records.array())
    if (record.contains("weights")) sum += record["weights"][1].number() + double(record["name"].string().size());
  return sum;
}

static std::string make_text(int records) {
  std::string text = "[";
  for (int i = 0; i < records; ++i) {
    if (i) text += ",\n ";
    text += "{\"id\": " + std::to_string(i) + ", \"name\": \"record \\u00e9 number " + std::to_string(i * 7919 % 1000) +
            "\", \"active\": " + (i % 3 ? "true" : "false") + ", \"weights\": [" + std::to_string(i * 0.25) + ", " +
            std::to_string(1.0 / (i + 1)) + ", 3], \"tags\": {\"colour\": \"red\", \"size\": null}}";
  }
  return text + "]";
}

int main(int count, char** words) {
  const std::string text = make_text(count > 1 ? std::atoi(words[1]) : 500);
  double sum = 0;
  std::size_t written = 0;
  for (int round = 0; round < (count > 2 ? std::atoi(words[2]) : 4); ++round) {
    const json::Value value = json::Reader(text).read();
    sum += sum_of(value) + look_up(value);
    json::Writer writer;
    writer.write(value);
    written += writer.take().size();
  }
  std::printf("%.9g %zu\n", sum, written);
}
