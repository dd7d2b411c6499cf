import { describe, expect, it, test } from 'vitest';
import { SENDERS } from '#backend/contract/sender-marks.ts';
import { senderSchema } from '#backend/contract/sender.ts';
import { type SetUpValues, copyText, secretsIn, textParts } from './fill-in.ts';
import type { SetUpTab } from './set-up-texts.ts';
import { OFFERED_SENDERS, SET_UPS, findSenders } from './set-ups.ts';

const VALUES: SetUpValues = {
  origin: 'https://desk.example',
  secret: 'ad_secret',
  token: 'token123',
  signing: 'sign456',
  mail: 'abc234@desk.example',
  hints: { secret: 'cret', token: 'n123', signing: 'n456' },
};
const MASKED: SetUpValues = { ...VALUES, secret: undefined, token: undefined, signing: undefined };

const templatesOf = ({ code, steps = [] }: SetUpTab): string[] => [
  ...(code ? [code.text] : []),
  ...steps.flatMap(({ fields = [], code: block }) => [
    ...fields.map(({ value }) => value),
    ...(block ? [block.text] : []),
  ]),
];

describe('the senders on offer', () => {
  it('are any JSON first, then the others by name', () => {
    const names = OFFERED_SENDERS.map((sender) => SENDERS[sender].name);
    expect(names).toHaveLength(37);
    expect(names.slice(0, 3)).toEqual(['Any JSON', 'Alertmanager', 'Argo CD']);
    expect(names.at(-1)).toBe('Zabbix');
  });

  it('are found by the names of products', () => {
    expect(findSenders('prometheus')).toEqual(['alertmanager']);
    expect(findSenders(' uptime')).toEqual(['uptime-kuma', 'uptimerobot']);
    expect(findSenders('no such thing')).toEqual([]);
  });
});

test('the set-up of emails names the address of the source, which is no secret', () => {
  const template = SET_UPS.email.tabs.flatMap(templatesOf).join('\n');
  expect(copyText(template, VALUES)).toContain('swaks --to abc234@desk.example');
  expect(secretsIn(template, VALUES)).toEqual([]);
});

describe.each(senderSchema.options.filter((sender) => sender !== 'email'))('the set-up of %s', (sender) => {
  const { tabs, docs } = SET_UPS[sender];
  const templates = tabs.flatMap(templatesOf);

  it('names an address and a secret or a token in its first form', () => {
    const first = templatesOf(tabs[0] ?? { label: '' }).join('\n');
    expect(copyText(first, VALUES)).toContain('desk.example');
    expect(secretsIn(first, VALUES)).not.toEqual([]);
  });

  it('leaves no placeholder of ours open', () => {
    for (const template of templates) expect(copyText(template, VALUES)).not.toMatch(/\{[owihstgm]\}/);
  });

  it('shows no secret once it is masked, and copies a placeholder', () => {
    for (const template of templates) {
      const shown = textParts(template, MASKED, 'plain')
        .map(({ text }) => text)
        .join('');
      expect(`${shown}${copyText(template, MASKED)}`).not.toMatch(/ad_secret|token123|sign456/);
    }
  });

  it('leads to documentation over https', () => {
    expect(docs ?? 'https://').toMatch(/^https:\/\//);
  });
});

describe('filled in', () => {
  it('the configuration of Alertmanager is as it must be', () => {
    const text = copyText(SET_UPS.alertmanager.tabs[0]?.code?.text ?? '', VALUES);
    expect(text).toContain('      - url: https://desk.example/webhook\n        send_resolved: true');
    expect(text).toContain('            credentials: ad_secret\n');
  });

  it('names of settings and values of the source are distinguished', () => {
    expect(textParts('  - url: {w}\n    on: true', VALUES, 'yaml')).toEqual([
      { text: '  - ', kind: 'plain' },
      { text: 'url:', kind: 'name' },
      { text: ' ', kind: 'plain' },
      { text: 'https://desk.example/webhook', kind: 'filled' },
      { text: '\n', kind: 'plain' },
      { text: '    ', kind: 'plain' },
      { text: 'on:', kind: 'name' },
      { text: ' true', kind: 'plain' },
    ]);
    expect(textParts('"key": "{s}"', VALUES, 'json').map(({ kind }) => kind)).toEqual([
      'name',
      'plain',
      'filled',
      'plain',
    ]);
  });

  it('the template of New Relic is JSON in each state of an issue, with and without the account’s name', () => {
    const template = SET_UPS['new-relic'].tabs[0]?.steps?.find(({ code }) => code)?.code?.text ?? '';
    const rendered = (known: string) =>
      template
        .replaceAll(/\{\{#if ([\w.]+)\}\}(.*?)\{\{\/if\}\}/g, (_, name: string, body: string) => {
          const branches = [name, ...[...body.matchAll(/\{\{else if ([\w.]+)\}\}/g)].map(([, other]) => other), 'else'];
          const texts = body.split(/\{\{else[^}]*\}\}/);
          return texts[branches.findIndex((branch) => branch === 'else' || branch === known)] ?? '';
        })
        .replaceAll(/\{\{ json [\w.[\]]+ \}\}/g, '"x"');
    expect(JSON.parse(rendered('accumulations.tag.account'))).toMatchObject({
      account_name: 'x',
      current_state: 'open',
    });
    expect(JSON.parse(rendered('issueClosedAt'))).toMatchObject({ current_state: 'closed' });
    expect(JSON.parse(rendered('issueAcknowledgedAt'))).toMatchObject({ current_state: 'acknowledged' });
    expect(JSON.parse(rendered(''))).not.toHaveProperty('account_name');
  });

  it('the address of Amazon SNS holds the secret as its password', () => {
    expect(copyText('{h}/webhook', VALUES)).toBe('https://alertdesk:ad_secret@desk.example/webhook');
  });
});

describe('the trigger for Argo CD', () => {
  const whens = [
    ...templatesOf(SET_UPS.argocd.tabs[0]!)
      .join('\n')
      .matchAll(/- when: (.+)/g),
  ].map(([, when]) => when!);
  const HEALTHY = { health: { status: 'Healthy' }, sync: { status: 'Synced' }, operationState: { phase: 'Succeeded' } };
  const FAILED = { ...HEALTHY, operationState: { phase: 'Failed' } };
  const RUNNING = { ...HEALTHY, operationState: { phase: 'Running' } };
  const DEGRADED = { ...HEALTHY, health: { status: 'Degraded' } };
  const UNKNOWN = { ...HEALTHY, sync: { status: 'Unknown' } };
  const NEVER_SYNCED = { ...HEALTHY, operationState: undefined };

  // Argo CD sends once for each condition that becomes true.
  it.each([
    ['a sync fails while the application stays healthy', HEALTHY, FAILED],
    ['a healthy application is degraded at once', HEALTHY, DEGRADED],
    ['a degraded application is healthy at once', DEGRADED, HEALTHY],
    ['a sync succeeds after one that failed', RUNNING, HEALTHY],
    ['nobody knows whether it is in sync', HEALTHY, UNKNOWN],
    ['it is known again', UNKNOWN, HEALTHY],
    ['an application is healthy that was never synced', { ...NEVER_SYNCED, health: DEGRADED.health }, NEVER_SYNCED],
  ])('sends when %s', (_, before, after) => {
    expect(whens.filter((when) => holds(when, after) && !holds(when, before))).toHaveLength(1);
  });

  it('sends no end while a sync runs', () => {
    expect(whens.filter((when) => holds(when, RUNNING))).toEqual([]);
  });
});

/** Whether a condition of Argo CD's notifications holds: comparisons joined by `and` and `or`. */
function holds(when: string, status: object): boolean {
  const [group, inside] = /\(([^()]*)\)/.exec(when) ?? [];
  if (group !== undefined && inside !== undefined)
    return holds(when.replace(group, String(holds(inside, status))), status);
  return when.split(' or ').some((any) => any.split(' and ').every((one) => isTrue(one, status)));
}

function isTrue(comparison: string, status: object): boolean {
  if (comparison === 'true' || comparison === 'false') return comparison === 'true';
  const [, path = '', operator, literal = ''] = /^app\.status\.(\S+) (==|!=|in) (.+)$/.exec(comparison) ?? [];
  const value = path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], status);
  const wanted: unknown = JSON.parse(literal.replace('nil', 'null').replaceAll("'", '"'));
  if (operator === 'in') return (wanted as unknown[]).includes(value);
  return (operator === '==') === ((value ?? null) === wanted);
}
