import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SeverityMark } from './severity-mark.tsx';

it.each([
  ['critical', 'event', 'ad-mark ad-mark--critical', 'path'],
  ['critical', 'acknowledged', 'ad-mark ad-mark--critical ad-mark--outline', 'path'],
  ['warning', 'resolved', 'ad-mark ad-mark--resolved ad-mark--outline', 'circle'],
  ['none', 'resolved', 'ad-mark ad-mark--resolved ad-mark--outline', 'circle'],
  ['none', 'event', 'ad-mark', undefined],
] as const)('the mark of %s, %s', (severity, state, classes, shape) => {
  const html = renderToStaticMarkup(<SeverityMark severity={severity} state={state} />);
  expect(/class="([^"]*)"/.exec(html)?.[1]).toBe(classes);
  expect(/<svg[^>]*><(\w+)/.exec(html)?.[1]).toBe(shape);
});
