// Pages of HTML in Chromium. test_browser.py makes them and says in a JSON object on standard input where they are:
//   {"modules", "chromium", "pictures", "served": {"url", "run", "to"}, "pages": {name: file}, "documents": {page: {part: file}}, "cases": [name]}
// Each case prints "ok NAME (seconds)"; the first that fails ends the program.
import assert from 'node:assert/strict';
import {copyFileSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const given = JSON.parse(readFileSync(0, 'utf8'));
const require = createRequire(given.modules);
const {chromium} = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const sizes = {phone: {width: 390, height: 844}, small: {width: 1280, height: 900}, laptop: {width: 1440, height: 900}, wall: {width: 2560, height: 1440}};
const browser = await chromium.launch({executablePath: given.chromium, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});

const patience_ms = 120_000; // for what takes less than a second on a quiet machine

/** A browser's window of its own. */
async function fresh(options = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience_ms);
  return context.newPage();
}

/** A page that is ready, with all that it asked for and all that it complained of. */
async function open(name, {size = 'laptop', theme = 'light', fragment = '', ready = '.calltree .rows > .row, main .diff, main .history, main .unfinished'} = {}) {
  const page = await fresh({viewport: sizes[size], colorScheme: theme, bypassCSP: false});
  page.requests = [];
  page.troubles = [];
  page.on('request', (request) => page.requests.push(request.url()));
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) page.troubles.push(message.text()); });
  page.on('pageerror', (error) => page.troubles.push(error.message));
  page.on('dialog', (dialog) => { page.troubles.push(`dialog ${dialog.message()}`); void dialog.dismiss(); });
  await page.goto(`file://${given.pages[name]}${fragment}`);
  await page.waitForSelector(ready);
  return page;
}

/** Ends with a page: nothing was asked for but the file, and nothing went wrong. */
async function close(page) {
  assert.deepEqual(page.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:')), [], 'requests');
  assert.equal(page.requests.filter((url) => url.startsWith('file:')).length, 1);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
}

const names = (page) => page.locator('.calltree .rows .name').allTextContents();
/** What holds at last: a page is drawn some frames after a click or a key, and on a busy machine later still. */
async function soon(holds) {
  for (const end = Date.now() + patience_ms; ;) {
    try {
      return await holds();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}
const listed = (page, expected) => soon(async () => assert.deepEqual(await names(page), expected));
/** How many rows the table has, its head among them; those in view alone are drawn. */
const rowCount = async (page) => Number(await page.locator('.calltree').getAttribute('aria-rowcount'));
const chosen = (page) => page.locator('.calltree .row.chosen .name').textContent();
const settled = (page) => page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));

/** What stands at document#/pointer in the documents that the commands printed. */
const read = new Map();
function lookUp(name, figure) {
  const [part, pointer] = figure.split('#'), file = given.documents[name][part];
  assert.ok(file, `${name} has no document ${part}`);
  if (!read.has(file)) read.set(file, JSON.parse(readFileSync(file, 'utf8')));
  let value = read.get(file);
  for (const key of pointer.split('/').slice(1)) value = value?.[key];
  return value;
}
const units = {s: 1, ms: 1e-3, 'µs': 1e-6, ns: 1e-9, '%': 1, '×': 1, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, M: 1e6, G: 1e9, T: 1e12};
/** The number that a text says, and by how much it may be rounded: half of its last digit. */
function numberOf(text) {
  if (text === '< 0.01 %' || text === '> -0.01 %') return [text[0] === '<' ? 0.005 : -0.005, 0.005];
  const found = text.replaceAll('\u202f', '').match(/^[~?]?(-?[\d.]+(?:e[+-]?\d+)?)(?: (\S+))?$/);
  assert.ok(found, `${JSON.stringify(text)} is no figure`);
  if (found[2]) assert.ok(found[2] in units, text);
  const unit = units[found[2]] ?? 1, [digits, exponent = '0'] = found[1].split('e'), decimals = (digits.split('.')[1] ?? '').length;
  return [Number(found[1]) * unit, 0.501 * 10 ** (Number(exponent) - decimals) * unit];
}

async function figures(page, name) {
  const shown = await page.locator('[data-figure]').evaluateAll((all) => all.map((one) => ({text: one.textContent, ...one.dataset})));
  for (const {text, figure, whole, form} of shown) {
    let value = lookUp(name, figure);
    assert.equal(typeof value, 'number', `${figure} is in no document`);
    if (whole) value *= 100 / lookUp(name, whole);
    if (form === 'share') value *= 100;
    const [said, rounding] = numberOf(text);
    assert.ok(Math.abs(said - value) <= rounding,
      `${figure} is ${value}, and the page says ${text}`);
  }
  return shown.length;
}

const cases = {
  async 'first screen'() {
    const page = await open('sweep');
    await soon(async () => assert.deepEqual(await page.locator('.sentence dt').allTextContents(), ['Speed', 'Limit', 'Lost']));
    await soon(async () => assert.match(await page.locator('.first').textContent(), /Do first/));
    await soon(async () => assert.equal(await page.locator('.charts svg').count(), 2));
    await soon(async () => assert.match(await page.locator('.charts .legend').first().textContent(), /^at 8 ranks:/));
    await page.getByRole('button', {name: /^4 ranks: speedup/}).click();
    await soon(async () => assert.match(await page.locator('.charts .legend').first().textContent(), /^at 4 ranks:/));
    const fold = await page.locator('.first').boundingBox();
    assert.ok(fold.y + fold.height < 900, 'what to do first is on the first screen');
    await close(page);
  },
  async 'every figure is one of the documents'() {
    const page = await open('sweep');
    await page.locator('.finding .head').first().click();
    await soon(async () => assert.ok(await figures(page, 'sweep') > 150));
    await page.getByRole('button', {name: '8 ranks', exact: true}).click();
    await soon(async () => assert.equal(await page.getByRole('button', {name: '8 ranks', exact: true}).getAttribute('aria-pressed'), 'true'));
    await soon(async () => assert.ok(await figures(page, 'sweep') > 150));
    await close(page);
    const run = await open('run');
    await soon(async () => assert.ok(await figures(run, 'run') > 80));
    await close(run);
    const diff = await open('diff');
    await soon(async () => assert.ok(await figures(diff, 'diff') > 80));
    await close(diff);
  },
  async 'the call tree is sorted, searched, folded and cut'() {
    const page = await open('sweep', {fragment: '#below=0'});
    const all = await rowCount(page);
    await soon(async () => assert.equal((await names(page))[0], '(program)'));
    await page.locator('.calltree').getByRole('button', {name: 'Call path'}).click();
    const sorted = () => soon(async () => assert.deepEqual((await names(page)).filter((name) => ['MPI_Bcast', 'setup', 'work'].includes(name)), ['MPI_Bcast', 'setup', 'work']));
    await sorted();
    await page.getByRole('button', {name: 'Fold all', exact: true}).click();
    await listed(page, ['(program)', 'main']);
    await page.getByRole('button', {name: 'Unfold all'}).click();
    await soon(async () => assert.equal(await rowCount(page), all));
    await sorted();
    await page.keyboard.press('/');
    await page.keyboard.type('bcast');
    await listed(page, ['(program)', 'main', 'MPI_Bcast']);
    await soon(async () => assert.equal(await page.locator('.calltree mark').textContent(), 'Bcast'));
    await soon(async () => assert.ok(await page.locator('.icicle g.pale').count() > 3));
    await page.getByRole('searchbox').fill('');
    await page.getByLabel('Hide below').fill('20');
    await soon(async () => {
      const few = await names(page);
      assert.ok(few.length === await rowCount(page) - 1 && few.length < all - 1 && few.includes('MPI_Bcast') && !few.includes('setup'), few.join());
      assert.equal(await page.locator('.icicle g').count(), few.length);
    });
    await close(page);
  },
  async 'a metric, a call path, a rank, its source'() {
    const page = await open('sweep');
    await page.locator('.metrics').getByRole('button', {name: 'Waiting', exact: true}).click();
    await page.locator('.calltree .row', {hasText: 'MPI_Bcast'}).click();
    const detail = page.locator('.detail');
    await soon(async () => assert.match(await detail.textContent(), /Waiting by rank/));
    await soon(async () => assert.equal(await detail.locator('.curve .point').count(), 3, 'a base of one rank calls no MPI_Bcast'));
    const strip = page.locator('.calltree .row.chosen .strip canvas');
    const box = await strip.boundingBox();
    await strip.click({position: {x: box.width * 7.5 / 8, y: 8}});
    await soon(async () => assert.match(await detail.textContent(), /rank 7: about 0\.90 s/, 'known from made_runs'));
    await page.getByRole('slider').press('Home');
    await soon(async () => assert.match(await detail.textContent(), /rank 0: about 0 s/));
    await page.locator('.metrics').getByRole('button', {name: 'Time', exact: true}).click();
    await page.locator('.calltree .row', {hasText: 'setup'}).click();
    await soon(async () => assert.match(await page.locator('.overview .line.here').textContent(), /^3void setup/));
    await page.locator('.trail button').first().click();
    await soon(async () => assert.deepEqual(await page.locator('.message-sizes td').allTextContents(), ['300', '21'], 'three calls of made_runs, each message once'));
    await page.locator('.finding .head').first().click();
    await soon(async () => assert.deepEqual(await page.locator('.finding.open .side h4').allTextContents(), ['Waits, rank 1', 'Waited for, rank 0']));
    await soon(async () => assert.ok(await page.locator('.finding.open .line.here').count() >= 1));
    await page.getByRole('button', {name: 'Messages', exact: true}).last().click();
    await page.locator('.matrix canvas').click({position: {x: 5, y: 30}});
    await page.locator('.matrix canvas').press('ArrowUp');
    await page.locator('.matrix canvas').press('ArrowRight');
    await soon(async () => assert.match(await page.locator('.matrix').textContent(), /rank \d to rank \d: /));
    await soon(async () => assert.match(await page.locator('.matrix .pattern').textContent(), /^A ring/));
    await close(page);
  },
  async 'a short function is shown as a whole, and once'() {
    const page = await open('sweep', {fragment: '#path=main'});
    const numbers = (place) => page.locator(`${place} .line-number`).allTextContents();
    await soon(async () => assert.deepEqual(await numbers('.overview'), Array.from({length: 22}, (_, i) => String(9 + i)), 'with its comment, to its end'));
    await page.locator('.finding .head').first().click();
    await soon(async () => assert.equal(await page.locator('.finding.open .source').count(), 2, 'MPI_Bcast in main, and setup'));
    await close(page);
    const one = await open('slower');
    await one.locator('.finding .head').first().click();
    await soon(async () => assert.equal(await one.locator('.finding.open .side').count(), 2));
    assert.equal(await one.locator('.finding.open .source').count(), 1, 'both in MPI_Bcast');
    assert.equal(await one.locator('.finding.open .side .source').count(), 0);
    await close(one);
  },
  async 'how a serial function scales'() {
    const page = await open('sweep', {fragment: '#path=main/setup'}), curve = page.locator('.detail .curve');
    await soon(async () => assert.match((await curve.locator('.point title').allTextContents()).join('\n'), // 1 s of rank 0, whatever the number of ranks
      /^1 rank: longest 1\.0\d s, mean 1\.0\d s\n2 ranks: longest 1\.0\d s, mean 0\.50\d s\n4 ranks: longest 1\.0\d s, mean 0\.25\d s\n8 ranks: longest 1\.0\d s, mean 0\.12\d s$/));
    const heights = await curve.locator('.point circle').evaluateAll((all) => all.map((one) => Number(one.getAttribute('cy'))));
    assert.ok(Math.max(...heights) - Math.min(...heights) < 3, `the line is level: ${heights}`);
    assert.match(await curve.locator('.legend').textContent(), /takes longest.*mean of all ranks.*ideal/);
    await page.evaluate(() => { location.hash = 'path=main/work'; });
    await soon(async () => assert.equal(await chosen(page), 'work'));
    await soon(async () => assert.doesNotMatch(await curve.locator('.legend').textContent(), /mean/, 'where it is the same'));
    await close(page);
  },
  async 'what is doubtful is said before what follows from it'() {
    const page = await open('doubt'), doubts = page.locator('.doubts');
    await soon(async () => assert.match(await doubts.textContent(), /more ranks x threads than usable cores/));
    assert.ok(await doubts.isVisible());
    const top = async (place) => (await page.locator(place).first().boundingBox()).y;
    assert.ok(await top('.doubts') < await top('.sentence'));
    assert.doesNotMatch(await page.locator('details.beware').textContent(), /usable cores/, 'once');
    await close(page);
    const sound = await open('sweep');
    await soon(async () => assert.match(await sound.locator('details.beware').textContent(), /too few runs/));
    assert.equal(await sound.locator('.doubts').count(), 0);
    await close(sound);
  },
  async 'call paths of the first screen are links'() {
    const page = await open('slower', {fragment: '#run=0'});
    const size = (name) => page.getByRole('button', {name, exact: true});
    await soon(async () => assert.match(await page.locator('.detail').textContent(), /the one with the most own time/));
    await page.locator('.origins .path-link').first().click();
    await soon(async () => assert.equal(await chosen(page), 'setup'));
    await soon(async () => assert.equal(await size('2 ranks').getAttribute('aria-pressed'), 'true', 'the size that is spoken of'));
    assert.doesNotMatch(await page.locator('.detail').textContent(), /the most own time/);
    await page.waitForFunction(() => location.hash.includes('path=main%2Fsetup'));
    await size('1 rank').click();
    const gain = page.locator('.gains .path-link', {hasText: 'sweep'}).first();
    await gain.focus();
    await page.keyboard.press('Enter');
    await soon(async () => assert.equal(await chosen(page), 'sweep'));
    await soon(async () => assert.equal(await size('2 ranks').getAttribute('aria-pressed'), 'true'));
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains('calltree')), 'arrows go on from there');
    await page.locator('.first > p .path-link').first().click();
    await soon(async () => assert.equal(await page.locator('.calltree .row.chosen').count(), 1));
    await close(page);
  },
  async 'waits of another size say so'() {
    const page = await open('sweep', {fragment: '#path=main/MPI_Bcast'}), title = page.locator('#findings-title');
    await soon(async () => assert.match(await title.textContent(), /at 8 ranks;/));
    await soon(async () => assert.match(await page.locator('.detail .here').textContent(), /^Ranks wait here: /));
    await page.getByRole('button', {name: '4 ranks', exact: true}).click();
    await soon(async () => assert.match(await title.textContent(), /at 8 ranks \(the call tree above: 4 ranks\)/));
    await soon(async () => assert.match(await page.locator('.detail .here').textContent(), /^At 8 ranks, ranks wait here: /));
    await soon(async () => assert.match(await page.locator('#where-title').textContent(), /times are sums over 4 ranks: 13\.\d s in a run of 3\.\d\d s/));
    await page.getByRole('button', {name: '1 rank', exact: true}).click();
    await soon(async () => assert.match(await page.locator('#where-title').textContent(), /at 1 rank; the run took 10\.\d s/));
    await page.evaluate(() => { location.hash += '&path=main/elsewhere'; });
    await soon(async () => assert.match(await page.locator('.detail').textContent(), /the most own time, until another is chosen: elsewhere is not called at this size/));
    await page.locator('.finding .head').first().click();
    await page.getByRole('button', {name: 'Show in the call tree'}).click();
    await soon(async () => assert.equal(await page.getByRole('button', {name: '8 ranks', exact: true}).getAttribute('aria-pressed'), 'true'));
    await close(page);
  },
  async 'charts have room for their labels'() {
    const page = await open('slower', {size: 'small'});
    await soon(async () => assert.deepEqual(await page.locator('.charts .chart').first().evaluate((chart) => {
      const box = (one) => one.getBoundingClientRect(), area = box(chart.querySelector('svg')), texts = [...chart.querySelectorAll('text')];
      const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      return [...texts.filter((one) => box(one).top < area.top || box(one).bottom > area.bottom || box(one).left < area.left || box(one).right > area.right),
        ...texts.filter((one) => one.classList.contains('label') && texts.some((other) => other !== one && !apart(box(one), box(other))))].map((one) => one.textContent);
    }), [], 'cut, or one over the other'));
    const ticks = await page.locator('.charts .chart').first().locator('.tick').allTextContents();
    assert.ok(ticks.includes('0.1') && ticks.includes('0.01'), ticks.join());
    await close(page);
  },
  async 'all columns of the call tree'() {
    const page = await open('sweep', {size: 'small'}), tree = page.locator('.calltree');
    const rest = () => tree.evaluate((one) => one.scrollWidth - one.clientWidth);
    await soon(async () => assert.equal(await page.locator('.calltree .head .balance').count(), 1));
    await soon(async () => assert.equal(await rest(), 0, 'are in view'));
    assert.equal(await page.locator('.has-more').count(), 0);
    await page.locator('.metrics').getByRole('button', {name: 'Bytes sent', exact: true}).click();
    await soon(async () => assert.equal(await page.locator('.calltree .head [role="columnheader"]').count(), 3 + 7));
    await soon(async () => assert.equal(await rest(), 0, 'seven of numbers, too'));
    const eight = await open('without-messages', {size: 'small'});
    await eight.locator('.metrics').getByRole('button', {name: 'Bytes sent', exact: true}).click();
    await soon(async () => assert.equal(await eight.locator('.calltree .head [role="columnheader"]').count(), 3 + 8, 'with input and output'));
    await soon(async () => assert.equal(await eight.locator('.calltree').evaluate((one) => one.scrollWidth - one.clientWidth), 0, 'and eight'));
    await soon(async () => assert.deepEqual(await eight.locator('.calltree .cell.number, .calltree .name, .calltree .head button').evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)), [], 'none of which is cut'));
    await close(eight);
    await page.setViewportSize(sizes.phone);
    await soon(async () => assert.ok(await rest() > 0));
    await soon(async () => assert.equal(await page.locator('.has-more').count(), 1, 'and where they are not, that is said'));
    await tree.evaluate((one) => { one.scrollLeft = one.scrollWidth; });
    await soon(async () => assert.equal(await page.locator('.has-more').count(), 0));
    await close(page);
  },
  async 'who waits for whom'() {
    const page = await open('sweep'), matrix = page.locator('.matrix');
    await matrix.getByRole('button', {name: 'Waiting'}).click();
    await soon(async () => assert.match(await matrix.locator('h2').textContent(), /^Who waits for whom/));
    const {rank, peer_rank, wait_s} = lookUp('sweep', 'tree-3#/wait_matrix');
    assert.equal(rank.length, 8 * 7, 'every rank waits for every other');
    for (let i = 0; i < 10; ++i) await matrix.locator('canvas').press('ArrowRight'); // stays at the last
    for (let i = 0; i < 2; ++i) await matrix.locator('canvas').press('ArrowDown');
    await soon(async () => {
      const [, line, column, value] = (await matrix.textContent()).match(/rank (\d) waited for rank (\d): ([\d.]+ [mµn]?s)/);
      assert.deepEqual([line, column], ['2', '7']);
      const [said, rounding] = numberOf(value);
      assert.ok(Math.abs(said - wait_s[rank.findIndex((one, i) => one === 2 && peer_rank[i] === 7)]) <= rounding);
    });
    await page.waitForFunction(() => location.hash.includes('matrix=waiting'));
    await close(page);
    const waits = await open('without-messages');
    await soon(async () => assert.match(await waits.locator('.matrix h2').textContent(), /^Who waits for whom/));
    assert.equal(await waits.locator('.matrix button').count(), 0, 'there is nothing else to choose');
    await soon(async () => assert.equal(await waits.locator('.matrix .pattern').textContent(), 'Most of the waiting is for rank 0.'));
    await soon(async () => assert.match(await waits.locator('.first').textContent(), /for rank 0, which alone computes in main > setup/));
    await waits.locator('.finding .head').first().click();
    await soon(async () => assert.match(await waits.locator('.finding.open .side').last().textContent(), /^Late after computing, rank 0main > setup/));
    await close(waits);
  },
  async 'counted events, and one rank alone'() {
    const page = await open('counted', {fragment: '#below=0'});
    await page.locator('.metrics').getByRole('button', {name: 'HITS', exact: true}).click();
    await page.locator('.calltree .row', {hasText: 'sweep'}).click();
    await soon(async () => assert.match(await page.locator('.calltree .row.chosen').textContent(), /100 %.*3\.00 M/));
    await soon(async () => assert.match(await page.locator('.detail .facts').textContent(), /HITS3\.00 M/));
    await soon(async () => assert.ok(await figures(page, 'counted') > 20));
    assert.match(await page.locator('.where').textContent(), /Not counted: PAPI_TOT_INS; no such counter here\./);
    assert.equal(await page.locator('.findings, .matrix').count(), 0, 'nobody to wait for');
    await close(page);
  },
  async 'keys alone'() {
    const page = await open('sweep', {fragment: '#below=0'});
    const reached = new Set();
    for (let i = 0; i < 70; ++i) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => {
        const at = document.activeElement;
        return ['calltree', 'icicle', 'finding', 'matrix', 'choice', 'ranks', 'tools', 'point'].find((name) => at.closest(`.${name}`)) ?? at.tagName;
      }));
    }
    for (const part of ['calltree', 'icicle', 'finding', 'matrix', 'choice', 'ranks', 'tools', 'point']) assert.ok(reached.has(part), `${part} is out of reach`);
    await page.locator('.calltree').focus();
    await page.keyboard.press('Home');
    await soon(async () => assert.equal(await chosen(page), '(program)'));
    await page.keyboard.press('ArrowDown');
    await soon(async () => assert.equal(await chosen(page), 'main'));
    const before = await rowCount(page);
    await page.keyboard.press('ArrowLeft');
    await soon(async () => assert.deepEqual(await names(page), ['(program)', 'main']));
    await page.keyboard.press('ArrowRight');
    await soon(async () => assert.equal(await rowCount(page), before));
    await page.keyboard.press('Shift+ArrowRight');
    await soon(async () => assert.match(await page.locator('.detail .ranks').textContent(), /rank 0: about/));
    await page.keyboard.press('End');
    await soon(async () => assert.notEqual(await chosen(page), 'main'));
    await page.locator('.icicle svg').focus();
    await page.locator('.icicle svg').press('ArrowUp');
    await page.locator('.icicle svg').press('Enter');
    await soon(async () => assert.ok(await page.getByRole('button', {name: 'Show all'}).isVisible()));
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await soon(async () => assert.ok(await page.locator('dialog').isVisible()));
    await page.keyboard.press('Escape');
    await soon(async () => assert.ok(!await page.locator('dialog').isVisible()));
    await close(page);
  },
  async 'the address holds what is looked at'() {
    const page = await open('sweep');
    await page.getByRole('button', {name: '4 ranks', exact: true}).click();
    await page.locator('.metrics').getByRole('button', {name: 'Waiting', exact: true}).click();
    await page.locator('.calltree .row', {hasText: 'MPI_Bcast'}).click();
    await page.getByRole('button', {name: 'Dark', exact: true}).click();
    await page.waitForFunction(() => location.hash.includes('theme=dark'));
    const fragment = new URL(page.url()).hash;
    await close(page);
    const other = await open('sweep', {fragment});
    await soon(async () => assert.equal(await chosen(other), 'MPI_Bcast'));
    await soon(async () => assert.equal(await other.getByRole('button', {name: '4 ranks', exact: true}).getAttribute('aria-pressed'), 'true'));
    await soon(async () => assert.equal(await other.evaluate(() => document.documentElement.dataset.theme), 'dark'));
    await close(other);
    const hostile = await open('sweep');
    for (const words of ['#run=1e999&below=-5&path=%00%ff&sort=-nothing&metric=<b>&folded=a.b&__proto__=1&theme=x', '#%E0%A4%A'])
      await hostile.evaluate((fragment) => { location.hash = fragment; }, words);
    await settled(hostile);
    await soon(async () => assert.ok((await names(hostile)).length > 0));
    await close(hostile);
  },
  async 'three sizes and two themes'() {
    const page = await open('sweep');
    for (const [size, theme] of [['phone', 'light'], ['phone', 'dark'], ['small', 'light'], ['laptop', 'light'], ['laptop', 'dark'], ['wall', 'light'], ['wall', 'dark']]) {
      await page.setViewportSize(sizes[size]);
      await page.emulateMedia({colorScheme: theme});
      await settled(page);
      await soon(async () => {
        const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide <= room, `${size}: ${wide} pixels in ${room}`);
      });
      await soon(async () => assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme));
      await soon(async () => assert.deepEqual(await page.locator('.calltree .cell.number, .calltree .name').evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)), [], 'no number and no name is cut by its field'));
      if (given.pictures) await page.screenshot({path: `${given.pictures}/page-${size}-${theme}.png`});
      if ((size === 'phone' && theme === 'light') || (size === 'laptop' && theme === 'dark')) await accessible(page);
    }
    await close(page);
  },
  async 'pictures of all pages, for people'() {
    if (!given.pictures) return;
    for (const name of Object.keys(given.pages).filter((one) => !one.startsWith('hostile-')))
      for (const size of ['phone', 'laptop', 'wall'])
        for (const theme of ['light', 'dark']) {
          const page = await open(name, {size, theme});
          if (await page.locator('.finding .head').count()) await page.locator('.finding .head').first().click();
          await settled(page);
          await page.screenshot({path: `${given.pictures}/${name}-${size}-${theme}.png`, fullPage: true});
          await close(page);
        }
  },
  async 'two sheets of paper'() {
    const page = await open('sweep');
    const pdf = (await page.pdf({preferCSSPageSize: true})).toString('latin1');
    const sheets = pdf.match(/\/Type\s*\/Page\b(?!s)/g).length;
    assert.equal(sheets, 2);
    await close(page);
  },
  async 'one run, a comparison, and runs of doubt'() {
    const run = await open('run');
    await soon(async () => assert.match(await run.locator('.findings').textContent(), /Late broadcast/));
    await soon(async () => assert.match(await run.locator('.rank-parts').textContent(), /computing.*waiting/));
    await close(run);
    const diff = await open('diff');
    await soon(async () => assert.match(await diff.locator('.verdict').textContent(), /At 8 ranks: undecided, as single runs do not tell, /));
    await soon(async () => assert.match(await diff.locator('.promises tbody').textContent(), /cannot be told/)); // single runs do not tell that, either
    await diff.locator('.changes .link').first().click();
    await soon(async () => assert.ok(await diff.locator('.calltree .row.chosen').count() === 1));
    await diff.getByRole('button', {name: 'before, 8 ranks'}).click();
    await diff.locator('.finding .head').first().click();
    await diff.getByRole('button', {name: 'Show in the call tree'}).click();
    await soon(async () => assert.equal(await chosen(diff), 'MPI_Bcast'));
    assert.equal(await diff.getByRole('button', {name: 'before, 8 ranks'}).getAttribute('aria-pressed'), 'true', 'the other build has so many ranks, too');
    await accessible(diff);
    await close(diff);
    const doubt = await open('doubt');
    await soon(async () => assert.ok(await doubt.locator('.calltree .estimated').count() > 0, 'estimates are marked'));
    await soon(async () => assert.ok(await doubt.locator('.calltree .unreliable').count() > 0, 'and so is what is unreliable'));
    assert.ok(await doubt.locator('.calltree .cell.visits .estimated').count() > 0, 'estimated visits, too');
    assert.equal(await doubt.locator('.calltree .cell.communication .estimated').count(), 0, 'what MPI took is measured');
    await soon(async () => assert.match(await doubt.locator('p.oversubscribed').textContent(), /oversubscribed/));
    await close(doubt);
    const unfinished = await open('unfinished');
    await soon(async () => assert.match(await unfinished.locator('.unfinished').textContent(), /No run came to its end/));
    await soon(async () => assert.equal(await unfinished.locator('.sentence').count(), 0));
    await close(unfinished);
    const several = await open('several');
    await soon(async () => assert.equal(await several.locator('h1').textContent(), 'one 2048'));
    await several.getByLabel('Series').selectOption('1');
    await soon(async () => assert.equal(await several.locator('h1').textContent(), 'two 2048'));
    await several.waitForSelector('.calltree .rows > .row');
    await close(several);
  },
  async 'a promise that was kept'() {
    const diff = await open('kept');
    const row = diff.locator('.promises tbody tr', {hasText: 'setup 2 times as fast'}).first();
    await soon(async () => assert.match(await row.textContent(), /as promised$/)); // it is twice as fast
    await close(diff);
  },
  async 'a history'() {
    const page = await open('history'), dots = page.locator('.timeline .median'), open_ = page.locator('.one-change.open');
    await soon(async () => assert.match(await page.locator('.sentences').textContent(), /Newest change.*faster: .*at 0c0c0c0c0c \(2026-01-13\).*Before it1 change: 1 slower/));
    await soon(async () => assert.equal(await dots.count(), 18));
    await soon(async () => assert.equal(await page.locator('.change-mark').count(), 2));
    await page.locator('.one-change .head').last().click();
    await soon(async () => assert.equal(await open_.count(), 1));
    await soon(async () => assert.equal(await dots.count(), 12, 'the stretches on both sides'));
    await soon(async () => assert.match(await open_.textContent(), /slower: \+.*at 0606060606 .*computation.*main > work > sweep/s));
    await soon(async () => assert.ok(await figures(page, 'history') > 20));
    await page.locator('.timeline svg').press('Home');
    await soon(async () => assert.match(await page.locator('.timeline .note').textContent(), /^0000000000, 2026-01-01, main: 5\.\d\d s, the median of 2 runs$/));
    await accessible(page);
    await page.emulateMedia({colorScheme: 'dark'});
    await soon(async () => assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark'));
    await accessible(page);
    await page.waitForFunction(() => location.hash.includes('change=0'));
    await page.locator('.timeline svg').press('Escape');
    await soon(async () => assert.equal(await dots.count(), 18));
    await page.locator('.change-mark').last().click();
    await soon(async () => assert.match(await open_.textContent(), /faster: -/));
    await page.getByRole('button', {name: 'other 2048'}).click();
    await soon(async () => assert.match(await page.locator('.sentences').textContent(), /Too few commits/));
    for (const size of Object.values(sizes)) {
      await page.setViewportSize(size);
      await soon(async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)));
    }
    await close(page);
  },
  async 'a served page follows the runs'() {
    const {url, run, to} = given.served, page = await fresh();
    const requests = [], troubles = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => troubles.push(error.message));
    await page.goto(url);
    await page.waitForSelector('.calltree .rows > .row');
    await soon(async () => assert.equal(await page.locator('.rank-parts').count(), 1, 'a page of one size'));
    await page.locator('.metrics').getByRole('button', {name: 'Own time'}).click();
    await page.waitForFunction(() => location.hash.includes('metric=own'));
    copyFileSync(run, to);
    await page.waitForFunction(() => document.querySelectorAll('.sizes tbody tr').length === 2);
    await page.waitForSelector('.calltree .rows > .row');
    await soon(async () => assert.equal(await page.locator('.metrics [aria-pressed="true"]').textContent(), 'Own time', 'what is looked at stays'));
    assert.deepEqual(requests.filter((one) => !one.startsWith(url) && !one.startsWith('data:')), []);
    assert.deepEqual(troubles, []);
    await page.context().close();
  },
  async 'names are text'() {
    const failed = [];
    for (const name of Object.keys(given.pages).filter((one) => one.startsWith('hostile-'))) {
      try {
        const page = await open(name, {ready: 'main section'});
        await settled(page);
        assert.equal(await page.locator('img, iframe, object, embed, [onerror]').count(), 0);
        assert.equal(await page.evaluate(() => document.querySelectorAll('script:not([id])').length), 1);
        await close(page);
      } catch (error) {
        failed.push(`${name}: ${error.message}`);
      }
    }
    assert.deepEqual(failed, []);
  },
};

/** No finding of axe that is serious. */
async function accessible(page) {
  await page.evaluate(axe); // by the debugger, to which the page's policy does not apply
  const found = await page.evaluate(() => globalThis.axe.run(document, {resultTypes: ['violations']}));
  assert.deepEqual(found.violations.filter((one) => ['serious', 'critical'].includes(one.impact))
    .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`), []);
}

let status = 0;
for (const name of given.cases ?? Object.keys(cases)) {
  const start = performance.now();
  try {
    await cases[name]();
    console.log(`ok ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    console.log(`FAILED ${name}: ${error.stack}`);
    status = 1;
  }
}
await browser.close();
process.exit(status);
