import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import {
  NotificationSettingsEntity,
  createNotificationSettingsStore,
} from '#backend/outgoing/notifications/notification-settings.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import { sealingOf } from '#tests/support/sealing-of.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';
import { lastDigest } from '#backend/outgoing/notifications/digest-time.ts';
import { queueDigests } from './digests.ts';
import { MailEntity } from '#backend/platform/mail/mail-queue.ts';

const ZONE = 'Europe/Berlin';
const HOUR_MS = 60 * 60 * 1000;

let mailServer: TestMailServer;
let server: TestServer;
let apiKey: string;
let member: TestClient;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startTestServer({ ...MAIL, SMTP_URL: mailServer.url });
  apiKey = await server.addApiKey();
});
afterAll(async () => {
  await server.destroy();
  await mailServer.stop();
});
beforeEach(async () => {
  member = await server.signedIn();
});
afterEach(() => vi.useRealTimers());

const choose = (who: TestClient, digestAt: string | null, timeZone = ZONE) =>
  must(who.send('PATCH', '/api/notification-settings', { mail: { mentions: false, digestAt, timeZone } }));
/** Chooses a time of the member's at a moment. */
async function chooseAt(now: number, digestAt: string): Promise<void> {
  const { database } = server;
  const { id: sessionId } = await database.reads.getRepository(SessionEntity).findOneByOrFail({ userId: member.id });
  const store = createNotificationSettingsStore(database, () => now);
  const mail = { mentions: false, digestAt, timeZone: ZONE };
  await store.change({ id: member.id, sessionId } as Actor, { mail });
}
const newAlert = async (fields: object = {}) =>
  (await server.anonymous().postAlert(apiKey, { title: 'Disk full', ...fields })).id;
const mailsTo = (who: TestClient) => mailServer.mails.filter(({ to }) => to.includes(who.session?.email ?? ''));
const queued = () => server.database.reads.getRepository(MailEntity).count();
const dayOf = async (who: TestClient) =>
  (await server.database.reads.getRepository(NotificationSettingsEntity).findOneBy({ userId: who.id }))?.digestDay;
/** What clocks in the zone show so many hours from now. */
const clockIn = (hours: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' }).format(
    Date.now() + hours * HOUR_MS,
  );

/** Times of digests, five hours away or more, so that none comes by the server's own clock; the second on the same day. */
const [CLOCK, LATER] = /^(?:1[4-9]|2|0[01])/.test(clockIn(0)) ? ['08:00', '10:00'] : ['20:00', '22:00'];

/** The next time of a digest. */
const nextAt = (clock = CLOCK) => lastDigest(clock, ZONE, Date.now() + 24 * HOUR_MS).at;

/** The day that was decided on last by the server's own clock. */
const lastDay = (clock: string, timeZone = ZONE) => lastDigest(clock, timeZone, Date.now()).day;

/** Turns of the job at a moment, all at once. */
async function turnAt(now: number, on = server, turns = 1): Promise<void> {
  const sealing = await sealingOf(on);
  const deps = { config: on.config, database: on.database, logger: createLogger('silent'), sealing, now: () => now };
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: turns }, () => queueDigests(deps, signal)));
}
async function settled(): Promise<void> {
  await expect.poll(queued).toBe(0);
}

describe('a digest', () => {
  test('says where the alerts of its member stand, with links, and leaves out what is muted', async () => {
    const customer = `Loud ${crypto.randomUUID()}`;
    const inInbox = (await member.alerts('/api/alerts/inbox')).length + 1;
    const accepted = await newAlert({ title: 'Queue < 5 & stuck', severity: 'critical' });
    const started = await newAlert({ title: 'Slow page' });
    const snoozed = await newAlert({ title: 'Later' });
    for (const id of [accepted, started, snoozed]) await must(member.send('POST', `/api/alerts/${id}/accept`));
    await must(member.send('PATCH', `/api/webhooks/${started}/status`, { status: 'in-progress' }));
    await choose(member, CLOCK);
    const at = nextAt();
    const until = new Date(at + HOUR_MS).toISOString();
    await must(member.send('POST', `/api/alerts/${snoozed}/snooze`, { until }));
    await newAlert({ customer });
    await newAlert({ customer: 'Wanted' });
    const customers = (await (await member.get('/api/customers')).json()) as { id: string; name: string }[];
    const loud = customers.find(({ name }) => name === customer);
    await must(member.send('POST', '/api/customer-mutes', { customerId: loud?.id }));

    await turnAt(at + 1_000);
    await expect.poll(() => mailsTo(member).length).toBe(1);
    const [mail] = mailsTo(member);
    for (const text of [
      `${inInbox} ${inInbox === 1 ? 'alert' : 'alerts'} of the last 24 hours in the inbox`,
      '1 alert of yours accepted',
      '1 alert of yours in progress',
      '1 alert of yours snoozed until today',
      `http://127.0.0.1:4400/alert/${accepted}`,
      `http://127.0.0.1:4400/alert/${started}`,
      'Queue &lt; 5 &amp; stuck',
      `(${ZONE})`,
    ]) {
      expect(mail?.text).toContain(text);
    }
    expect(mail?.text).not.toContain(`/alert/${snoozed}`);
    expect(mail?.text.indexOf(accepted)).toBeLessThan(mail?.text.indexOf(started) ?? 0);
    expect(mail?.source).toMatch(new RegExp(`^Subject: Alertdesk: ${inInbox} new, 2 open, 1 waking today`, 'm'));
    expect(mail?.source).toMatch(/^List-Unsubscribe:\s+<http:\/\/127\.0\.0\.1:4400\/api\/unsubscribe\?token=/m);
    await must(member.send('POST', `/api/alerts/${accepted}/unaccept`));
    await must(member.send('POST', `/api/alerts/${started}/unaccept`));
  });

  test('counts all that its member has, however much that is, and names the most severe of it', async () => {
    const touchedAt = Date.now();
    await insertAlerts(
      server.database,
      Array.from({ length: 1_001 }, () => ({ status: 'accepted' as const, ownerId: member.id, touchedAt })),
    );
    const newest = await newAlert({ title: 'Power lost', severity: 'critical' });
    await must(member.send('POST', `/api/alerts/${newest}/accept`));
    await choose(member, CLOCK);
    await turnAt(nextAt() + 24 * HOUR_MS);
    await expect.poll(() => mailsTo(member).length).toBe(1);
    const [mail] = mailsTo(member);
    for (const text of [
      '1,002 alerts of yours accepted',
      'more than 1,000 alerts of yours not touched for a day',
      'critical: Power lost',
      'And 992 more',
    ])
      expect(mail?.text).toContain(text);
    expect(mail?.source).toMatch(/^Subject: Alertdesk: .*1,002 open/m);
  });

  test('comes once for a day, however often it is looked at, by whoever at once', async () => {
    await newAlert();
    await choose(member, CLOCK);
    const at = nextAt();
    await turnAt(at - 1_000);
    expect(await queued()).toBe(0);
    await turnAt(at, server, 6);
    await turnAt(at + 2 * HOUR_MS);
    await expect.poll(() => mailsTo(member).length).toBe(1);
    await settled();
    expect(mailsTo(member)).toHaveLength(1);
  });

  test('is not made up for when it is chosen after its time, and comes the same day where a later time is chosen then', async () => {
    await newAlert();
    const at = nextAt();
    await chooseAt(at + HOUR_MS, CLOCK);
    await turnAt(at + HOUR_MS);
    await chooseAt(at + HOUR_MS, LATER);
    await turnAt(at + 1.9 * HOUR_MS);
    await settled();
    expect(mailsTo(member)).toEqual([]);
    await turnAt(at + 2 * HOUR_MS);
    await settled();
    expect(mailsTo(member)).toHaveLength(1);
  });

  test('is not sent again with another time of the day', async () => {
    await newAlert();
    await choose(member, CLOCK);
    const at = nextAt();
    await turnAt(at);
    await chooseAt(at + HOUR_MS, LATER);
    await turnAt(at + 2 * HOUR_MS);
    await settled();
    expect(mailsTo(member)).toHaveLength(1);
  });

  test('that was missed comes up to three hours late, and not later', async () => {
    await newAlert();
    const late = await server.signedIn();
    // Whatever time it is now, what just came is of the last 24 hours by then.
    const [clock, earlier] = [clockIn(12), clockIn(10)];
    await choose(member, clock);
    await choose(late, earlier);
    const at = nextAt(clock);
    await turnAt(at + 2 * HOUR_MS);
    await settled();
    expect(mailsTo(member)).toHaveLength(1);
    // Four hours late by then.
    expect(mailsTo(late)).toEqual([]);
    expect(await dayOf(late)).toBe(lastDigest(earlier, ZONE, at + 2 * HOUR_MS).day);
  });

  test('is not for who has nothing, is disabled, or wants none any more', async () => {
    const own = await startTestServer({ ...MAIL, SMTP_URL: mailServer.url });
    const members = [await own.signedIn(), await own.signedIn(), await own.signedIn()] as const;
    const [idle, disabled, ended] = members;
    for (const one of members) await choose(one, CLOCK);
    const at = nextAt();
    await turnAt(at, own);
    expect(await own.database.reads.getRepository(MailEntity).count()).toBe(0);
    // The day has gone by for who had nothing, too.
    const key = await own.addApiKey();
    const { id } = await own.anonymous().postAlert(key, { title: 'Late' });
    await turnAt(at + HOUR_MS, own);
    expect(await own.database.reads.getRepository(MailEntity).count()).toBe(0);
    await must(idle.send('POST', `/api/alerts/${id}/accept`));
    const admin = await own.signedIn({ role: 'admin' });
    await must(admin.send('PATCH', `/api/auth/users/${disabled.id}/toggle-active`));
    await choose(ended, null);
    // The same time of the next day, also where clocks are changed in between.
    await turnAt(lastDigest(CLOCK, ZONE, at + 26 * HOUR_MS).at, own);
    await expect.poll(() => mailsTo(idle).length).toBe(1);
    expect([mailsTo(disabled), mailsTo(ended)]).toEqual([[], []]);
    await own.destroy();
  });

  test('follows the time zone of the account', async () => {
    await newAlert();
    // Some hours away in both zones.
    const clock = clockIn(12);
    await choose(member, clock);
    await must(member.send('PATCH', '/api/auth/profile', { timeZone: 'Asia/Tokyo' }));
    const inTokyo = lastDigest(clock, 'Asia/Tokyo', Date.now() + 24 * HOUR_MS).at;
    await server.database.transaction((tx) =>
      tx
        .getRepository(NotificationSettingsEntity)
        .update({ userId: member.id }, { digestDay: lastDay(clock, 'Asia/Tokyo') }),
    );
    await turnAt(inTokyo + 1_000);
    await expect.poll(() => mailsTo(member).length).toBe(1);
    expect(mailsTo(member)[0]?.text).toContain('(Asia/Tokyo)');

    // One that this machine does not know keeps nobody from theirs.
    await server.database.transaction(async (tx) => {
      await tx.getRepository(UserEntity).update({ id: member.id }, { timeZone: 'Mars/Base' });
      await tx.getRepository(NotificationSettingsEntity).update({ userId: member.id }, { digestDay: lastDay(clock) });
    });
    await turnAt(nextAt(clock) + 1_000);
    await expect.poll(() => mailsTo(member).length).toBe(2);
    expect(mailsTo(member)[1]?.text).toContain(`(${ZONE})`);
  });
});

test.runIf(process.env['TEST_DIALECT'] === 'mysql')(
  'of two servers one mails a digest, also after a restart',
  async () => {
    const first = await startTestServer({ ...MAIL, SMTP_URL: mailServer.url }, { isOneOfSeveral: true });
    const second = await first.startSecond();
    let again: TestServer | undefined;
    try {
      const people = await Promise.all(Array.from({ length: 5 }, () => first.signedIn()));
      const key = await first.addApiKey();
      await first.anonymous().postAlert(key, { title: 'Disk full' });
      for (const one of people) await choose(one, CLOCK);
      const at = nextAt();
      await Promise.all([turnAt(at, first), turnAt(at, second), turnAt(at + 1, first)]);
      vi.useFakeTimers({ toFake: ['Date'], now: at + 60_000 });
      await first.stop();
      again = await first.startSecond();
      await expect.poll(() => people.flatMap(mailsTo).length).toBeGreaterThanOrEqual(people.length);
      await expect.poll(() => again?.database.reads.getRepository(MailEntity).count()).toBe(0);
      expect(people.map((one) => mailsTo(one).length)).toEqual([1, 1, 1, 1, 1]);
    } finally {
      vi.useRealTimers();
      await second.stop();
      await again?.stop();
      await first.destroy();
    }
  },
);
