// How many messages of which size the chosen call path and its callees sent, where the run says so. Calls of MPI alone are added: what
// a function has of its own in the document is what the calls below it send.
import {Figure} from './figure';
import {bytesText, count} from './format';
import {isMpi, type Node, type Tree} from './tree';

const brief = (bytes: number): string => bytesText(bytes).replace(/\.0+ /, ' ');
const protocols: Record<string, string> = {eager: 'sent at once, whether the receiver waits for it or not', rendezvous: 'sent when the receiver has asked for it'};

type Counted = 'sent' | 'received' | 'calls';
const titles: Record<Counted, string> = {sent: 'Messages sent', received: 'Messages received', calls: 'Collective and other calls'};
const meanings: Record<Counted, string> = {
  sent: 'Messages from rank to rank, each counted once, where it is sent.', received: 'Messages from rank to rank, counted where they are received.',
  calls: 'Collective and other calls: each call of a rank counts once, by the bytes that the rank hands over, or gets where it hands over none.',
};
interface Cell { messages: number; of?: string }
interface Class { low: number; below?: number; protocol?: string; cells: Partial<Record<Counted, Cell>> }

const countedBy = ({path}: Node): Counted => path.messages_sent > 0 ? 'sent' : path.kind === 'receive' ? 'received' : 'calls';

/** Of one call its own classes; of several their sums. Where messages are sent, their receives are not shown, too. */
function classesOf(tree: Tree, node: Node): {classes: Class[]; present: Counted[]} {
  const found = new Map<number, Class>(), present = new Set<Counted>();
  const add = (one: Node) => {
    if (isMpi(one.path.kind)) one.path.message_sizes?.forEach(({at_least, below, messages, protocol}, i) => {
      const by = countedBy(one), size = found.get(at_least) ?? {low: at_least, below, cells: {}}, cell = size.cells[by];
      found.set(at_least, size);
      present.add(by);
      if (by === 'sent') size.protocol = cell && size.protocol !== protocol ? undefined : protocol;
      if (cell) { cell.messages += messages; cell.of = undefined; }
      else size.cells[by] = {messages, of: `${tree.name}#/callpaths/${one.at}/message_sizes/${i}/messages`};
    });
    one.children.forEach(add);
  };
  add(node);
  const shown = (Object.keys(titles) as Counted[]).filter((by) => present.has(by) && !(by === 'received' && present.has('sent')));
  return {classes: [...found.values()].filter(({cells}) => shown.some((by) => cells[by])).sort((a, b) => a.low - b.low), present: shown};
}

/** Of the chosen call path; where it sends none, of the whole program. */
export function MessageSizes({tree, node: chosen}: {tree: Tree; node: Node}) {
  const own = classesOf(tree, chosen), has = own.classes.length > 0, node = has ? chosen : tree.roots.find((root) => classesOf(tree, root).classes.length) ?? chosen;
  const {classes, present} = has ? own : classesOf(tree, node);
  const most = Math.max(...classes.flatMap(({cells}) => present.map((by) => cells[by]?.messages ?? 0)));
  return <section class="message-sizes" aria-labelledby="message-sizes-title">
    <h2 id="message-sizes-title">Sizes of messages <small>of {node.name}{node.children.length ? ' and what it calls' : ''}{has ? '' : `, as ${chosen.name} has none`}; sums over ranks</small></h2>
    {classes.length === 0 ? <p class="empty">It sends none.</p> : <><table><thead><tr><th scope="col">Bytes</th>{present.map((by) => <th key={by} scope="col" title={meanings[by]}>{titles[by]}</th>)}</tr></thead>
      <tbody>{classes.map((one) => <tr key={one.low}>
        <th scope="row">{brief(one.low)}{one.below === undefined ? ' and more' : ` to ${brief(one.below)}`}{one.protocol ? <small title={protocols[one.protocol]}> {one.protocol}</small> : null}</th>
        {present.map((by) => {
          const cell = one.cells[by];
          return <td key={by} class="share">{cell ? <><span class="bar" style={{width: `${100 * cell.messages / most}%`}} />{cell.of ? <Figure of={cell.of} value={cell.messages} form="count" /> : count(cell.messages)}</> : null}</td>;
        })}</tr>)}</tbody></table>
      <p class="note">{present.map((by) => meanings[by]).join(' ')}</p></>}
  </section>;
}

export const hasMessageSizes = (tree: Tree): boolean => tree.nodes.some((node) => isMpi(node.path.kind) && node.path.message_sizes?.length);
