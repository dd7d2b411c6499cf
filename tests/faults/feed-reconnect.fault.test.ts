import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { followFeed, readAllAlerts } from '#tests/support/feed-follower.ts';
import { type FeedServers, startFeedServers } from '#tests/support/feed-servers.ts';
import { RUNS_LONG } from '#tests/support/what-runs-where.ts';

/** Alerts that are there before, as many as a page of a list shows. */
const ALERTS = 100;

/** What befalls Redis while pages are away, and how it ends. */
const FAULTS: [
  name: string,
  begin: (redis: FeedServers['redis']) => unknown,
  end: (redis: FeedServers['redis']) => unknown,
][] = [
  ['nothing happens to Redis', () => undefined, () => undefined],
  ['Redis is killed', (redis) => redis?.kill(), (redis) => redis?.start()],
  ['Redis is frozen', (redis) => redis?.freeze(), (redis) => redis?.thaw()],
  ['Redis forgets everything', (redis) => redis?.run(['FLUSHALL']), () => undefined],
];

/** A body of usual length. */
const bodyOf = (number: number) => ({
  title: `Disk ${number} is 95 % full`,
  customer: 'Nordwind',
  alertType: 'disk',
  host: `node-${number}.example.com`,
  message: 'The response found checkout latency in region eu-west; restart the pod and wait for the queue to drain.',
});

test.each(RUNS_LONG ? FAULTS : FAULTS.slice(0, 2))(
  'pages that missed ten changes while %s ask once each, and read nothing again',
  async (fault, begin, end) => {
    const { servers, redis, admin, key } = await startFeedServers(3);
    const at = (number: number) => admin.at(servers[number % servers.length]?.url.origin ?? '');
    const ids: string[] = [];
    for (let number = 0; number < ALERTS; number += 1) ids.push((await at(number).postAlert(key, bodyOf(number))).id);
    const pages = servers.map((_, number) => followFeed(() => at(number)));
    onTestFinished(() => pages.forEach((page) => page.close()));
    const known = (all: readonly string[]) => pages.map(({ versions }) => all.filter((id) => !versions.has(id)).length);
    await expect.poll(() => known(ids)).toEqual(pages.map(() => 0));
    // Places are sent once a second at most.
    await expect.poll(() => pages.map(({ isPlaced }) => isPlaced)).toEqual(pages.map(() => true));

    pages.forEach((page) => page.leave());
    await begin(redis);
    for (let number = 0; number < 4; number += 1)
      ids.push((await at(number).postAlert(key, bodyOf(ALERTS + number))).id);
    for (const [number, id] of ids.slice(0, 4).entries()) await at(number).send('POST', `/api/alerts/${id}/accept`);
    await at(1).send('POST', `/api/alerts/${ids[4]}/snooze`, { minutes: 60 });
    await at(2).send('DELETE', `/api/webhooks/${ids[5]}`);
    pages.forEach((page) => page.comeBack());

    const alerts = await readAllAlerts(admin);
    const missing = () =>
      pages.map(({ versions }) => [
        ...[...alerts.values()].filter(({ id, version }) => versions.get(id) !== version).map(({ id }) => id),
        ...(versions.get(ids[5] ?? '') === Infinity ? [] : ['the deletion']),
      ]);
    await expect.poll(missing).toEqual(pages.map(() => []));
    const counted = pages.map(({ asked, readings, askedBytes }) => ({ asked, readings, askedBytes }));
    expect(counted).toEqual(pages.map(() => ({ asked: 1, readings: 1, askedBytes: expect.any(Number) as number })));
    await end(redis);
    const list = Buffer.byteLength(await (await admin.get(`/api/alerts/inbox?limit=${ALERTS}`)).text());
    process.stdout.write(`${JSON.stringify({ fault, servers: servers.length, counted, bytesOfTheList: list })}\n`);
  },
  120_000,
);
