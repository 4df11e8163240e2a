// Written against Boost: shortest ways in a graph, a polynomial of rational numbers, and words of a text.
//
//   boost_roads EDGE ROUNDS
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <boost/algorithm/string.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/rational.hpp>
#include <boost/tokenizer.hpp>

namespace {

struct Road {
  double length = 1;
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Road>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

Graph make_graph(int edge) {
  Graph graph(std::size_t(edge) * edge);
  const auto at = [&](int x, int y) { return Vertex(y * edge + x); };
  for (int y = 0; y < edge; ++y)
    for (int x = 0; x < edge; ++x) {
      if (x + 1 < edge) add_edge(at(x, y), at(x + 1, y), Road{1.0 + (x * 7 + y * 3) % 5}, graph);
      if (y + 1 < edge) add_edge(at(x, y), at(x, y + 1), Road{1.0 + (x * 5 + y * 11) % 7}, graph);
    }
  return graph;
}

/// Counts what a search comes to.
class Counting : public boost::default_bfs_visitor {
public:
  explicit Counting(std::vector<int>& levels) : levels_(&levels) {}
  template <typename E, typename G> void tree_edge(const E& edge, const G& graph) const {
    (*levels_)[target(edge, graph)] = (*levels_)[source(edge, graph)] + 1;
  }

private:
  std::vector<int>* levels_;
};

double longest_way(const Graph& graph, Vertex from) {
  std::vector<double> far(num_vertices(graph));
  dijkstra_shortest_paths(graph, from, boost::weight_map(get(&Road::length, graph)).distance_map(far.data()));
  double most = 0;
  for (const double one : far) most = std::max(most, one);
  return most;
}

int deepest_level(const Graph& graph, Vertex from) {
  std::vector<int> levels(num_vertices(graph));
  breadth_first_search(graph, from, boost::visitor(Counting(levels)));
  return *std::max_element(levels.begin(), levels.end());
}

template <typename Number> Number polynomial(const std::vector<Number>& coefficients, const Number& x) {
  Number value(0);
  for (auto one = coefficients.rbegin(); one != coefficients.rend(); ++one) value = value * x + *one;
  return value;
}

long rational(int rounds) {
  using Number = boost::rational<long>;
  const std::vector<Number> coefficients{{1, 2}, {1, 3}, {1, 5}, {1, 7}};
  long sum = 0;
  for (int i = 1; i <= rounds; ++i) sum += polynomial(coefficients, Number(i % 50, 3)).numerator();
  return sum;
}

std::map<std::string, int> count_words(const std::string& text) {
  std::map<std::string, int> counts;
  for (const std::string& word : boost::tokenizer<>(text)) ++counts[boost::algorithm::to_lower_copy(word)];
  return counts;
}

} // namespace

int main(int count, char** words) {
  const int edge = count > 1 ? std::atoi(words[1]) : 30, rounds = count > 2 ? std::atoi(words[2]) : 3;
  const Graph graph = make_graph(edge);
  double sum = 0;
  std::string text;
  for (int i = 0; i < 300; ++i) text += "The quick brown Fox jumps over " + std::to_string(i % 10) + " lazy dogs; ";
  for (int round = 0; round < rounds; ++round) {
    sum += longest_way(graph, Vertex(round)) + deepest_level(graph, Vertex(round));
    sum += double(rational(1000)) + double(count_words(text).size());
  }
  std::printf("%.9g\n", sum);
}
