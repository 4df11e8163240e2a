// What can be looked at: each metric names its key in the document of `andes show`. Of a call path's own metrics the sum
// over its callees is shown where a call path stands for all below it.
import type {Form} from './format';
import type {Node, Tree} from './tree';

export interface Metric {
  key: 'inclusive_s' | 'exclusive_s' | 'communication_s' | 'idle_s' | 'io_s' | 'visits' | 'bytes_sent' | 'messages_sent';
  id: string; title: string; form: Form; own: boolean; means: string;
}
export const metrics: Metric[] = [
  {id: 'time', key: 'inclusive_s', title: 'Time', form: 'seconds', own: false, means: 'time from entry to exit, callees included; sum over ranks'},
  {id: 'own', key: 'exclusive_s', title: 'Own time', form: 'seconds', own: true, means: 'time without callees; sum over ranks'},
  {id: 'communication', key: 'communication_s', title: 'Communication', form: 'seconds', own: false, means: 'time in MPI without waiting; sum over ranks'},
  {id: 'waiting', key: 'idle_s', title: 'Waiting', form: 'seconds', own: false, means: 'time that ranks waited for others; sum over ranks'},
  {id: 'io', key: 'io_s', title: 'Input/output', form: 'seconds', own: false, means: 'time of input and output; sum over ranks'},
  {id: 'visits', key: 'visits', title: 'Visits', form: 'count', own: true, means: 'entries into the call path; sum over ranks'},
  {id: 'bytes', key: 'bytes_sent', title: 'Bytes sent', form: 'bytes', own: true, means: 'bytes handed to MPI; sum over ranks'},
  {id: 'messages', key: 'messages_sent', title: 'Messages', form: 'count', own: true, means: 'point-to-point messages sent; sum over ranks'},
];
export const metricOf = (id: string): Metric => metrics.find((metric) => metric.id === id) ?? metrics[0]!;

/** Of the call path as the document has it. */
export const valueOf = (node: Node, metric: Metric): number | undefined => node.path[metric.key];
/** Callees included. */
export const sumOf = (node: Node, metric: Metric): number => (metric.own ? node.sums[metric.key] : node.path[metric.key]) ?? 0;
/** What a hundred per cent are: of times those of all threads, of counts those of the whole tree. */
export function wholeOf(tree: Tree, metric: Metric): number {
  if (metric.form === 'seconds') return tree.shown.run.thread_time_s;
  return tree.roots.reduce((sum, root) => sum + sumOf(root, metric), 0);
}
/** Those that the run has anything of. */
export const metricsOf = (tree: Tree): Metric[] =>
  metrics.filter((metric) => metric.id === 'time' || tree.roots.some((root) => sumOf(root, metric) > 0));
