import { expect, test } from 'vitest';
import { flappingRuleSchema } from './flapping-rule.ts';
import { insightTotalsSchema } from './insight.ts';
import { DEFAULT_SOURCE_SETTINGS, newSourceSchema, sourceChangeSchema, sourceSchema } from './source.ts';

test('answers of a server of an earlier release, which says nothing of flapping, can be read', () => {
  const { flapping, ...before } = DEFAULT_SOURCE_SETTINGS;
  expect(sourceSchema.shape.settings.parse(before)).toEqual({ ...before, flapping });
  expect(flappingRuleSchema.parse({ isOn: true, times: 5, withinMinutes: 30 })).toMatchObject({ ownSources: 0 });
  const times = { alerts: 0, median: null, ninetieth: null };
  const totals = { arrived: 1, resolvedFirst: 0, repeats: 0, suppressed: 0, accept: times, complete: times };
  expect(insightTotalsSchema.parse(totals)).toEqual({ ...totals, flapped: 0 });
});

test('a change of other settings of a source says nothing of flapping', () => {
  const settings = { reopenWithinMinutes: 5 };
  expect(sourceChangeSchema.parse({ settings })).toEqual({ settings });
  expect(newSourceSchema.parse({ name: 'Monitoring', settings }).settings).toEqual(settings);
});
