import { signIn } from '#scripts/demo/signed-in-client.ts';
import { ADMIN, type BenchServer, loadInTurn, startBenchServer } from './bench-server.ts';
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

/** Each variant on a server process and data of its own that live through all rounds. */
async function measureRules(
  database: BenchDatabase,
  options: BenchOptions,
  report: (line: string) => void,
): Promise<Record<RuleVariant, Measurement[]>> {
  const servers: { name: RuleVariant; server: BenchServer }[] = [];
  try {
    for (const name of RULE_VARIANTS) {
      const server = await startBenchServer('group commit', database);
      servers.push({ name, server });
      if (name !== 'no rule') await makeRules(server, name === 'three rules that match nothing');
    }
    return await loadInTurn(servers, { ...options, where: database.name }, report);
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()));
  }
}

async function makeRules({ url }: BenchServer, hasDestination: boolean): Promise<void> {
  const client = await signIn(new URL(url), ADMIN);
  const send = async (path: string, body: object): Promise<Response> => {
    const answer = await client.request('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const webhook = { kind: 'webhook', name: 'Nobody', url: 'https://receiver.example/' };
  const made = (await (await send('/api/outgoing/destinations', webhook)).json()) as { destination: { id: string } };
  const { id } = made.destination;
  for (let rule = 0; rule < RULES; rule += 1) {
    const search = `severity:critical customer:"Nobody ${rule}"`;
    await send('/api/outgoing/rules', { name: `Rule ${rule}`, search, events: ['new'], destinationIds: [id] });
  }
  // Rules stay where their destination is deleted.
  if (!hasDestination) await client.request('DELETE', `/api/outgoing/destinations/${id}`);
}
