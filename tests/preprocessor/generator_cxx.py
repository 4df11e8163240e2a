"""Random C++ programs: what generator.py has, and what C++ adds to it. Functions of classes, lambdas
and templates count their visits as well; where the name that andes gives depends on lines or on
overloads, it is "-", which nobody compares."""
from generator import FOOTER, HARNESS, Features, Program  # noqa: F401

HARNESS_CXX = HARNESS + """\
#include <algorithm>
#include <functional>
#include <string>
#include <vector>
struct Tracer {
  unsigned value;
  Tracer(unsigned v) : value(v) { mix(v); }
  Tracer(const Tracer &other) : value(other.value + 1u) { mix(value); }
  ~Tracer() { mix(~value); }
};
struct Error { unsigned code; explicit Error(unsigned c) : code(c) {} virtual ~Error() {} };
struct Worse : Error { explicit Worse(unsigned c) : Error(c * 2u) {} };
template <class T> struct Base { unsigned call(unsigned a) { return static_cast<T *>(this)->own(a); } };
"""


class ProgramCxx(Program):
    def since(self, year):
        return self.features.year >= year

    # ---- statements

    def do_object(self, variables, depth):
        return ["{", f"{self.pick('', 'const ', 'volatile ')}Tracer {self.fresh('object')}({self.expression(variables)});",
                *self.block(variables, depth - 1), "}"]

    def do_temporary(self, variables, depth):
        return [f"mix(Tracer({self.pick(*variables)}).value + Tracer(3u).value);"]

    def do_try(self, variables, depth):
        test, thrown = self.expression(variables, 1), self.expression(variables, 1)
        lines = ["try {", *self.block(variables, depth - 1),
                 f"if ({test} & 1u) throw {self.pick(f'(unsigned){thrown}', f'Error({thrown})', f'Worse({thrown})', 'Tracer(8u)')};", "}"]
        lines += self.pick([], ["catch (unsigned x) { mix(x); }"], ["catch (const Error &e) {", "mix(e.code);", *self.block(variables, depth - 1), "}"])
        lines += ["catch (...) {", *self.block(variables, depth - 1), "mix(4);", "}"]
        if self.chance(0.2):
            lines = ["try {", *lines[:-1], "throw;", "}", "} catch (...) { mix(5); }"]
        return lines

    def do_throw(self, variables, depth):
        """Out of the function, caught by some caller."""
        if self.chance(0.7):
            return self.do_mix(variables, depth)
        return [f"if ({self.expression(variables)} % 11u == 3u) throw {self.pick('7u', 'Error(9u)')};"]

    def do_lambda(self, variables, depth):
        if not self.since(2011):
            return self.do_object(variables, depth)
        outer, name = self.leave, self.fresh("lambda")
        self.leave = lambda value: f"return {value};"
        generic = self.since(2014) and self.chance(0.2)
        head = self.pick("[&](unsigned x)", "[=](unsigned x) mutable", "[&](unsigned x) -> unsigned",
                         *["[&](auto x)"] * generic, *["[&, z = 3u](unsigned x) mutable"] * self.since(2014),
                         *["[&]<class Any>(Any x)"] * self.since(2020))
        typed = "-> unsigned" if "->" not in head else ""
        lines = [f"auto {name} = {head} {typed} {{", self.seen("-"), f"if (burn()) return {self.pick('x', '1u')} + 0u;",
                 *self.block([*variables, "x"], depth - 1), "return x;", "};",
                 self.pick(f"mix({name}({self.pick(*variables)}));",
                           f"{{ std::function<unsigned(unsigned)> held = {name}; mix(held(2u)); }}",
                           f"{{ unsigned list[] = {{3, 1, 2}}; std::transform(list, list + 3, list, {name}); mix(list[1]); }}")]
        if self.chance(0.2):
            lines = [f"mix([&] {{ {self.seen('-')} return {self.call(variables)}; }}());"]
        self.leave = outer
        return ["{", *lines, "}"]

    def do_local_class(self, variables, depth):
        name, outer = self.fresh("Local"), self.leave
        self.leave = lambda value: f"return {value};"
        lines = ["{", f"struct {name} {{ unsigned v;", f"{name}(unsigned x) : v(x) {{ {self.seen('-')} mix(v); }}",
                 f"~{name}() {{ {self.seen('-')} mix(v + 1u); }}", "unsigned get() const {", self.seen("-"),
                 *self.block(["scratch_", "table_[2]"], 0), "return v; }", "};"]
        self.leave = outer
        return [*lines, f"{name} local({self.expression(variables)});", *self.block(variables, depth - 1), "mix(local.get());", "}"]

    def do_range(self, variables, depth):
        if not self.since(2011):
            return self.do_loop(variables, depth)
        x = self.fresh("x")
        return [f"for (unsigned {x} : {self.pick('{1u, 5u, 2u}', 'std::vector<unsigned>(3, 4u)')}) {{ if (burn()) break;",
                *self.block([*variables, x], depth - 1), f"mix({x});", "}"]

    def do_newer(self, variables, depth):
        if not self.since(2017):
            return self.do_if(variables, depth)
        q = self.fresh("q")
        return self.pick([f"if (unsigned {q} = {self.call(variables)}; {q} & 1u) {{", *self.block([*variables, q], depth - 1), "}"],
                         ["if constexpr (sizeof(int) == 4) {", *self.block(variables, depth - 1), "} else {", "mix(9);", "}"],
                         ["{", f"auto [{q}, {q}_] = std::make_pair({self.pick(*variables)}, 2u);", f"mix({q} + {q}_);", "}"],
                         [f"switch (unsigned {q} = {self.pick(*variables)} & 3u; {q}) {{ case 1: mix(1); [[fallthrough]]; default: mix({q}); }}"],
                         [f"static_assert([](unsigned x) {{ return x + 1u; }}(2u) == 3u, \"\");"])

    def do_raw_string(self, variables, depth):
        return ['mix(sizeof R"x({ } "{ )" \\\n)x");'] if self.since(2011) else ["mix(sizeof \"{ } ??/\\n\");"]

    def do_alternative_tokens(self, variables, depth):
        return [f"if (not ({self.pick(*variables)} bitand 1u) and {self.pick(*variables)} not_eq 3u) <%", *self.block(variables, depth - 1), "%>"]

    # ---- shapes

    def shape_jump(self):
        """Only probes may stand between setjmp and longjmp: other destructors are not run."""
        name, thrower = self.fresh(), self.fresh()
        return [f"static void {thrower}(unsigned a) {{ {self.seen(thrower)} mix(a); if (a & 1u) longjmp(*back_, 3); }}",
                *self.braces(f"static unsigned {name}(unsigned a, unsigned b)",
                             ["jmp_buf here, *volatile saved = back_;", "volatile int tries = 0;", self.seen(name), "back_ = &here;",
                              "if (setjmp(here)) mix(5u); else mix(b);", f"if (tries++ < 2 && !burn()) {thrower}(a + unsigned(tries));",
                              "back_ = saved;", "return a;"])], name + "({0}, {1})"

    def method(self, owner, name, head, after="", variables=("a", "b"), extra=()):
        return [f"{head}(unsigned a, unsigned b){after} {{", *extra, *self.body(f"{owner}::{name}", variables), "}"]

    def shape_class(self):
        name = self.fresh("Class")
        lines = [f"{self.pick('class', 'struct')} {name} {{", "public:", "unsigned m;"]
        if self.since(2011):
            lines += [self.pick("unsigned n = 4u;", f"unsigned n = [] {{ {self.seen('-')} return 5u; }}();", "unsigned n{6u};")]
        else:
            lines += ["enum { n = 3u };"]
        lines += [f"{self.pick('', 'explicit ')}{name}(unsigned x) : m(x) {{ {self.seen(f'{name}::{name}')} mix(m); }}",
                  f"~{name}() {{ {self.seen(f'{name}::~{name}')} mix(m); }}",
                  *self.method(name, "work", "unsigned work", self.pick("", " const"), ("a", "b")),
                  *self.method(name, "shared", "static unsigned shared"),
                  f"operator bool() const {{ {self.seen('-')} return m & 1u; }}",
                  f"unsigned operator()(unsigned x) const {{ {self.seen('-')} mix(x); return x + m; }}",
                  f"{name} &operator+=(unsigned x) {{ {self.seen('-')} m += x; return *this; }}",
                  f"friend unsigned operator*(const {name} &l, unsigned r) {{ {self.seen('-')} return l.m * r; }}",
                  "unsigned later(unsigned a, unsigned b);", "template <class T> unsigned typed(T t);",
                  f"struct Inner {{ unsigned get() {{ {self.seen(f'{name}::Inner::get')} return 3u; }} }};", "};",
                  f"unsigned {name}::later(unsigned a, unsigned b) {{", *self.body(f"{name}::later"), "}",
                  f"template <class T> unsigned {name}::typed(T t) {{ {self.seen(f'{name}::typed')} return unsigned(t) + m; }}"]
        call = self.pick(f"{name}({{0}}).work({{1}}, 2u)", f"{name}::shared({{0}}, {{1}})", f"({name}({{0}}) += {{1}}).m",
                         f"{name}({{0}})({{1}})", f"{name}({{0}}).typed({self.pick('2u', '(char)3', '4.5')})", f"(unsigned)bool({name}({{0}} + {{1}}))",
                         f"{name}({{0}}) * {{1}}", f"{name}({{0}}).later({{1}}, 3u)", f"{name}::Inner().get() + {name}({{1}}).n",
                         f"(({name}({{0}}).*(&{name}::later))({{1}}, 1u))")
        return lines, call

    def shape_virtual(self):
        base, derived = self.fresh("Class"), self.fresh("Class")
        override = self.pick("", " override", " final") if self.since(2011) else ""
        return [f"struct {base} {{ virtual unsigned run(unsigned a, unsigned b) {{", *self.body(f"{base}::run"), "}",
                f"virtual ~{base}() {{ {self.seen(f'{base}::~{base}')} mix(1); }} }};",
                f"struct {derived} : {self.pick('', 'virtual ')}public {base} {{ unsigned run(unsigned a, unsigned b){override} {{",
                *self.body(f"{derived}::run"), "}", f"~{derived}() {{ {self.seen(f'{derived}::~{derived}')} mix(2); }} }};",
                f"static unsigned run_{base}({base} *p, unsigned a, unsigned b) {{ {self.seen(f'run_{base}')} unsigned r = p->run(a, b); delete p; return r; }}"
                ], f"run_{base}(new {self.pick(base, derived)}, {{0}}, {{1}})"

    def shape_template(self):
        name = self.fresh()
        head = self.pick("template <class T>", "template <typename T>", "template <class T>\n", *["template <class T> requires (sizeof(T) > 0)"] * self.since(2020))
        lines = [head, f"static unsigned {name}(T a, unsigned b) {{", *self.body(name, ("b",), depth=2), "}"]
        if self.chance(0.3):
            lines += [f"template <> unsigned {name}(char a, unsigned b) {{ {self.seen('-')} return unsigned(a) + b; }}"]
        if self.chance(0.3):
            lines += [f"template unsigned {name}<long>(long, unsigned);"]
        return lines, f"{name}({self.pick('{0}', '(char){0}', '(double){0}', '(long)3')}, {{1}})"

    def shape_variadic_template(self):
        name = self.fresh()
        if not self.since(2011):
            return self.shape_template()
        if self.since(2017) and self.chance(0.5):
            return [f"template <class... T> unsigned {name}(T... t) {{ {self.seen(name)} return (t + ... + 0u); }}"], name + "({0}, {1}, 3u)"
        return [f"static unsigned {name}() {{ {self.seen('-')} return 1u; }}",
                f"template <class A, class... T> unsigned {name}(A a, T... t) {{ {self.seen('-')} mix(a); return unsigned(a) + {name}(t...); }}"
                ], name + "({0}, {1}, 3u)"

    def shape_curious(self):
        name = self.fresh("Class")
        return [f"struct {name} : Base<{name}> {{ unsigned own(unsigned a) {{ {self.seen(f'{name}::own')} mix(a); return a; }} }};"], f"{name}().call({{0}} + {{1}})"

    def shape_function_try(self):
        name = self.fresh()
        return [f"static unsigned {name}(unsigned a, unsigned b) try {{", *self.body(name), "} catch (const Error &e) { mix(e.code); return 5u; }",
                "catch (...) { mix(6); return 6u; }"], name + "({0}, {1})"

    def shape_constructor_try(self):
        name = self.fresh("Class")
        return [f"struct {name} {{ Tracer t; unsigned v; {name}(unsigned a) try : t(a), v(a + 1u) {{ {self.seen(f'{name}::{name}')} if (a & 1u) throw 3u; }}",
                "catch (unsigned x) { mix(x); } };",
                f"static unsigned make_{name}(unsigned a) {{ {self.seen(f'make_{name}')} try {{ {name} one(a); return one.v; }} catch (...) {{ return 2u; }} }}"
                ], f"make_{name}({{0}} ^ {{1}})"

    def shape_throwing(self):
        name = self.fresh()
        return [f"static unsigned {name}_throw(unsigned a) {{ {self.seen(f'{name}_throw')} Tracer t(a); if (a % 3u) throw Worse(a); return a; }}",
                f"static unsigned {name}_middle(unsigned a) {{ {self.seen(f'{name}_middle')} Tracer t(2u); return {name}_throw(a) + 1u; }}",
                f"static unsigned {name}(unsigned a, unsigned b) {{ {self.seen(name)} try {{ return {name}_middle(a + b); }} catch (Error &e) {{ return e.code; }} }}"
                ], name + "({0}, {1})"

    def shape_noexcept(self):
        name = self.fresh()
        after = self.pick(" noexcept", " noexcept(true)", " noexcept(sizeof(int) == 4)") if self.since(2011) else " throw()"
        return [f"static unsigned {name}(unsigned a, unsigned b){after} {{ {self.seen(name)} mix(a); return a + b; }}"], name + "({0}, {1})"

    def shape_constexpr(self):
        name = self.fresh()
        if not self.since(2011):
            return self.shape_template()
        if self.since(2014) and self.chance(0.6):
            return [f"{self.pick('constexpr', 'inline constexpr', 'constexpr static')} unsigned {name}(unsigned a, unsigned b) {{ unsigned r = a; for (unsigned i = 0; i < (b & 3u); ++i) r += i; return r; }}",
                    f"static_assert({name}(1u, 3u) == 4u, \"\");"], name + "({0}, {1})"
        return [f"constexpr unsigned {name}(unsigned a, unsigned b) {{ return a ^ b; }}", f"enum {{ {name}_value = {name}(1u, 2u) }};"], name + "({0}, {1})"

    def shape_deduced(self):
        name = self.fresh()
        if not self.since(2011):
            return self.shape_plain()
        head = self.pick(f"static auto {name}(unsigned a, unsigned b) -> unsigned", f"[[gnu::noinline]] static unsigned {name}(unsigned a, unsigned b)",
                         *[f"static auto {name}(unsigned a, unsigned b)"] * self.since(2014), *[f"static decltype(auto) {name}(unsigned a, unsigned b)"] * self.since(2014),
                         *[f"static unsigned {name}(auto a, unsigned b)"] * self.since(2020))
        return [head, "{", self.seen(name), "unsigned r = unsigned(a) + b;", "if (burn()) return r;", *self.of_unsigned(["r", "b"]), "return r;", "}"], name + "({0}, {1})"

    def of_unsigned(self, variables):
        outer, self.leave = self.leave, lambda value: f"return (unsigned)({value});"
        lines = self.block(variables, 1)
        self.leave = outer
        return lines

    def shape_namespaces(self):
        name, space = self.fresh(), self.fresh("space")
        kind = self.pick(f"namespace {space}", f"namespace {space} {{ namespace deep", *[f"namespace {space} {{ inline namespace v1"] * self.since(2011))
        inside = 2 if kind.count("namespace") == 2 else 1
        prefix = f"{space}::deep::" if "deep" in kind else f"{space}::"
        return [kind + " {", f"{self.pick('static', 'inline')} unsigned {name}(unsigned a, unsigned b) {{", *self.body(prefix + name), "}",
                "}" * inside], prefix + name + "({0}, {1})"

    def shape_linkage(self):
        name = self.fresh()
        return [self.pick(f'extern "C" {{ static unsigned {name}(unsigned a, unsigned b) {{', f'extern "C" {{ unsigned {name}(unsigned a, unsigned b) {{'),
                *self.body(name), "} }"], name + "({0}, {1})"

    def shape_defaults(self):
        name = self.fresh()
        default = "[] { return 3u; }()" if self.since(2011) else "table_[3]"
        return [f"static unsigned {name}(unsigned a, unsigned b = {default}) {{ {self.seen('-')} mix(b); return a + b; }}",
                f"static unsigned {name}(const Tracer &t) {{ {self.seen('-')} return t.value; }}"], self.pick(name + "({0})", name + "({0}, {1})", name + "(Tracer({1}))")

    def shape_container(self):
        name = self.fresh()
        less = f"[](unsigned x, unsigned y) {{ {self.seen('-')} return x > y; }}" if self.since(2011) else "std::greater<unsigned>()"
        return [f"static unsigned {name}(unsigned a, unsigned b) {{ {self.seen(name)} std::vector<unsigned> list(5, a & 31u); list[2] = b; list.push_back(4u);",
                f"std::sort(list.begin(), list.end(), {less}); std::string s(3, 'x'); s += \"}}{{\"; return list[0] + unsigned(s.size()); }}"], name + "({0}, {1})"

    def shape_newest(self):
        name = self.fresh("Class")
        if not self.since(2020):
            return self.shape_class()
        return [f"template <class T> concept {name}_c = requires(T t) {{ {{ t + 1u }}; }};",
                f"struct {name} {{ unsigned v; auto operator<=>(const {name} &) const = default; bool operator==(const {name} &) const = default;",
                f"template <{name}_c T> unsigned add(T t) const & {{ {self.seen('-')} return v + unsigned(t); }}",
                f"unsigned add(unsigned t) && {{ {self.seen('-')} mix(t); return v; }} {name} &operator=(const {name} &) = delete; }};",
                f"consteval unsigned {name}_now(unsigned x) {{ return x * 2u; }}"
                ], f"{name}{{{{.v = {{0}}}}}}.add({{1}}) + {name}_now(4u) + unsigned({name}{{{{.v = {{1}}}}}} == {name}{{{{.v = 3u}}}})"

    def shape_literal(self):
        name = self.fresh()
        if not self.since(2011):
            return self.shape_template()
        return [f"static unsigned operator\"\"_{name}(unsigned long long x) {{ {self.seen('-')} mix(unsigned(x)); return unsigned(x) + 1u; }}"], f"(12_{name} + {{0}} + {{1}})"

    def shape_global(self):
        name = self.fresh()
        return [f"static unsigned {name}_start() {{ {self.seen(f'{name}_start')} return 12u; }}",
                f"static unsigned {name} = {name}_start();"], f"({name} + {{0}} + {{1}})"

    def shape_types(self):
        name = self.fresh()
        return [f"template <class T, unsigned n> struct {name}_t {{ T data[n]; T &operator[](unsigned i) {{ {self.seen('-')} return data[i % n]; }} }};",
                f"static unsigned {name}(unsigned a, unsigned b) {{ {self.seen(name)} {name}_t<unsigned, 3> t = {{{{a, b, 3u}}}}; return t[a] + t[b]; }}"], name + "({0}, {1})"

    def case(self):
        """Exceptions end in the function that runs the case."""
        name, lines = super().case()
        at = max(i for i, line in enumerate(lines) if line.startswith("static void case"))
        lines[at + 1:-1] = [f"  try {{ {line.strip()} }} catch (...) {{ mix(99); }}" for line in lines[at + 1:-1]]
        return name, lines
