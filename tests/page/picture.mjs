// A picture of one part of a page of HTML, for the docs. On standard input: {"modules", "chromium", "page", "part", "to"}; `part` is a
// selector of CSS, with what is looked at behind "#" where that matters.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const given = JSON.parse(readFileSync(0, 'utf8'));
const {chromium} = createRequire(given.modules)('playwright-core');
const [part, fragment = ''] = given.part.split('#');
const browser = await chromium.launch({executablePath: given.chromium, args: ['--headless', '--no-sandbox', '--disable-gpu']});
const page = await browser.newPage({viewport: {width: 1100, height: 900}, colorScheme: 'light'});
await page.goto(`file://${given.page}${fragment && `#${fragment}`}`);
await page.locator(part).first().waitFor();
await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));
const box = await page.locator(part).first().evaluate((element) => {
  const {left, top, bottom} = element.getBoundingClientRect(); // as wide as what is in it
  const right = Math.max(...[...element.querySelectorAll('text, path, line, rect, li, td, p, pre, small')].map((one) => one.getBoundingClientRect().right));
  return {x: left - 6, y: top + scrollY - 6, width: right - left + 12, height: bottom - top + 12};
});
await page.screenshot({path: given.to, clip: box, fullPage: true});
await browser.close();
