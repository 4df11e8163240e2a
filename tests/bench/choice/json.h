// Values of JSON, read and written: containers, strings, recursion, short functions that call each other.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace json {

class Value {
public:
  enum class Kind { null, boolean, number, string, array, object };
  using Array = std::vector<Value>;
  using Object = std::map<std::string, Value>;

  Value() = default;
  Value(bool value) : kind_(Kind::boolean), number_(value) {}
  Value(double value) : kind_(Kind::number), number_(value) {}
  Value(std::string value) : kind_(Kind::string), string_(std::move(value)) {}
  explicit Value(Array value) : kind_(Kind::array), array_(std::make_shared<Array>(std::move(value))) {}
  explicit Value(Object value) : kind_(Kind::object), object_(std::make_shared<Object>(std::move(value))) {}

  Kind kind() const { return kind_; }
  bool is_number() const { return kind_ == Kind::number; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }
  double number() const {
    require(Kind::number);
    return number_;
  }
  const std::string& string() const {
    require(Kind::string);
    return string_;
  }
  const Array& array() const {
    require(Kind::array);
    return *array_;
  }
  const Object& object() const {
    require(Kind::object);
    return *object_;
  }
  bool boolean() const { return number_ != 0; }
  std::size_t size() const { return is_array() ? array_->size() : is_object() ? object_->size() : 0; }
  const Value& operator[](std::size_t at) const { return array()[at]; }
  const Value& operator[](const std::string& key) const {
    static const Value null;
    const auto found = object().find(key);
    return found == object().end() ? null : found->second;
  }
  bool contains(const std::string& key) const { return is_object() && object_->count(key) != 0; }

private:
  void require(Kind kind) const {
    if (kind_ != kind) throw std::runtime_error("json: wrong kind of value");
  }

  Kind kind_ = Kind::null;
  double number_ = 0;
  std::string string_;
  std::shared_ptr<Array> array_;
  std::shared_ptr<Object> object_;
};

class Reader {
public:
  explicit Reader(const std::string& text) : at_(text.data()), end_(text.data() + text.size()) {}
  Value read() {
    Value value = read_value();
    skip_space();
    if (!done()) fail("text behind the value");
    return value;
  }

private:
  bool done() const { return at_ == end_; }
  char peek() const { return done() ? '\0' : *at_; }
  char next() {
    if (done()) fail("end of text");
    return *at_++;
  }
  void skip_space() {
    while (!done() && is_space(*at_)) ++at_;
  }
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  bool accept(char c) {
    skip_space();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail("another character");
  }
  void expect_word(const char* word) {
    for (; *word; ++word)
      if (next() != *word) fail("another word");
  }
  [[noreturn]] static void fail(const char* what) { throw std::runtime_error(std::string("json: unexpected ") + what); }

  Value read_value();
  Value read_number();
  std::string read_string();
  Value read_array();
  Value read_object();
  unsigned read_hex();
  void append_utf8(std::string& text, unsigned code);

  const char *at_, *end_;
};

class Writer {
public:
  std::string take() { return std::move(out_); }
  void write(const Value& value);

private:
  void put(char c) { out_ += c; }
  void put(const char* text) { out_ += text; }
  void write_number(double number);
  void write_string(const std::string& text);
  void separate(bool& first) {
    if (!first) put(',');
    first = false;
  }
  std::string out_;
};

} // namespace json
