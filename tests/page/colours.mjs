// Looks of the terms of lost time (page/src/colours.ts): each of its own, whatever else a page has, and told apart by people who are
// colour-blind. Their view of colours: Machado, Oliveira and Fernandes, doi 10.1109/TVCG.2009.113, severity 1.
import assert from 'node:assert/strict';

const {lookOf, ofCategory} = await import(process.argv[2]);
const causes = ['late_sender', 'late_receiver', 'late_broadcast', 'early_reduce', 'wait_at_nxn', 'wait_at_barrier', 'wait_at_end', 'data_dependency',
  'wrong_order', 'late_post', 'early_wait', 'lock_contention', 'wait_at_window_create', 'wait_at_collective_io', 'wait_at_communicator_create', 'late_progress', 'other'];
const terms = ['computation', 'input_output', 'tool', 'late_start', 'core_wait', 'not_accounted', ...causes.map((cause) => `idle_${cause}`),
  ...['send', 'receive', 'exchange', 'source', 'destination', 'synchronisation', 'one-sided', 'management'].map((kind) => `communication_${kind}`),
  ...['barrier', 'lock', 'serial', 'mpi', 'ended', 'other'].map((kind) => `threads_${kind}`)];

const eyes = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, factor, i) => sum + factor * vector[i], 0));
const linear = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
/** CIE L*a*b* of linear sRGB. */
function lab(rgb) {
  const clipped = rgb.map((c) => Math.min(1, Math.max(0, c)));
  const [x, y, z] = times([[0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047], [0.2126729, 0.7151522, 0.072175], [0.0193339 / 1.08883, 0.119192 / 1.08883, 0.9503041 / 1.08883]], clipped)
    .map((t) => t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const distance = (a, b, eye) => Math.hypot(...lab(times(eyes[eye], linear(a))).map((value, i) => value - lab(times(eyes[eye], linear(b)))[i]));
assert.ok(Math.abs(distance('#000000', '#ffffff', 'usual') - 100) < 0.1);
assert.ok(distance('#b87400', '#d55e00', 'deutan') < 3, 'which these eyes cannot tell apart');

const looks = terms.map((term) => ({term, ...lookOf(term)}));
for (const {colour} of looks) assert.match(colour, /^#[0-9a-f]{6}$/);
looks.forEach((one, i) => looks.slice(i + 1).filter((other) => other.pattern === one.pattern).forEach((other) => Object.keys(eyes).forEach((eye) => {
  const apart = distance(one.colour, other.colour, eye); // 2.3 is just seen
  assert.ok(apart > 15, `${one.term} and ${other.term}, both ${one.pattern}, are ${apart.toFixed(1)} apart for ${eye} eyes`);
})));
assert.deepEqual(looks.filter(({term, pattern}) => term.startsWith('idle_') !== ['rising', 'falling', 'level', 'grid'].includes(pattern)), [], 'waiting is striped, and nothing else');
assert.equal(lookOf('computation').colour, ofCategory.computation);
assert.equal(lookOf('communication_synchronisation').colour, ofCategory.synchronisation);
assert.deepEqual(lookOf('idle_rule_of_a_user'), lookOf('idle_rule_of_a_user'));
assert.match(lookOf('idle_rule_of_a_user').colour, /^#[0-9a-f]{6}$/);
