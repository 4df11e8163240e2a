// Values of call paths in single locations (a rank's thread). They are within 3.5 %; of what is below a
// millionth of a row's largest value nothing but that is known.
import type {Levels} from './documents';
import {categoryOf, type Node} from './tree';
import type {Metric} from './metrics';

export class Cells {
  private readonly rows = new Map<string, Map<number, Float32Array>>();
  private readonly sums = new Map<string, Map<number, Float32Array | null>>();
  readonly locations: Levels['locations'];
  readonly folded: number;

  constructor(index: Levels, levels: Uint8Array) {
    this.locations = index.locations;
    this.folded = index.folded;
    const value = Float64Array.from({length: 256}, (_, level) => level === 0 ? 0 : index.step ** (level - 255));
    let at = 0;
    for (const plane of index.planes) {
      const rows = new Map<number, Float32Array>();
      plane.callpaths.forEach((callpath, i) => {
        const row = new Float32Array(this.locations.length);
        for (let j = 0; j < row.length; ++j) row[j] = value[levels[at++]!]! * plane.max_s[i]!;
        rows.set(callpath, row);
      });
      this.rows.set(plane.metric, rows);
    }
  }

  static has(metric: Metric): boolean { return ['time', 'own', 'communication', 'waiting', 'io'].includes(metric.id); }

  private own(node: Node, metric: Metric): Float32Array | null {
    const time = this.rows.get('own_s')?.get(node.id) ?? null;
    const idle = this.rows.get('idle_s')?.get(node.id) ?? null;
    const category = categoryOf(node.path.kind);
    if (metric.id === 'waiting') return idle;
    if (metric.id === 'io' ? category !== 'input_output' : metric.id === 'communication' && category !== 'communication' && category !== 'synchronisation')
      return null;
    if (metric.id === 'time' || metric.id === 'own' || !time || !idle) return time;
    return time.map((all, i) => Math.max(0, all - idle[i]!));
  }

  /** By location; callees included but for own time. Null: zero everywhere. */
  of(node: Node, metric: Metric): Float32Array | null {
    if (metric.id === 'own') return this.own(node, metric);
    let known = this.sums.get(metric.id);
    if (!known) this.sums.set(metric.id, known = new Map());
    const found = known.get(node.id);
    if (found !== undefined) return found;
    let sum = this.own(node, metric), copied = false;
    for (const child of node.children) {
      const row = this.of(child, metric);
      if (!row) continue;
      if (!sum) { sum = row; continue; }
      if (!copied) { sum = Float32Array.from(sum); copied = true; }
      for (let i = 0; i < row.length; ++i) sum[i]! += row[i]!;
    }
    known.set(node.id, sum);
    return sum;
  }

  name(at: number): string {
    const {rank, thread} = this.locations[at]!;
    return thread > 0 ? `rank ${rank}, thread ${thread}` : `rank ${rank}`;
  }
}
