// Times of one page in Chromium: first paint, and each interaction from the key or click to the frame that shows it.
//   {"modules", "chromium", "page"} on standard input; a JSON object on standard output.
import {readFileSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';

const given = JSON.parse(readFileSync(0, 'utf8'));
const {chromium} = createRequire(given.modules)('playwright-core');
const browser = await chromium.launch({executablePath: given.chromium, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});
const page = await browser.newPage({viewport: {width: 1440, height: 900}});
let requests = 0;
page.on('request', (request) => { if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) ++requests; });
await page.goto(`file://${given.page}`);
await page.waitForSelector('.sentence, .sizes');
const paint = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() =>
  done(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now())))));
const answer = await page.evaluate(() => performance.now());
await page.waitForSelector('.calltree .rows > .row');
const tree = await page.evaluate(() => performance.now());
await page.waitForTimeout(4000); // all sizes are unpacked

// Processor time of the page's thread tells what the page costs on a machine where others work, too.
const inspector = await page.context().newCDPSession(page);
await inspector.send('Performance.enable', {timeDomain: 'threadTicks'});
const cpu = async () => 1000 * (await inspector.send('Performance.getMetrics')).metrics.find((one) => one.name === 'TaskDuration').value;

/** Milliseconds from an event to the frame after it, on the page's own clock: the median of some; and of the processor. */
async function timed(action, times = 5) {
  const all = [], before = await cpu();
  for (let i = 0; i < times; ++i) all.push(await page.evaluate(async ([[kind, selector, value], i]) => {
    const element = selector ? document.querySelectorAll(selector) : null;
    const start = performance.now();
    if (element.length === 0) throw new Error(`nothing is ${selector}`);
    if (kind === 'click') element[i % element.length].dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: 5, clientY: 5}));
    else if (kind === 'key') element[0].dispatchEvent(new KeyboardEvent('keydown', {key: value, shiftKey: value.startsWith('Arrow') && kind === 'shift', bubbles: true}));
    else if (kind === 'scroll') element[0].scrollTop = (i + 1) * 700;
    else {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(element[0], Array.isArray(value) ? value[i % value.length] : value);
      element[0].dispatchEvent(new Event('input', {bubbles: true}));
    }
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - start;
  }, [action, i]));
  return {wall_ms: all.sort((a, b) => a - b)[Math.floor(times / 2)], cpu_ms: (await cpu() - before) / times};
}

const actions = {
  'another metric': ['click', '.choice.metrics button'],
  'another size': ['click', '[aria-label="Size"] button'],
  'search': ['input', 'input[type="search"]', ['step_1', 'MPI', 'step_22', '', 'solver']],
  'no search': ['input', 'input[type="search"]', ''],
  'hide nothing': ['input', 'input.short', ['0', '1', '0', '0.1', '0']],
  'sort': ['click', '.calltree .head button'],
  'fold one': ['click', '.calltree .twisty'],
  'fold and unfold all': ['click', '.bar-of-tools > button'],
  'choose in the table': ['click', '.calltree .rows > .row'],
  'choose in the icicle': ['click', '.icicle g'],
  'arrow down': ['key', '.calltree', 'ArrowDown'],
  'scroll': ['scroll', '.calltree'],
  'a rank': ['click', '.strip canvas'],
  'theme': ['click', '.tools button:first-of-type'],
  'a finding': ['click', '.finding .head'],
  'matrix': ['click', '.matrix .choice button'],
};
const interactions = {};
for (const [name, action] of Object.entries(actions)) {
  await page.evaluate((below) => { location.hash = `#below=${below}`; }, name === 'hide nothing' ? 1 : 0);
  await page.waitForTimeout(600);
  if (await page.locator(action[1]).count()) interactions[name] = await timed(action);
}
console.log(JSON.stringify({bytes: statSync(given.page).size, paint_ms: paint, answer_ms: answer, tree_ms: tree, requests, interactions}));
await browser.close();
