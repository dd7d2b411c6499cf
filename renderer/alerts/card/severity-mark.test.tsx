import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SeverityMark } from './severity-mark.tsx';

it.each([
  ['critical', 'event', 'severity-mark__mark severity-mark__mark_critical', 'path'],
  ['critical', 'acknowledged', 'severity-mark__mark severity-mark__mark_critical severity-mark__mark_outline', 'path'],
  ['warning', 'resolved', 'severity-mark__mark severity-mark__mark_resolved severity-mark__mark_outline', 'circle'],
  ['none', 'resolved', 'severity-mark__mark severity-mark__mark_resolved severity-mark__mark_outline', 'circle'],
  ['none', 'event', 'severity-mark__mark', undefined],
] as const)('the mark of %s, %s', (severity, state, classes, shape) => {
  const html = renderToStaticMarkup(<SeverityMark severity={severity} state={state} />);
  expect(/class="([^"]*)"/.exec(html)?.[1]).toBe(classes);
  expect(/<svg[^>]*><(\w+)/.exec(html)?.[1]).toBe(shape);
});
