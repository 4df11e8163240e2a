// Edits, text in and text out. In the sources below ^ marks where a body opens; it is taken out.
#include <catch2/catch.hpp>

#include "preprocessor/edit.h"

using namespace andes;

namespace {

struct Marked {
  std::string text;
  std::vector<Function> functions;
  std::vector<Decision> decisions;
};

Marked marked(const std::string& source) {
  Marked out;
  unsigned line = 1;
  for (const char c : source) {
    if (c == '^') {
      Function function;
      function.name = std::to_string(out.functions.size()).insert(0, "f");
      function.file = "a.c";
      function.line = function.body_line = line;
      function.body = out.text.size();
      out.functions.push_back(function);
      out.decisions.push_back({true, ""});
    } else {
      out.text += c;
      line += c == '\n';
    }
  }
  return out;
}

std::string edited(const Marked& source, const std::string& preamble = "") {
  return edit(source.text, "a.c", source.functions, source.decisions, preamble, "T");
}

} // namespace

TEST_CASE("nothing to do leaves the text as it is") {
  CHECK(edited(marked("int x;\r\n\tint y;")) == "int x;\r\n\tint y;");
}

TEST_CASE("a probe alone on its line") {
  CHECK(edited(marked("void f()\n{^\n  g();\n}\n")) ==
        "void f()\n{ANDES_PROBE(&T[0])\n  g();\n}\n");
  CHECK(edited(marked("void f() {^  \r\n}\r\n")) == "void f() {ANDES_PROBE(&T[0])  \r\n}\r\n");
  CHECK(edited(marked("void f() {^")) == "void f() {ANDES_PROBE(&T[0])");
}

TEST_CASE("code behind the brace keeps its line and column") {
  CHECK(edited(marked("\nvoid f() {^ g(); }\n")) ==
        "\nvoid f() {ANDES_PROBE(&T[0])\n#line 2\n           g(); }\n");
  CHECK(edited(marked("\tint f()\t{^}")) == "\tint f()\t{ANDES_PROBE(&T[0])\n#line 1\n          }");
}

TEST_CASE("two functions on one line") {
  CHECK(edited(marked("F{^a}G{^b}")) ==
        "F{ANDES_PROBE(&T[0])\n#line 1\n  a}G{ANDES_PROBE(&T[1])\n#line 1\n      b}");
}

TEST_CASE("the preamble stands above line 1, and the byte order mark goes") {
  CHECK(edited(marked("\xef\xbb\xbfint f(){^}\n"), "#include \"p\"\n") ==
        "#include \"p\"\n#line 1 \"a.c\"\nint f(){ANDES_PROBE(&T[0])\n#line 1\n        }\n");
}

TEST_CASE("functions without a probe take no site") {
  Marked source = marked("F{^\n}G{^\n}");
  source.decisions[0].probe = false;
  CHECK(edited(source) == "F{\n}G{ANDES_PROBE(&T[0])\n}");
  const Table table = table_of(source.functions, source.decisions);
  CHECK(table.text.find("\"f0\"") == std::string::npos);
  CHECK(table.text.find("ANDES_SITE(\"f1\", \"a.c\", 2, ANDES_KIND_FUNCTION)") !=
        std::string::npos);
}

TEST_CASE("tables: empty without probes, same name only for the same records") {
  Marked source = marked("F{^\n}");
  const Table first = table_of(source.functions, source.decisions);
  CHECK(table_of(source.functions, source.decisions).name == first.name);
  source.functions[0].line = 9;
  CHECK(table_of(source.functions, source.decisions).name != first.name);
  source.decisions[0].probe = false;
  CHECK(table_of(source.functions, source.decisions).text.empty());
}

TEST_CASE("names in string literals") {
  CHECK(c_escaped("operator\"\"_km") == "operator\\\"\\\"_km");
  CHECK(c_escaped("a\\b\n?") == "a\\\\b\\012\\?");
}
