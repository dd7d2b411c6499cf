import { describe, expect, it } from 'vitest';
import { layOut, linesOf, readJson } from './json-lines.ts';
import {
  isOfBody,
  lineAt,
  locate,
  mappingPath,
  pathOfRule,
  shortPath,
  stepsOf,
} from '#renderer/features/sources/shown/json-paths.ts';

const BODY = `{"receiver":"desk","groupLabels":{"cluster":"eu"},"commonLabels":{"cluster":"eu","customer":"Nordwind"},
"alerts":[{"status":"firing","labels":{"alertname":"A","k8s.io/app":"x"},"n":820982911946154508},{"status":"resolved","labels":{"alertname":"B"}}],"none":[],"nil":{}}`;

const read = (text: string) => {
  const node = readJson(text);
  if (!node) throw new Error('Not JSON');
  return { node, lines: linesOf(node) };
};

describe('lines of JSON', () => {
  it('have one value each, keep every digit, and read as JSON again', () => {
    const { lines } = read(BODY);
    const text = layOut(lines);
    expect(text).toContain('  "groupLabels": { "cluster": "eu" },\n  "commonLabels": {\n    "cluster": "eu",');
    expect(text).toContain('820982911946154508');
    expect(JSON.parse(text)).toEqual(JSON.parse(BODY));
  });

  it('keep strings with brackets, quotes and commas whole', () => {
    const tricky = String.raw`{"a":"{[\"x\", 1]}","b":["\\"],"c":"é\n"}`;
    expect(JSON.parse(layOut(read(tricky).lines))).toEqual(JSON.parse(tricky));
  });

  it('are none for what is not JSON, and for what is nested too deeply', () => {
    expect(readJson('text')).toBeUndefined();
    expect(readJson(`${'['.repeat(500)}${']'.repeat(500)}`)).toBeUndefined();
  });
});

describe('paths', () => {
  it('are read with indexes and quoted names', () => {
    expect(stepsOf("$.alerts[0].labels['k8s.io/app']")).toEqual(['alerts', '0', 'labels', 'k8s.io/app']);
    expect(stepsOf('labels["a.b"].c')).toEqual(['labels', 'a.b', 'c']);
  });

  it('of a line are as a mapping names them', () => {
    const { node, lines } = read(BODY);
    const line = lines.find(({ text }) => text.startsWith('"x"'));
    expect(line && mappingPath(node, line.path, ['alerts', '0'])).toBe("labels['k8s.io/app']");
    const shared = lines.find(({ name }) => name === '"receiver"');
    expect(shared && mappingPath(node, shared.path, ['alerts', '0'])).toBe('$.receiver');
    const plain = read('{"order":{"no":1}}');
    expect(mappingPath(plain.node, ['order', 'no'], [])).toBe('order.no');
  });

  it('of a field are found in the element of its alert first, then from the top', () => {
    const { node, lines } = read(BODY);
    expect(locate(node, 'labels.alertname', ['alerts', '1'])).toEqual(['alerts', '1', 'labels', 'alertname']);
    expect(locate(node, 'groupLabels', ['alerts', '1'])).toEqual(['groupLabels']);
    expect(locate(node, 'alerts[0].status', ['alerts', '1'])).toEqual(['alerts', '0', 'status']);
    expect(locate(node, 'labels.missing', ['alerts', '0'])).toBeUndefined();
    const line = lines[lineAt(lines, locate(node, 'labels.alertname', ['alerts', '1']) ?? [])];
    expect(line?.text).toContain('"B"');
  });

  it('of a batch that is a list begin at the element', () => {
    const { node } = read('[{"event":"bounce"},{"event":"open"}]');
    expect(locate(node, 'event', ['1'])).toEqual(['1', 'event']);
  });

  it('lead to the line that holds the value when it shares one', () => {
    const { lines } = read(BODY);
    expect(lines[lineAt(lines, ['groupLabels', 'cluster'])]?.name).toBe('"groupLabels"');
  });

  it('are shown without the element that became the alert', () => {
    expect(shortPath('alerts[0].annotations.summary')).toBe('annotations.summary');
    expect(shortPath('groupLabels')).toBe('groupLabels');
    expect(shortPath('order.items[0].no')).toBe('order.items[0].no');
  });

  it('of a sender’s rule are written so that a mapping finds the same', () => {
    const { node } = read(
      '{"data":{"checks":[{"name":"a","k8s.io/app":"x"}]},"env":"prod","matches":[{"metric":"m"}]}',
    );
    const element = ['data', 'checks', '0'];
    const written = (origin: string) => pathOfRule(node, origin, element);
    expect(written('data.checks[0].name')).toBe('name');
    expect(written("data.checks[0]['k8s.io/app']")).toBe("['k8s.io/app']");
    expect(written('env')).toBe('$.env');
    expect(written('header: x-tenant')).toBe('header: x-tenant');
    expect(written('data.checks[0].name + env')).toBe('');
    expect(written('')).toBe('');
    expect(pathOfRule(node, 'matches[0].metric', [])).toBe('matches[0].metric');
    expect(pathOfRule(undefined, 'env', [])).toBe('');
  });

  it('from the top begin with the sign of the body', () => {
    const { node } = read('{"status":"top","alerts":[{"status":"element"}]}');
    expect(locate(node, '$.status', ['alerts', '0'])).toEqual(['status']);
    expect(locate(node, 'status', ['alerts', '0'])).toEqual(['alerts', '0', 'status']);
  });

  it('of headers and texts are none of the body', () => {
    expect(['order.no', '$.a', 'header: x-tenant', '=Nordwind'].map(isOfBody)).toEqual([true, true, false, false]);
  });
});
