// Colours that people who are colour-blind tell apart: Okabe and Ito's for categories, d3's for quantities.
import {interpolateBlues, interpolateCividis} from 'd3-scale-chromatic';
import type {Category} from './tree';

export const ofCategory: Record<Category, string> = {
  computation: '#56b4e9', communication: '#e69f00', synchronisation: '#f0e442', input_output: '#009e73', threads: '#cc79a7', tool: '#999999',
};
export const categoryTitles: Record<Category, string> = {
  computation: 'computation', communication: 'communication', synchronisation: 'synchronisation', input_output: 'input/output',
  threads: 'waiting for threads', tool: 'measuring (andes)',
};

// One colour for each term of lost time, on every page: of a family of one hue for each kind, in an order that is fixed here.
interface Family { begin: string; colours: string[]; names: string[] }
const families: Family[] = [
  {begin: 'computation', colours: [ofCategory.computation], names: []},
  {begin: 'communication_', colours: [ofCategory.communication, '#b87400', '#f7c65a', '#8f6310', '#ffdf9e', '#a3874d', '#cf9a3c'],
    names: ['receive', 'send', 'exchange', 'source', 'destination', 'one-sided', 'management']},
  {begin: 'idle_', colours: ['#d55e00', '#a8340a', '#f28e5c', '#8c3f1f', '#ffb48f', '#c7503f', '#a3654a', '#e8785a'],
    names: ['late_sender', 'wait_at_nxn', 'late_broadcast', 'wait_at_barrier', 'data_dependency', 'early_reduce', 'late_receiver', 'wait_at_end',
      'wrong_order', 'late_post', 'early_wait', 'lock_contention', 'wait_at_window_create', 'wait_at_collective_io', 'wait_at_communicator_create', 'late_progress', 'other']},
  {begin: 'threads_', colours: [ofCategory.threads, '#9e4b7a', '#e6a8c8', '#7f4466', '#f2cfe0', '#b58aa3'], names: ['barrier', 'lock', 'serial', 'mpi', 'ended', 'other']},
  {begin: 'input_output', colours: [ofCategory.input_output], names: []},
  {begin: 'tool', colours: [ofCategory.tool], names: []},
  {begin: 'late_start', colours: ['#8da9c4'], names: []},
];

/** Causes of a user's own rules have no place in the order: their names tell. */
const placeOf = (name: string): number => [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);

export function ofTerm(term: string): string {
  if (term === 'communication_synchronisation') return ofCategory.synchronisation;
  const family = families.find(({begin}) => term.startsWith(begin));
  if (!family) return '#b8b0a0';
  const name = term.slice(family.begin.length), known = family.names.indexOf(name);
  return family.colours[(known >= 0 ? known : placeOf(name)) % family.colours.length]!;
}
export const waiting = ofTerm('idle_late_sender'); // of all causes together

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
