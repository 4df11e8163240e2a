// Colours of the terms of lost time (page/src/colours.ts): each of its own, whatever else a page has; none of two kinds alike.
import assert from 'node:assert/strict';

const {ofCategory, ofTerm} = await import(process.argv[2]);
const common = ['computation', 'communication_send', 'communication_receive', 'communication_exchange', 'communication_source', 'communication_destination',
  'communication_synchronisation', 'communication_one-sided', 'communication_management', 'idle_late_sender', 'idle_late_receiver', 'idle_late_broadcast',
  'idle_early_reduce', 'idle_wait_at_nxn', 'idle_wait_at_barrier', 'idle_wait_at_end', 'idle_data_dependency', 'input_output', 'threads_barrier', 'threads_lock',
  'threads_serial', 'threads_mpi', 'tool', 'late_start'];
const colours = common.map(ofTerm);
assert.equal(new Set(colours).size, common.length, colours.join());
for (const colour of colours) assert.match(colour, /^#[0-9a-f]{6}$/);
assert.equal(ofTerm('computation'), ofCategory.computation);
assert.equal(ofTerm('communication_synchronisation'), ofCategory.synchronisation);
assert.notEqual(ofCategory.synchronisation, ofTerm('idle_late_sender'), 'what the icicle shows is not waiting');
assert.equal(ofTerm('idle_rule_of_a_user'), ofTerm('idle_rule_of_a_user'));
assert.match(ofTerm('idle_rule_of_a_user'), /^#[0-9a-f]{6}$/);
