// The call tree of a run, from the document of `andes show`.
import type {CallPath, Shown} from './documents';

export interface Node {
  id: number; at: number; // its place in the document
  path: CallPath; name: string; key: string; depth: number;
  parent: Node | null; children: Node[];
  sums: Partial<Record<string, number>>; // of the call path's own metrics, callees included
}
export interface Tree { name: string; shown: Shown; nodes: Node[]; roots: Node[]; byId: Map<number, Node>; byKey: Map<string, Node> }

/** How the fragment and other runs name a call path. */
export const keyOf = (names: readonly string[]): string => names.map(encodeURIComponent).join('/');

const isRoot = (path: CallPath): boolean => path.parent === null;

export function treeOf(name: string, shown: Shown): Tree {
  const nodes: Node[] = [], roots: Node[] = [];
  const byId = new Map<number, Node>(), byKey = new Map<string, Node>();
  shown.callpaths.forEach((path, at) => {
    const parent = path.parent === null ? null : byId.get(path.parent) ?? null;
    const node: Node = {id: path.id, at, path, name: path.path[path.path.length - 1] ?? '?', depth: parent ? parent.depth + 1 : 0,
      key: (isRoot(path) ? '~' : '') + keyOf(path.path), parent, children: [], sums: {}};
    (parent ? parent.children : roots).push(node);
    nodes.push(node);
    byId.set(node.id, node);
    if (!byKey.has(node.key)) byKey.set(node.key, node);
  });
  for (let i = nodes.length; i-- > 0;) {
    const node = nodes[i]!;
    for (const metric of ['visits', 'bytes_sent', 'messages_sent', 'exclusive_s'] as const) {
      const sum = (node.sums[metric] ?? 0) + node.path[metric];
      node.sums[metric] = sum;
      if (node.parent) node.parent.sums[metric] = (node.parent.sums[metric] ?? 0) + sum;
    }
  }
  return {name, shown, nodes, roots, byId, byKey};
}

/** From the root to the node. */
export function lineage(node: Node): Node[] {
  const line: Node[] = [];
  for (let at: Node | null = node; at; at = at.parent) line.unshift(at);
  return line;
}

export type Category = 'computation' | 'communication' | 'synchronisation' | 'input_output' | 'threads' | 'tool';
const categories: Record<string, Category> = {
  send: 'communication', receive: 'communication', exchange: 'communication', source: 'communication',
  destination: 'communication', 'one-sided': 'communication', management: 'communication', synchronisation: 'synchronisation',
  io: 'input_output', barrier: 'threads', lock: 'threads', apart: 'threads', tool: 'tool', overflow: 'tool',
};
export const categoryOf = (kind: string): Category => categories[kind] ?? 'computation';
export const isMpi = (kind: string): boolean =>
  ['communication', 'synchronisation', 'input_output'].includes(categoryOf(kind)) || kind === 'local';
