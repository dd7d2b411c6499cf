import { setTimeout as wait } from 'node:timers/promises';
import {
  destinationListSchema,
  destinationWithSecretSchema,
  outgoingRuleListSchema,
} from '#backend/contract/outgoing.ts';
import { type SignedInClient, signIn } from '#scripts/demo/signed-in-client.ts';
import { ADMIN, loadInTurn, startBenchServer } from './bench-server.ts';
import type { BenchDatabase } from './databases.ts';
import type { Measurement } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { type Target, cpuRatioOf, judge, measurementRow, verdictRow } from './report.ts';

/** What is compared: nobody sends anything out, rules that lead nowhere, and rules that match no alert, to a destination. */
const RULE_VARIANTS = ['no rule', 'three rules, no destination', 'three rules that match nothing'] as const;
type RuleVariant = (typeof RULE_VARIANTS)[number];

const RULES = 3;

const TARGETS = {
  nowhere: { name: 'CPU per alert, no destination', unit: '×', required: 1.03, goal: 1, isAtLeast: false },
  nothing: { name: 'CPU per alert, none matches', unit: '×', required: 1.3, goal: 1.15, isAtLeast: false },
} as const satisfies Record<string, Target>;

/** What rules of outgoing alerts cost ingest, on each database: processor time of the server for each alert. */
export const benchRules: Part = async (databases, options, report) => {
  const results = [];
  for (const database of databases) {
    const measured = await measureRules(database, options, report);
    const against = (variant: RuleVariant) => cpuRatioOf('server', measured[variant], measured['no rule']);
    const verdicts = [
      judge(TARGETS.nowhere, against('three rules, no destination')),
      judge(TARGETS.nothing, against('three rules that match nothing')),
    ];
    results.push({ database: database.name, measured, verdicts });
  }
  const rows = results.flatMap(({ database, measured, verdicts }) => [
    ...RULE_VARIANTS.map((variant) => measurementRow(database, variant, measured[variant])),
    ...verdicts.map((verdict) => verdictRow(database, verdict)),
  ]);
  return { rows, results };
};

/** How long a server may take to know of a change of its rules, in milliseconds. */
const KNOWN_MS = 300;

/**
 * All variants on one server, whose rules are changed between runs: two processes that run the same differ by more than what is
 * measured here.
 */
async function measureRules(
  database: BenchDatabase,
  options: BenchOptions,
  report: (line: string) => void,
): Promise<Record<RuleVariant, Measurement[]>> {
  const server = await startBenchServer('group commit', database);
  try {
    const client = await signIn(new URL(server.url), ADMIN);
    const variants = RULE_VARIANTS.map((name) => ({
      name,
      server,
      beforeRun: async () => {
        await removeRules(client);
        if (name !== 'no rule') await makeRules(client, name === 'three rules that match nothing');
        await wait(KNOWN_MS);
      },
    }));
    return await loadInTurn(variants, { ...options, where: database.name }, report);
  } finally {
    await server.stop();
  }
}

async function call(client: SignedInClient, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await client.request(method, path, body);
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}

async function removeRules(client: SignedInClient): Promise<void> {
  const rules = outgoingRuleListSchema.parse(await call(client, 'GET', '/api/outgoing/rules'));
  for (const { id } of rules) await call(client, 'DELETE', `/api/outgoing/rules/${id}`);
  const { destinations } = destinationListSchema.parse(await call(client, 'GET', '/api/outgoing/destinations'));
  for (const { id } of destinations) await call(client, 'DELETE', `/api/outgoing/destinations/${id}`);
}

async function makeRules(client: SignedInClient, hasDestination: boolean): Promise<void> {
  const webhook = { kind: 'webhook', name: 'Nobody', url: 'https://receiver.example/' };
  const { destination } = destinationWithSecretSchema.parse(
    await call(client, 'POST', '/api/outgoing/destinations', webhook),
  );
  const { id } = destination;
  for (let rule = 0; rule < RULES; rule += 1) {
    const search = `severity:critical customer:"Nobody ${rule}"`;
    const body = { name: `Rule ${rule}`, search, events: ['new'], destinationIds: [id] };
    await call(client, 'POST', '/api/outgoing/rules', body);
  }
  // Rules stay where their destination is deleted.
  if (!hasDestination) await call(client, 'DELETE', `/api/outgoing/destinations/${id}`);
}
