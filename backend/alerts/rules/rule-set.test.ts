import { afterEach, expect, test, vi } from 'vitest';
import type { NarrowedList } from '#backend/alerts/alert/alert-list.ts';
import type { RuleActions } from '#backend/contract/rule.ts';
import { type CompiledRule, type RuleFault, type RuledReport, compileRule, createRuleSet } from './rule-set.ts';

const report = (more: Partial<RuledReport> = {}): RuledReport => ({
  customer: 'Oakline',
  alertType: 'disk',
  sourceId: 'source-1',
  severity: 'warning',
  label: null,
  title: 'Disk almost full on db-7',
  url: '/webhook',
  payload: '{"host":"db-7","used":91}',
  isTest: false,
  ...more,
});

type Filter = NarrowedList['parts'][number]['filter'];
const listOf = (filter: Filter, texts: string[] = []): NarrowedList => ({
  parts: [{ list: { list: 'all' }, filter }],
  alternatives: [],
  texts,
  labels: [],
  traits: [],
  range: {},
});
let last = 0;
const rule = (actions: RuleActions, filter: Filter = {}, texts: string[] = []): CompiledRule => {
  last += 1;
  return compileRule({ id: `rule-${last}`, name: `Rule ${last}`, version: 1 }, actions, listOf(filter, texts));
};
const judge = (rules: CompiledRule[], said = report()) => createRuleSet(rules, () => undefined).judge(said);

afterEach(() => void vi.restoreAllMocks());

test('applies rules in their order, each to what those before it have set, until one stops', () => {
  const rules = [
    rule({ severity: 'critical', customer: 'Oakline Ltd' }, { customer: 'Oakline' }),
    rule({ title: 'Never: the customer has another name by now' }, { customer: 'Oakline' }),
    rule({ notify: 'never' }, { customer: 'Oakline Ltd', severity: ['critical'] }),
    rule({ suppress: true, stop: true }, {}, ['renamed']),
    rule({ title: 'Renamed', alertType: 'storage' }),
    rule({ stop: true }, {}, ['renamed']),
    rule({ severity: 'low' }),
  ];
  const ruling = judge(rules);
  expect(ruling?.applied).toEqual([rules[0], rules[2], rules[4], rules[5]]);
  expect(ruling).toMatchObject({
    set: { severity: 'critical', customer: 'Oakline Ltd', alertType: 'storage', title: 'Renamed' },
    notify: 'never',
    suppressedBy: undefined,
  });
});

test('says nothing of a report that no rule is about, and changes nothing of what it is given', () => {
  const said = report();
  expect(judge([rule({ severity: 'low' }, { customer: 'Another' }), rule({ stop: true }, {}, ['tape'])], said)).toBe(
    undefined,
  );
  judge([rule({ customer: 'Another' })], said);
  expect(said).toEqual(report());
});

test('finds by its index what each rule by itself is about, whatever its case and spelling', () => {
  const texts = ['DB-7', 'ſnow', 'kelvin', 'Größe', '/x', 'ab', 'almost'];
  const rules = [
    ...texts.map((text) => rule({ notify: 'never' }, {}, [text])),
    ...Array.from({ length: 80 }, (_, at) => rule({ notify: 'never' }, { customer: `Customer ${at}` }, ['db'])),
    rule({ notify: 'never' }, { source: ['source-1', 'source-2'] }),
    rule({ notify: 'never' }, { severity: ['low'] }),
  ];
  const said = [
    report(),
    report({ customer: 'Customer 79', sourceId: null }),
    report({ payload: '{"a":"SNOW \u212aelvin","b":"gr\\u00f6\\u00dfe","c":"\\/x"}', title: null }),
    report({ payload: 'ab', title: 'AB', customer: null, alertType: null, severity: 'none' }),
  ];
  let found = 0;
  for (const one of said) {
    const about = rules.filter((each) => judge([{ ...each, list: listOf({}) }], one));
    expect((judge(rules, one)?.applied ?? []).map(({ name }) => name)).toEqual(about.map(({ name }) => name));
    found += about.length;
  }
  expect(found).toBe(13);
});

test('leaves out and reports a rule that fails or is slow, and applies the others', () => {
  const faults: RuleFault[] = [];
  const failing = { ...rule({ severity: 'low' }), matches: () => JSON.parse('{') as boolean };
  const slow: CompiledRule = {
    ...rule({ severity: 'info' }),
    matches: () => {
      const until = performance.now() + 25;
      while (performance.now() < until);
      return true;
    },
  };
  const good = rule({ title: 'Set' });
  const rules = createRuleSet([failing, slow, good], (fault) => faults.push(fault));
  expect(rules.judge(report())?.applied).toEqual([slow, good]);
  expect(rules.judge(report())?.applied).toEqual([good]);
  expect(faults.map(({ rule: { id } }) => id)).toEqual([failing.id, slow.id]);
  expect(faults[0]?.reason).toMatch(/^It failed: .*JSON/);
  expect(faults[1]?.reason).toMatch(/^It took \d+ ms for one alert, 20 ms are allowed: Disk almost full on db-7$/);
});

test('measures slow rules at most once a minute, and only those that were asked', () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const asked: string[] = [];
  const taking = (name: string, tookMs: () => number, filter: Filter = {}): CompiledRule => ({
    ...rule({ severity: 'info' }, filter),
    matches: () => {
      asked.push(name);
      now += tookMs();
      return true;
    },
  });
  let firstMs = 15;
  const faults: RuleFault[] = [];
  const rules = createRuleSet(
    [taking('first', () => firstMs), taking('second', () => 15), taking('other', () => 25, { customer: 'Another' })],
    (fault) => faults.push(fault),
  );
  const askedAfter = (pauseMs: number): string[] => {
    now += pauseMs;
    asked.length = 0;
    rules.judge(report());
    return [...asked];
  };
  // Together they are slow, each by itself is not.
  expect(askedAfter(0)).toEqual(['first', 'second', 'first', 'second']);
  firstMs = 25;
  expect(askedAfter(50_000)).toEqual(['first', 'second']);
  expect(faults).toEqual([]);
  expect(askedAfter(20_000)).toEqual(['first', 'second', 'first', 'first', 'first', 'second']);
  expect(faults.map(({ rule: { id } }) => id)).toEqual([rules.rules[0]?.id]);
  expect(askedAfter(0)).toEqual(['second']);
});
