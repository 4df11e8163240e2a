// What is looked at, in the fragment of the address: a link shows what its sender saw.

export type MatrixOf = 'bytes' | 'messages' | 'waiting';
export interface State {
  series: number; run: number; metric: string; path: string; place: number; find: string; below: number; sort: string;
  folded: string; zoom: string; theme: '' | 'dark' | 'light'; colours: 'row' | 'all'; matrix: MatrixOf; finding: number; change: number;
}
export const initial: State = {
  series: 0, run: -1, metric: 'time', path: '', place: -1, find: '', below: 1, sort: '', folded: '', zoom: '', theme: '', colours: 'row',
  matrix: 'bytes', finding: -1, change: -1,
};

export function fromFragment(fragment: string): State {
  const state: Record<string, unknown> = {...initial};
  for (const [key, text] of new URLSearchParams(fragment.replace(/^#/, ''))) {
    if (!Object.hasOwn(initial, key)) continue;
    const number = Number(text);
    if (typeof initial[key as keyof State] !== 'number') state[key] = text;
    else if (Number.isFinite(number)) state[key] = number;
  }
  if (!['', 'dark', 'light'].includes(state.theme as string)) state.theme = '';
  return state as unknown as State;
}

export function toFragment(state: State): string {
  const words = new URLSearchParams();
  for (const key of Object.keys(initial) as (keyof State)[])
    if (state[key] !== initial[key]) words.set(key, String(state[key]));
  return words.toString();
}

export type Update = (change: Partial<State>) => void;
