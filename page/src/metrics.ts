// What can be looked at: each metric names its key in the document of `andes show`. Of a call path's own metrics the sum
// over its callees is shown where a call path stands for all below it.
import type {CallPath} from './documents';
import type {Form} from './format';
import type {Node, Tree} from './tree';

export interface Metric {
  key: string; // where it stands in the document, below the call path
  id: string; title: string; form: Form; own: boolean; means: string;
  of: (path: CallPath) => number | undefined;
}
const fixed: Metric[] = ([
  {id: 'time', key: 'inclusive_s', title: 'Time', form: 'seconds', own: false, means: 'time from entry to exit, callees included; sum over ranks'},
  {id: 'own', key: 'exclusive_s', title: 'Own time', form: 'seconds', own: true, means: 'time without callees; sum over ranks'},
  {id: 'communication', key: 'communication_s', title: 'Communication', form: 'seconds', own: false, means: 'time in MPI without waiting; sum over ranks'},
  {id: 'waiting', key: 'idle_s', title: 'Waiting', form: 'seconds', own: false, means: 'time that ranks waited for others; sum over ranks'},
  {id: 'io', key: 'io_s', title: 'Input/output', form: 'seconds', own: false, means: 'time of input and output; sum over ranks'},
  {id: 'visits', key: 'visits', title: 'Visits', form: 'count', own: true, means: 'entries into the call path; sum over ranks'},
  {id: 'bytes', key: 'bytes_sent', title: 'Bytes sent', form: 'bytes', own: true, means: 'bytes handed to MPI; sum over ranks'},
  {id: 'messages', key: 'messages_sent', title: 'Messages', form: 'count', own: true, means: 'point-to-point messages sent; sum over ranks'},
] as const).map((one) => ({...one, of: (path) => path[one.key]}));

/** What the setting `counters` counted. */
const countersOf = (tree: Tree): Metric[] => (tree.shown.run.counters ?? []).map((event) => ({
  id: `counter ${event}`, key: `counters/${event.replaceAll('~', '~0').replaceAll('/', '~1')}/inclusive`, title: event.replace(/^.*::/, ''), form: 'count', own: false,
  means: `${event}, callees included; sum over ranks`, of: (path) => path.counters?.[event]?.inclusive,
}));

export const time = fixed[0]!;
/** Of the call path as the document has it. */
export const valueOf = (node: Node, metric: Metric): number | undefined => metric.of(node.path);
/** Whether a figure of a call path is an estimate, and one to rely on. What MPI took is measured in any case. */
export function certaintyOf({path}: Node, metric: Metric): {estimated?: boolean; reliable?: boolean} {
  const estimated = metric.id === 'time' ? path.estimated : metric.id === 'visits' ? path.visits_low !== undefined
    : metric.id === 'own' && (path.estimated || path.exclusive_s_low !== undefined || path.reliable === false);
  return estimated ? {estimated, reliable: path.reliable} : {};
}
/** Callees included. */
export const sumOf = (node: Node, metric: Metric): number => (metric.own ? node.sums[metric.key] : metric.of(node.path)) ?? 0;
/** What a hundred per cent are: of times those of all threads, of counts those of the whole tree. */
export function wholeOf(tree: Tree, metric: Metric): number {
  if (metric.form === 'seconds') return tree.shown.run.thread_time_s;
  return tree.roots.reduce((sum, root) => sum + sumOf(root, metric), 0);
}
/** Those that the run has anything of. */
export const metricsOf = (tree: Tree): Metric[] =>
  [...fixed, ...countersOf(tree)].filter((metric) => metric === time || tree.roots.some((root) => sumOf(root, metric) > 0));
