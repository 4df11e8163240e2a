// What a change would save, at least and at most.
import type {Gain} from './documents';
import {Figure} from './figure';
import {formatted} from './format';

/** One number where both ends look the same, and no lower end that is nothing beside the upper one. */
export function Bounds({of, gain}: {of: string; gain: Gain}) {
  const high = <Figure of={`${of}/high`} value={gain.high} form="seconds" />;
  if (formatted(gain.low, 'seconds') === formatted(gain.high, 'seconds')) return high;
  if (Math.abs(gain.low) < 0.0005 * gain.high) return <>up to {high}</>;
  return <><Figure of={`${of}/low`} value={gain.low} form="seconds" /> to {high}{gain.low < 0 ? <small> (below 0: slower)</small> : null}</>;
}
