import process from 'node:process';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type StormProxy, judge, rageFor } from '#tests/support/cluster-storm.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { provideGalera } from '#tests/support/galera.ts';
import { type GaleraWorld, startGaleraWorld } from '#tests/support/galera-world.ts';
import { makeCertificate } from '#tests/support/make-certificate.ts';
import { freePort } from '#tests/support/mariadb.ts';
import { hasCluster } from '#tests/support/redis.ts';
import { PROXY_EXAMPLES, provideProxy, startProxy } from '#tests/support/run-proxy.ts';

/** `CLUSTER_MINUTES=10` lets it rage for so long; without, it is not run: a minute shows less than it takes. */
const MINUTES = Number(process.env['CLUSTER_MINUTES'] ?? 0);

const isRun = MINUTES > 0 && hasCluster && (await provideGalera());

const trusted = tls.getCACertificates('default');
const certificate = makeCertificate('localhost');
beforeAll(() => tls.setDefaultCACertificates([...trusted, certificate.cert]));
afterAll(() => tls.setDefaultCACertificates(trusted));

/** HAProxy in front of the first two servers, where there is one. */
async function proxyFor(world: GaleraWorld): Promise<StormProxy | undefined> {
  const example = PROXY_EXAMPLES.find(({ name }) => name === 'HAProxy');
  const program = example && (await provideProxy(example));
  if (!example || program === undefined) return undefined;
  const port = await freePort();
  const servers = world.servers.slice(0, 2).map(({ url }) => url.host);
  const start = () => startProxy(example, program, { servers, port, certificate });
  let stop = await start();
  onTestFinished(() => stop());
  return {
    origin: `https://localhost:${port}`,
    kill: () => stop(),
    async start() {
      stop = await start();
    },
  };
}

test.runIf(isRun)(
  'whatever is killed while twenty senders post and people work: nothing lost, doubled, owned twice or unexpected',
  async () => {
    const world = await startGaleraWorld({ PUBLIC_URL: 'https://localhost', TRUST_PROXY: '1' });
    onTestFinished(() => world.stop());
    const proxy = await proxyFor(world);
    const storm = await rageFor(world, { milliseconds: MINUTES * 60_000, ...(proxy && { proxy }) });
    for (const [node] of world.cluster.nodes.entries()) {
      const database = await world.open(node);
      await judge(storm, database);
      await expectTrueCounts(database);
    }
    process.stdout.write(`${JSON.stringify(storm.report, undefined, 2)}\n`);
    expect(storm.stored.size).toBeGreaterThan(100);
    expect(storm.report.accepted).toBeGreaterThan(10);
    expect(storm.report).toMatchObject({ lost: [], duplicated: [], twoOwners: [], unexpected: [] });
  },
  MINUTES * 60_000 + 300_000,
);
