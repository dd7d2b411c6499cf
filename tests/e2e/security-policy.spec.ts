import { expect, test } from './support/fixtures.ts';

/** What the page was kept from, by directive; whatever throws is part of that. */
const TRIED = `(async () => {
  const violated = [];
  addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violated.push(effectiveDirective));
  const attempt = (work) => { try { work(); } catch {} };
  attempt(() => { document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>'; });
  attempt(() => { document.createElement('script').src = '/assets/x.js'; });
  attempt(() => trustedTypes.createPolicy('default', { createHTML: (text) => text }));
  attempt(() => document.body.setAttribute('style', 'color: red'));
  attempt(() => document.head.append(Object.assign(document.createElement('style'), { textContent: 'p {}' })));
  attempt(() => { document.body.style.setProperty('color', 'red'); });
  for (let turn = 0; turn < 100 && violated.length < 5; turn += 1) await new Promise(requestAnimationFrame);
  return [violated.toSorted(), document.body.style.color];
})()`;

test('a page makes no markup or scripts of texts, and takes no styles but by script', async ({ browser, app }) => {
  // Not by the fixture, which fails tests whose pages violate their policy.
  const page = await browser.newPage();
  await page.goto(new URL('/login', app.url).href);
  expect(await page.evaluate(TRIED)).toEqual([
    ['require-trusted-types-for', 'require-trusted-types-for', 'style-src-attr', 'style-src-elem', 'trusted-types'],
    'red',
  ]);
  await page.close();
});
