// Colours that people who are colour-blind tell apart: Okabe and Ito's for categories, d3's for quantities.
import {interpolateBlues, interpolateCividis} from 'd3-scale-chromatic';
import type {Category} from './tree';

export const ofCategory: Record<Category, string> = {
  computation: '#56b4e9', communication: '#e69f00', synchronisation: '#f0e442', input_output: '#009e73', threads: '#cc79a7', tool: '#b0b0b0',
};
export const categoryTitles: Record<Category, string> = {
  computation: 'computation', communication: 'communication', synchronisation: 'synchronisation', input_output: 'input/output',
  threads: 'waiting for threads', tool: 'measuring (andes)',
};

// One look for each term of lost time, on every page: for each kind a hue and patterns of its own, in shades that differ in
// lightness, so that no two causes look alike, in grey neither. Waiting is striped. The order of the names is fixed here.
export type Pattern = 'solid' | 'upright' | 'level' | 'rising' | 'falling' | 'grid' | 'cross' | 'dots';
export interface Look { colour: string; pattern: Pattern }
interface Family { begin: string; shades: string[]; patterns: Pattern[]; names: string[] }
const one = (begin: string, colour: string, pattern: Pattern = 'solid'): Family => ({begin, shades: [colour], patterns: [pattern], names: []});
const vermilion = '#d55e00', unknown = '#8f8f7f';
const families: Family[] = [
  one('computation', ofCategory.computation), one('input_output', ofCategory.input_output), one('tool', ofCategory.tool), one('late_start', '#5f7d9c'), one('core_wait', '#0072b2', 'upright'),
  one('communication_synchronisation', ofCategory.synchronisation), one('idle_other', unknown, 'rising'),
  {begin: 'communication_', shades: [ofCategory.communication, '#7a5200', '#b07000'], patterns: ['solid', 'upright', 'dots'],
    names: ['receive', 'send', 'exchange', 'source', 'destination', 'one-sided', 'management']},
  {begin: 'idle_', shades: [vermilion, '#8a2c00', '#f79a6b', '#ffcfb5'], patterns: ['rising', 'level', 'falling', 'grid'],
    names: ['late_sender', 'wait_at_nxn', 'late_broadcast', 'wait_at_barrier', 'data_dependency', 'early_reduce', 'late_receiver', 'wait_at_end',
      'wrong_order', 'late_post', 'early_wait', 'lock_contention', 'wait_at_window_create', 'wait_at_collective_io', 'wait_at_communicator_create', 'late_progress']},
  {begin: 'threads_', shades: [ofCategory.threads, '#8a3d68', '#f0c4da'], patterns: ['dots', 'cross'], names: ['barrier', 'lock', 'serial', 'mpi', 'ended', 'other']},
];
export const waiting = vermilion; // of all causes together

/** Causes of a user's own rules have no place in the order: their names tell. */
const placeOf = (name: string): number => [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);

export function lookOf(term: string): Look {
  const family = families.find(({begin}) => term.startsWith(begin));
  if (!family) return {colour: unknown, pattern: 'cross'};
  const {shades, patterns, names} = family, name = term.slice(family.begin.length), known = names.indexOf(name), place = known >= 0 ? known : placeOf(name);
  return {colour: shades[place % shades.length]!, pattern: patterns[Math.floor(place / shades.length) % patterns.length]!};
}

function parts(colour: string): [number, number, number] {
  const hex = colour.match(/^#(..)(..)(..)$/);
  if (hex) return [1, 2, 3].map((i) => parseInt(hex[i]!, 16)) as [number, number, number];
  return (colour.match(/\d+/g) ?? ['0', '0', '0']).slice(0, 3).map(Number) as [number, number, number];
}

/** What stripes and dots on a colour are drawn with. */
export function inkOn(colour: string): string {
  const [red, green, blue] = parts(colour);
  return 0.3 * red + 0.59 * green + 0.11 * blue > 110 ? 'rgb(0 0 0 / 60%)' : 'rgb(255 255 255 / 70%)';
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
