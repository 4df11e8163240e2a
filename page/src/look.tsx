// How terms of lost time are drawn: the patterns of images, and the same as backgrounds of boxes.
import {inkOn, lookOf, type Look, type Pattern} from './colours';

const period = 5; // pixels
/** Directions of the stripes: degrees clockwise from upright. */
const stripes: Record<Pattern, number[]> = {solid: [], dots: [], upright: [0], level: [90], rising: [45], falling: [-45], grid: [0, 90], cross: [45, -45]};

const idOf = ({colour, pattern}: Look): string => `look-${pattern}-${colour.slice(1)}`;

/** What the parts of an image that show these terms are filled with. */
export function fillOf(term: string): string {
  const look = lookOf(term);
  return look.pattern === 'solid' ? look.colour : `url(#${idOf(look)})`;
}

/** The patterns that fillOf names. */
export function Patterns({terms}: {terms: string[]}) {
  const looks = new Map(terms.map(lookOf).map((look) => [idOf(look), look]));
  return <>{[...looks].map(([id, {colour, pattern}]) => <pattern key={id} id={id} width={period} height={period} patternUnits="userSpaceOnUse" patternTransform={`rotate(${stripes[pattern][0] ?? 0})`}>
    <rect width={period} height={period} fill={colour} />
    {stripes[pattern].map((_, i) => <rect key={i} width={i ? period : 1.5} height={i ? 1.5 : period} fill={inkOn(colour)} />)}
    {pattern === 'dots' ? <circle cx={period / 2} cy={period / 2} r={1.3} fill={inkOn(colour)} /> : null}
  </pattern>)}</>;
}

/** The same as the background of a box. */
export function backgroundOf(term: string): string {
  const {colour, pattern} = lookOf(term), ink = inkOn(colour);
  const layers = stripes[pattern].map((degrees) => `repeating-linear-gradient(${degrees + 90}deg, ${ink} 0 1.5px, transparent 1.5px ${period}px)`);
  if (pattern === 'dots') layers.push(`radial-gradient(circle, ${ink} 1.3px, transparent 1.6px) 0 0 / ${period}px ${period}px`);
  return [...layers, colour].join(', ');
}
