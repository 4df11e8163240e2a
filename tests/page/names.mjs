// Names in less room than they need, by hand; a character is one wide. The argument is names.ts as JavaScript.
import assert from 'node:assert/strict';

const {cutName} = await import(process.argv[2]);
for (const [name, room, expected] of [
  ['main', 4, 'main'], ['solve_all', 6, '…e_all'], ['solve', 3, ''],
  ['a::b<int, std::vector<x>>::f', 28, 'a::b<int, std::vector<x>>::f'], ['a::b<int, std::vector<x>>::f', 27, 'a::b<…>::f'],
  ['a::b<int>::very_long_name', 20, '…::very_long_name'], ['a::bc::d::e', 8, '…::d::e'], ['f(g<h>)::k', 9, 'f(…)::k'],
  ['Tree::Optimize(double, void (M::*)(int), double) const', 23, 'Tree::Optimize(…) const'],
  ['operator<', 6, '…ator<'], ['ns::operator<<', 12, '…operator<<'], ['main::{lambda:22}', 10, '…ambda:22}'], ['x<y and more', 9, '…and more'],
  ['xy'.repeat(1e6), 10, '…yxyxyxyxy'], ['a<'.repeat(1e6), 6, '…<a<a<'],
]) assert.equal(cutName(name, room, (text) => text.length), expected, name.slice(0, 40));
