// Edits, text in and text out. In the sources below ^ marks where a body opens; it is taken out.
#include <catch2/catch.hpp>

#include "preprocessor/edit.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

struct Marked {
  std::string text;
  Regions regions;
  Decisions decisions;
};

Marked marked(const std::string& source) {
  Marked out;
  unsigned line = 1;
  for (const char c : source) {
    if (c == '^') {
      Function function;
      function.name = std::to_string(out.regions.functions.size()).insert(0, "f");
      function.file = "a.c";
      function.line = function.body_line = line;
      function.body = out.text.size();
      out.regions.functions.push_back(function);
      out.decisions.functions.push_back({true, ""});
    } else {
      out.text += c;
      line += c == '\n';
    }
  }
  return out;
}

/// The text with its probes, tables called T.
std::string edited(const Marked& source, const std::string& preamble = "") {
  const Probes probes = probes_of(0, source.regions, source.decisions);
  std::string text = below_preamble(preamble, "a.c", edit(source.text, probes.edits));
  for (std::size_t at; (at = text.find(probes.table.name)) != std::string::npos && !probes.table.name.empty();)
    text.replace(at, probes.table.name.size(), "T");
  return text;
}

} // namespace

TEST_CASE("nothing to do leaves the text as it is") {
  CHECK(edited(marked("int x;\r\n\tint y;")) == "int x;\r\n\tint y;");
}

TEST_CASE("a probe alone on its line") {
  CHECK(edited(marked("void f()\n{^\n  g();\n}\n")) == "void f()\n{ANDES_PROBE(&T[0])\n  g();\n}\n");
  CHECK(edited(marked("void f() {^  \r\n}\r\n")) == "void f() {ANDES_PROBE(&T[0])  \r\n}\r\n");
  CHECK(edited(marked("void f() {^")) == "void f() {ANDES_PROBE(&T[0])");
}

TEST_CASE("the probe of main has a form of its own") {
  Marked source = marked("int main()\n{^\n}\n");
  source.regions.functions[0].is_main = true;
  CHECK(edited(source) == "int main()\n{ANDES_MAIN_PROBE(&T[0])\n}\n");
}

TEST_CASE("code behind the brace keeps its line and column") {
  CHECK(edited(marked("\nvoid f() {^ g(); }\n")) == "\nvoid f() {ANDES_PROBE(&T[0])\n#line 2\n           g(); }\n");
  CHECK(edited(marked("\tint f()\t{^}")) == "\tint f()\t{ANDES_PROBE(&T[0])\n#line 1\n          }");
}

TEST_CASE("two functions on one line") {
  CHECK(edited(marked("F{^a}G{^b}")) == "F{ANDES_PROBE(&T[0])\n#line 1\n  a}G{ANDES_PROBE(&T[1])\n#line 1\n      b}");
}

TEST_CASE("the preamble stands above line 1, and the byte order mark goes") {
  CHECK(edited(marked("\xef\xbb\xbfint f(){^}\n"), "#include \"p\"\n") ==
        "#include \"p\"\n#line 1 \"a.c\"\nint f(){ANDES_PROBE(&T[0])\n#line 1\n        }\n");
}

TEST_CASE("functions without a probe take no site") {
  Marked source = marked("F{^\n}G{^\n}");
  source.decisions.functions[0].probe = false;
  CHECK(edited(source) == "F{\n}G{ANDES_PROBE(&T[0])\n}");
  const SiteTable table = probes_of(0, source.regions, source.decisions).table;
  CHECK(table.text.find("\"f0\"") == std::string::npos);
  CHECK(table.text.find("ANDES_SITE(\"f1\", \"a.c\", 2, ANDES_KIND_FUNCTION)") != std::string::npos);
}

TEST_CASE("each file has its own functions, and edits stand in the order of the text") {
  Marked source = marked("F{^\n}G{^\n}");
  source.regions.functions[0].in = 1;
  CHECK(edited(source) == "F{\n}G{ANDES_PROBE(&T[0])\n}");
  CHECK(probes_of(1, source.regions, source.decisions).edits.size() == 1);
  CHECK(edit("#include X // why\n{ }", {{19, 19, "P", 2}, {9, 10, "\"y.h\"", 0}}) ==
        "#include \"y.h\" // why\n{P\n#line 2\n  }");
}

TEST_CASE("braces around blocks") {
  Marked source;
  const auto add = [&](std::size_t open, std::size_t close, unsigned line) {
    Block block;
    block.name = "b";
    block.file = "a.c";
    block.line = block.open_line = block.close_line = line;
    block.open = open;
    block.close = close;
    source.regions.blocks.push_back(block);
    source.decisions.blocks.push_back({true, "", {}});
  };
  SECTION("one after the other on a line, and one in the other") {
    source.text = "L;M;\n";
    add(0, 2, 1);
    add(2, 4, 1);
    add(2, 4, 1);
    CHECK(edited(source) == "{ANDES_PROBE(&T[0])\n#line 1\nL;}\n#line 1\n  {ANDES_PROBE(&T[1])\n#line 1\n"
                            "  {ANDES_PROBE(&T[2])\n#line 1\n  M;}}\n");
  }
  SECTION("a mark makes room for its block, however long it is") {
    source.text = " #pragma A \\\n B\n L;\n";
    source.regions.marks.push_back({0, 1, 15, 1});
    add(1, 19, 3);
    CHECK(edited(source) == " {ANDES_PROBE(&T[0])\n\n L;}\n");
    source.decisions.blocks[0].probe = false;
    CHECK(edited(source) == source.text); // nothing to measure: no copy
    add(17, 19, 3);
    CHECK(edited(source) == " \n\n {ANDES_PROBE(&T[0])\n#line 3\n L;}\n");
  }
}

TEST_CASE("braces around directives have lines of their own") {
  Marked source;
  Block block;
  block.name = "b";
  block.file = "a.c";
  block.in_construct = true;
  source.decisions.blocks.push_back({true, "", {}});
  SECTION("around one that stands alone") {
    source.text = "  #pragma B\nM;\n";
    block.open = 2;
    block.close = 11;
    block.open_line = block.close_line = 1;
    block.closes_below = true;
    source.regions.blocks.push_back(block);
    CHECK(edited(source) == "  {ANDES_PROBE(T_at(0))\n#line 1\n  #pragma B\n}\n#line 2\nM;\n");
  }
  SECTION("behind one that has two lines") {
    source.text = "#pragma \\\n T\nL; M;\n";
    block.open = 12;
    block.close = 15;
    block.open_line = 2;
    block.close_line = 3;
    block.opens_below = true;
    source.regions.blocks.push_back(block);
    CHECK(edited(source) == "#pragma \\\n T\n{ANDES_PROBE(T_at(0))\n#line 3\nL;}\n#line 3\n   M;\n");
  }
  const SiteTable table = probes_of(0, source.regions, source.decisions).table;
  CHECK(table.text.ends_with("ANDES_SITES_AT(" + table.name + ")\n"));
  source.regions.blocks[0].in_construct = false;
  CHECK(probes_of(0, source.regions, source.decisions).table.name != table.name);
}

TEST_CASE("tables: empty without probes, same name only for the same records") {
  Marked source = marked("F{^\n}");
  const SiteTable first = probes_of(0, source.regions, source.decisions).table;
  CHECK(probes_of(0, source.regions, source.decisions).table.name == first.name);
  source.regions.functions[0].line = 9;
  CHECK(probes_of(0, source.regions, source.decisions).table.name != first.name);
  source.decisions.functions[0].probe = false;
  CHECK(probes_of(0, source.regions, source.decisions).table.text.empty());
}

TEST_CASE("names in string literals") {
  CHECK(c_escaped("operator\"\"_km") == "operator\\\"\\\"_km");
  CHECK(c_escaped("a\\b\n?") == "a\\\\b\\012\\?");
}
