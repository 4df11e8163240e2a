// Numbers as people read them, as the text of `andes report` has them: three significant digits.

export function significant(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return '-';
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (magnitude >= 7 || magnitude < -4) return value.toExponential(digits - 1);
  const rounded = Number(value.toPrecision(digits));
  const exponent = rounded === 0 ? 0 : Math.floor(Math.log10(Math.abs(rounded)));
  return rounded.toFixed(Math.max(0, digits - 1 - exponent));
}

const scaled = (value: number, units: [number, string][]): string => {
  const size = Math.abs(value);
  const [factor, unit] = units.find(([limit]) => size >= limit) ?? units[units.length - 1]!;
  return `${significant(value / factor)} ${unit}`;
};

export function seconds(value: number, digits = 3): string {
  const size = Math.abs(value);
  if (size < 1e-12) return '0 s';
  const [factor, unit] = size >= 0.1 ? [1, 's'] : size >= 1e-3 ? [1e-3, 'ms'] : size >= 1e-6 ? [1e-6, 'µs'] : [1e-9, 'ns'];
  return `${significant(value / (factor as number), digits)} ${unit}`;
}

/** Of an axis that ends at `most`: all its numbers in one unit. */
export function axisSeconds(value: number, most: number): string {
  const [factor, unit] = most >= 0.1 ? [1, 's'] : most >= 1e-4 ? [1e-3, 'ms'] : [1e-6, 'µs'];
  return `${plain(value / (factor as number))} ${unit}`;
}

const leastPercent = 0.01; // smaller ones are said to be so: their digits tell nobody anything

export function percent(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < leastPercent) return value > 0 ? `< ${leastPercent} %` : `> -${leastPercent} %`;
  return `${size >= 1e6 ? value.toExponential(2) : size >= 99.95 ? value.toFixed(0) : size >= 9.995 ? value.toFixed(1) : significant(value, 2)} %`;
}

export const count = (value: number): string =>
  Math.abs(value) < 1e6 ? Math.round(value).toLocaleString('en').replaceAll(',', '\u202f')
    : scaled(value, [[1e12, 'T'], [1e9, 'G'], [1e6, 'M']]);

export const bytesText = (value: number): string =>
  scaled(value, [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']]);

/** Without the zeros that say how exact a number is: for axes. */
export const plain = (value: number): string => String(Number(value.toPrecision(3)));

export const times = (value: number): string => `${significant(value)} ×`;
/** `3 ranks`; of one thing without the s. */
export const counted = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;
export const ratio = (value: number): string => value.toFixed(2);

export type Form = 'seconds' | 'percent' | 'count' | 'bytes' | 'times' | 'ratio' | 'share';
export function formatted(value: number, form: Form): string {
  switch (form) {
    case 'seconds': return seconds(value);
    case 'percent': return percent(value);
    case 'share': return percent(100 * value);
    case 'count': return count(value);
    case 'bytes': return bytesText(value);
    case 'times': return times(value);
    case 'ratio': return ratio(value);
  }
}
