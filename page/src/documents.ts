// The documents in the page (docs/json.md), unpacked when they are first needed. Types name what the page uses of them.

export interface Estimate { median: number; low?: number; high?: number; kind?: 'interval' | 'range' }

export interface Point {
  ranks?: number; cores?: number; threads?: number; repeats: number; oversubscribed: boolean;
  time_s: Estimate; speedup?: Estimate; efficiency?: Estimate;
}
export interface LedgerTerm { name: string; title: string; seconds: number; percent: number }
export interface LedgerSize {
  ranks: number; threads?: number; cores: number; other_threads_s?: number; oversubscribed?: boolean; time_s: number; lost_s: number; percent: number;
  terms: LedgerTerm[];
}
export interface Warning { id: string; text: string }
export interface Gain { low: number; high: number; value?: number; cure?: string }
export interface Peer { path: string[]; file?: string; line?: number; rank?: number; wait_s: number; events?: number; doing?: string; doing_path?: string[] }
export interface Finding {
  cause: string; title: string; description: string; advice: string; severity_s: number; percent: number; percent_of?: string; gain_s: Gain;
  path: string[]; kind: string; file?: string; line?: number; ranks?: {rank: number; wait_s: number}[];
  peers?: Peer[]; origins?: Peer[]; error_s?: number; follows?: {cause: string; path: string[]};
}
export interface Prediction { changes: string[] | string; gain_s: Gain }
export interface Report {
  command: string; build?: string; started?: string; unfinished?: string;
  runs: {file: string; ranks: number; used: boolean; why_not?: string}[];
  answers: {speed?: string; limit?: string; lost?: string; first?: string};
  noise?: {word: string; spread_percent?: number};
  base?: {ranks: number; threads?: number; time_s: number};
  weak?: boolean; points: Point[]; warnings: Warning[]; ledger: LedgerSize[];
  projection?: {ranks?: number; cores?: number; speedup: Estimate; model: string}[];
  ledger_origins?: {ranks: number; idle_s: number; origins: {kind: string; path?: string[]; file?: string; line?: number; ranks?: number[]; seconds: number}[]}[];
  limit_speedup?: Estimate;
  what_if?: {ranks: number; time_s: number; candidates: Prediction[]};
  waits?: {ranks: number; measured: boolean; why_not_measured?: string; findings: Finding[]};
  comparison?: Comparison; grid?: {ranks: number[]; threads: number[]}; axes?: Record<string, string>;
}
export interface Reports { overview: {program: string; command: string}[]; series: Report[] }

export interface CallPath {
  id: number; parent: number | null; path: string[]; kind: string; file?: string; line?: number;
  visits: number; inclusive_s: number; exclusive_s: number; mean_s: number; max_s: number; communication_s: number;
  idle_s?: number; io_s?: number; load_balance?: number;
  bytes_sent: number; messages_sent: number; bytes_read?: number; bytes_written?: number;
  message_sizes?: {at_least: number; below?: number; messages: number; protocol?: string}[];
  counters?: Record<string, {inclusive: number; exclusive: number; mean: number; max: number}>; instructions_per_cycle?: number;
  estimated?: boolean; inclusive_s_low?: number; inclusive_s_high?: number; reliable?: boolean;
  exclusive_s_low?: number; visits_low?: number; visits_high?: number;
}
/** What a rank or a thread did of its time. */
export interface TimeParts { wall_s: number; compute_s: number; communication_s: number; idle_s?: number; io_s?: number }
export interface Shown {
  run: {file: string; command: string; ranks: number; wall_s: number; oversubscribed: boolean; complete: boolean;
    thread_time_s: number; hosts: string[]; started?: string; counters?: string[]; counters_missing?: {event: string; reason: string; ranks?: number}[]};
  ranks: ({rank: number; threads?: TimeParts[]} & TimeParts)[];
  callpaths: CallPath[];
  matrix?: {source: number[]; destination: (number | null)[]; messages: number[]; bytes: number[]};
  wait_matrix?: {rank: number[]; peer_rank: (number | null)[]; wait_s: number[]};
}
export interface Waits { findings: Finding[]; measured: boolean; why_not_measured?: string }

export interface ComparedPath {
  path: string[]; file?: string; line?: number; ranks: number; change_s: Estimate; exclusive_before_s: Estimate;
  exclusive_after_s: Estimate; estimated?: boolean; reliable?: boolean;
}
export interface Promised {
  changes: string[]; asked?: boolean; predicted_gain_s: {low: number; high: number}; realised_gain_s: Estimate;
  verdict: 'as_promised' | 'more' | 'less' | 'not_realised' | 'cannot_be_told';
}
export interface Comparison {
  before: {build?: string; files: string[]}; after: {build?: string; files: string[]}; notes?: string[];
  points: {ranks: number; threads?: number; time_before_s: Estimate; time_after_s: Estimate; change_percent: Estimate;
    verdict: string; oversubscribed?: boolean}[];
  callpaths: ComparedPath[];
  causes?: {title: string; cause: string; path: string[]; percent_before?: number; percent_after?: number;
    realised_gain_s?: number}[];
  saved_s?: Record<string, number>; predictions?: {ranks: number; threads?: number; time_s: number; changes: Promised[]};
}

export interface Commit {commit?: string; build: string; time: string; branch?: string; time_s: number; files: string[]; times_s: number[]}
export interface Change {
  at: number; low: number; high: number; before_s: number; after_s: number; change_percent: Estimate; commit?: string; behind?: string; up_to?: string;
  commits?: {commit: string; title: string}[]; also_changed?: string[];
  terms: {name: string; title: string; before_s: number; after_s: number; change_s: number}[];
  callpaths: {path: string[]; file?: string; line?: number; before_s: number; after_s: number; change_s: Estimate; part?: string}[];
}
export interface History {
  program: string; command: string; label?: string; host: string; mpi_library: string; ranks: number; threads: number; ordered_by: 'git' | 'time';
  commits: Commit[]; changes: Change[];
}
export interface Histories { histories: History[]; left_out: {reason: string; runs: number}[] }

export interface Levels {
  locations: {rank: number; thread: number}[]; step: number; folded: number;
  planes: {metric: string; callpaths: number[]; max_s: number[]}[];
}
export interface RunParts {
  series: number; ranks: number; threads: number; tree: string; cells: string; levels: string; waits?: string;
  side?: 'before' | 'after';
}
export interface Manifest { kind: 'report' | 'run' | 'diff' | 'history'; documents: string[]; runs: RunParts[]; sources?: string }
/** By file; `end`: the last line of the function that begins in this line. */
export type Sources = Record<string, {line: number; text: string; end?: number}[]>;

function element(name: string): string {
  const found = document.getElementById(`andes-${name}`);
  if (!found) throw new Error(`the page has no part ${name}`);
  return found.textContent ?? '';
}

export function manifest(): Manifest { return JSON.parse(element('manifest')); }

const unpacked = new Map<string, Promise<Uint8Array>>(), parsed = new Map<string, Promise<unknown>>();

export function bytes(name: string): Promise<Uint8Array> {
  let result = unpacked.get(name);
  if (!result) {
    const packed = Uint8Array.from(atob(element(name)), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    result = new Response(stream).arrayBuffer().then((buffer) => new Uint8Array(buffer));
    unpacked.set(name, result);
  }
  return result;
}

export function json<T>(name: string): Promise<T> {
  let result = parsed.get(name);
  if (!result) {
    result = bytes(name).then((text) => JSON.parse(new TextDecoder().decode(text)));
    parsed.set(name, result);
  }
  return result as Promise<T>;
}
