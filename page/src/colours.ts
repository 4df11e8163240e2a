// Colours that people who are colour-blind tell apart: Okabe and Ito's for categories, d3's for quantities.
import {interpolateBlues, interpolateCividis} from 'd3-scale-chromatic';
import type {Category} from './tree';

export const ofCategory: Record<Category, string> = {
  computation: '#56b4e9', communication: '#e69f00', synchronisation: '#d55e00', input_output: '#009e73', threads: '#cc79a7', tool: '#999999',
};
export const categoryTitles: Record<Category, string> = {
  computation: 'computation', communication: 'communication', synchronisation: 'synchronisation', input_output: 'input/output',
  threads: 'waiting for threads', tool: 'measuring (andes)',
};
const terms: [string, string][] = [
  ['computation', '#56b4e9'], ['communication', '#e69f00'], ['idle', '#d55e00'], ['input_output', '#009e73'], ['io', '#009e73'],
  ['team', '#cc79a7'], ['threads', '#cc79a7'], ['tool', '#999999'],
];
export const ofTerm = (name: string): string => terms.find(([begin]) => name.startsWith(begin))?.[1] ?? '#f0e442';

function parts(colour: string): [number, number, number] {
  const hex = colour.match(/^#(..)(..)(..)$/);
  if (hex) return [1, 2, 3].map((i) => parseInt(hex[i]!, 16)) as [number, number, number];
  return (colour.match(/\d+/g) ?? ['0', '0', '0']).slice(0, 3).map(Number) as [number, number, number];
}

/** 256 steps as bytes of red, green, blue. */
function ramp(colour: (t: number) => string): Uint8ClampedArray {
  const bytes = new Uint8ClampedArray(256 * 3);
  for (let i = 0; i < 256; ++i) bytes.set(parts(colour(i / 255)), 3 * i);
  return bytes;
}
const light = ramp((t) => interpolateBlues(0.04 + 0.96 * t)), dark = ramp(interpolateCividis);
export const rampOf = (isDark: boolean): Uint8ClampedArray => isDark ? dark : light;

/** `values` from 0 to `max` as pixels, row by row. */
export function paint(canvas: HTMLCanvasElement, width: number, height: number, values: ArrayLike<number>, max: number, isDark: boolean) {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) return;
  const image = context.createImageData(width, height), colours = rampOf(isDark);
  for (let i = 0; i < width * height; ++i) {
    const level = max > 0 ? Math.min(255, Math.round(255 * values[i]! / max)) : 0;
    image.data.set(colours.subarray(3 * level, 3 * level + 3), 4 * i);
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}
