// How many messages of which size the chosen call path and its callees sent, where the run says so.
import {Figure} from './figure';
import {bytesText, count} from './format';
import type {Node, Tree} from './tree';

const brief = (bytes: number): string => bytesText(bytes).replace(/\.0+ /, ' ');
const protocols: Record<string, string> = {eager: 'sent at once, whether the receiver waits for it or not', rendezvous: 'sent when the receiver has asked for it'};

interface Class { low: number; below?: number; messages: number; protocol?: string; of?: string }

/** Of one call path its own classes; of several their sums. */
function classesOf(tree: Tree, node: Node): Class[] {
  const found = new Map<number, Class>();
  const add = (one: Node) => {
    one.path.message_sizes?.forEach(({at_least, below, messages, protocol}, i) => {
      const known = found.get(at_least);
      if (known) { known.messages += messages; known.of = undefined; }
      else found.set(at_least, {low: at_least, below, messages, protocol, of: `${tree.name}#/callpaths/${one.at}/message_sizes/${i}/messages`});
    });
    one.children.forEach(add);
  };
  add(node);
  return [...found.values()].sort((a, b) => a.low - b.low);
}

/** Of the chosen call path; where it sends none, of the whole program. */
export function MessageSizes({tree, node: chosen}: {tree: Tree; node: Node}) {
  const own = classesOf(tree, chosen), node = own.length ? chosen : tree.roots.find((root) => classesOf(tree, root).length) ?? chosen;
  const classes = own.length ? own : classesOf(tree, node), most = Math.max(...classes.map((one) => one.messages));
  return <section class="message-sizes" aria-labelledby="message-sizes-title">
    <h2 id="message-sizes-title">Sizes of messages <small>of {node.name} and what it calls</small></h2>
    {classes.length === 0 ? <p class="empty">It sends none.</p> : <table><thead><tr><th scope="col">Bytes</th><th scope="col">Messages</th></tr></thead>
      <tbody>{classes.map((one) => <tr key={one.low}>
        <th scope="row">{brief(one.low)}{one.below === undefined ? ' and more' : ` to ${brief(one.below)}`}{one.protocol ? <small title={protocols[one.protocol]}> {one.protocol}</small> : null}</th>
        <td class="share"><span class="bar" style={{width: `${100 * one.messages / most}%`}} />{one.of ? <Figure of={one.of} value={one.messages} form="count" /> : count(one.messages)}</td></tr>)}</tbody></table>}
  </section>;
}

export const hasMessageSizes = (tree: Tree): boolean => tree.nodes.some((node) => node.path.message_sizes?.length);
