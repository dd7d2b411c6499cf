import { afterAll, expect, onTestFinished, test } from 'vitest';
import { parseNetworks } from '#backend/outgoing/destinations/address-rule.ts';
import { createPost } from '#backend/outgoing/destinations/post.ts';
import {
  type SilenceChange,
  type DesiredState,
  withIntent,
  reconcile,
} from '#backend/outgoing/silences/reconcile-with-sender.ts';
import type { StoredSilence } from '#backend/outgoing/silences/silence-entities.ts';
import { startZabbixSender, ZABBIX_TOKEN } from '#tests/support/zabbix-sender.ts';
import { OPSGENIE, PAGERDUTY, SENTRY, type Vendor, ZABBIX } from '#tests/support/quiet-vendors.ts';
import type { VendorDouble } from '#tests/support/vendor-double.ts';
import { SENDER_KINDS } from './all-senders.ts';
import { SenderError, type SenderTarget, UnknownAlertError } from './sender-kind.ts';

const MINUTE = 60_000;

const post = createPost(parseNetworks('127.0.0.0/8'));
afterAll(() => post.close());

const NEW: StoredSilence = {
  id: '0198aaaa-0000-7000-8000-000000000001',
  sourceId: 's',
  alertId: 'a',
  subject: null,
  mark: null,
  silenceId: null,
  state: 'waiting',
  end: null,
  ownerName: null,
  endsAt: null,
  askedUntil: null,
  isStopped: false,
  revision: 1,
  failures: 0,
  fault: null,
  missingSince: null,
  nextAt: 0,
  claimedUntil: 0,
  createdAt: 0,
  finishedAt: null,
};

const RETURNED: DesiredState = { isWanted: false, why: 'released' };

const acceptedBy = (ownerName = 'Mara'): DesiredState => ({
  isWanted: true,
  ownerName,
  comment: `Accepted in Alertdesk by ${ownerName}.`,
  minutes: 240,
});

/** One vendor, and the row of one alert that is kept as the server keeps it. */
async function startWorld<Double extends VendorDouble>(vendor: Vendor<Double>, change: Partial<SenderTarget> = {}) {
  const double = await vendor.start();
  onTestFinished(() => double.receiver.stop());
  const kind = SENDER_KINDS[vendor.kind];
  const target = { url: double.url, auth: 'bearer', user: vendor.user, secret: vendor.secret, ...change } as const;
  const api = kind.createApi(post, target, new AbortController().signal);
  const subject = kind.subjectOf(vendor.payload);
  let row: StoredSilence = { ...NEW, subject: JSON.stringify(subject) };
  return {
    api,
    double,
    wanted: acceptedBy,
    row: () => row,
    /** Looks at the silence, as if it were later; a look that throws has stored only what it stored before it asked. */
    async look(desired: DesiredState, laterMs = 0): Promise<{ change: SilenceChange; fires?: boolean }> {
      const before = row;
      const now = Date.now() + laterMs;
      row = withIntent(row, desired, now);
      const times = { now, dueAt: now + MINUTE, askedBefore: before.askedUntil };
      const reconciled = await reconcile(row, desired, api, times);
      row = { ...row, ...reconciled.change, askedUntil: null };
      return reconciled;
    },
    writes: () => double.receiver.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('jsonrpc')),
  };
}

const VENDORS: readonly Vendor<VendorDouble>[] = [ZABBIX, PAGERDUTY, SENTRY, OPSGENIE];
for (const vendor of VENDORS) {
  const { kind } = vendor;

  test(`${kind}: what is accepted is quiet for its owner until a time, kept so, renewed, handed over and ended`, async () => {
    const { double, look, wanted, row, writes } = await startWorld(vendor);
    expect(await look(wanted())).toMatchObject({ change: { state: 'active', ownerName: 'Mara' } });
    expect(vendor.comments(double)).toEqual([`Accepted in Alertdesk by Mara. [alertdesk:${NEW.id}]`]);
    const until = vendor.quietUntil(double) ?? 0;
    expect(Math.abs(until - Date.now() - 240 * MINUTE)).toBeLessThan(MINUTE);
    expect(Math.abs((row().endsAt ?? 0) - until)).toBeLessThan(MINUTE);

    const before = writes().length;
    expect(await look(wanted())).toMatchObject({ change: { state: 'active' }, fires: true });
    expect(writes()).toHaveLength(before);

    vendor.moveEnd(double, Date.now() + 100 * MINUTE);
    const { endsAt } = row();
    Object.assign(row(), { endsAt: Date.now() + 100 * MINUTE });
    expect(await look(wanted())).toMatchObject({ change: { state: 'active' } });
    expect(Math.abs((vendor.quietUntil(double) ?? 0) - (endsAt ?? 0))).toBeLessThan(MINUTE);

    await look(wanted('Noor'));
    expect(vendor.comments(double).filter((comment) => comment.includes('by Noor'))).toHaveLength(1);

    expect(await look(RETURNED)).toMatchObject({ change: { state: 'ended', end: 'released', silenceId: null } });
    expect(vendor.quietUntil(double)).toBeUndefined();
  });

  test(`${kind}: what was made and never answered is recognised, also much later, and made once`, async () => {
    const { double, look, wanted } = await startWorld(vendor);
    double.losesAnswers = true;
    // A request at a time gets through, and the server is killed after each.
    for (let attempt = 0; attempt < vendor.steps; attempt += 1) await expect(look(wanted())).rejects.toThrow(/^502/);
    double.losesAnswers = false;
    const until = vendor.quietUntil(double);
    expect(await look(wanted(), 10 * MINUTE)).toMatchObject({ change: { state: 'active' } });
    expect(vendor.comments(double)).toHaveLength(1);
    expect(until === undefined || vendor.quietUntil(double) === until).toBe(true);
    await look(RETURNED);
    expect(vendor.quietUntil(double)).toBeUndefined();
  });

  test(`${kind}: what was begun and given back before its answer is ended`, async () => {
    const { double, look, wanted } = await startWorld(vendor);
    double.losesAnswers = true;
    for (let attempt = 0; attempt < vendor.steps; attempt += 1) await expect(look(wanted())).rejects.toThrow(/^502/);
    double.losesAnswers = false;
    await look(RETURNED);
    expect(vendor.quietUntil(double)).toBeUndefined();
  });

  test(`${kind}: what somebody ends there is not made again`, async () => {
    const { double, look, wanted } = await startWorld(vendor);
    await look(wanted());
    vendor.endThere(double);
    expect(await look(wanted())).toMatchObject({ change: { state: 'ended', end: 'ended-there', isStopped: true } });
    expect(vendor.quietUntil(double)).toBeUndefined();
  });

  test(`${kind}: what somebody there keeps quiet stays theirs, and is made once that is over`, async () => {
    const { double, look, wanted, writes } = await startWorld(vendor);
    vendor.holdThere(double);
    expect(await look(wanted())).toMatchObject({ change: { state: 'held', silenceId: null } });
    expect(await look(RETURNED)).toMatchObject({ change: { state: 'ended' } });
    expect(writes()).toEqual([]);
    expect(vendor.comments(double)).toEqual([]);
    vendor.endThere(double);
    expect(await look(wanted())).toMatchObject({ change: { state: 'active' } });
    // Somebody there decides otherwise: that is theirs again.
    vendor.holdThere(double);
    expect(await look(wanted())).toMatchObject({ change: { state: 'held' } });
  });

  test(`${kind}: what is over there is over, and nothing is asked for`, async () => {
    const { double, look, wanted, writes } = await startWorld(vendor);
    vendor.resolveThere(double);
    expect(await look(wanted())).toMatchObject({ change: { state: 'ended', end: 'resolved' }, fires: false });
    expect(writes()).toEqual([]);
  });

  test(`${kind}: errors are said in clear words`, async () => {
    const { double, api, look, wanted } = await startWorld(vendor);
    const unknown = await startWorld({ ...vendor, payload: vendor.unknown });
    await expect(unknown.look(wanted())).rejects.toThrow(UnknownAlertError);
    double.tooMany = 1;
    const tooMany = await look(wanted()).catch((error: unknown) => error);
    expect(tooMany).toBeInstanceOf(SenderError);
    expect((tooMany as SenderError).waitMs).toBeGreaterThan(0);
    expect((tooMany as SenderError).waitMs).toBeLessThan(4_000);
    expect(await api.tryOut()).toMatch(/^It answers/);
    vendor.forbid(double);
    await expect(look(wanted())).rejects.toThrow(vendor.forbidden);
    const wrong = await startWorld(vendor, { secret: 'letmein' });
    await expect(wrong.api.tryOut()).rejects.toThrow(vendor.wrongSecret);
    const elsewhere = await startWorld(vendor, { url: `${double.url}/elsewhere` });
    await expect(elsewhere.api.tryOut()).rejects.toThrow(/^404: There is no/);
    // No alert of it is unknown: its address is wrong.
    await expect(elsewhere.look(wanted())).rejects.toThrow(/^404: There is no/);
  });

  test(`${kind}: an alert that names nothing of it is not asked for`, () => {
    expect(SENDER_KINDS[kind].subjectOf({ title: 'Disk full' })).toBeUndefined();
    expect(SENDER_KINDS[kind].subjectOf([])).toBeUndefined();
  });
}

test('zabbix: what somebody else has acknowledged stays acknowledged', async () => {
  const { double, look, wanted } = await startWorld(ZABBIX);
  double.byHand(2);
  await look(wanted());
  await look(RETURNED);
  expect(double.isAcknowledged).toBe(true);
  expect(double.suppressedUntil()).toBeUndefined();
});

test('zabbix: a release that cannot suppress is named', async () => {
  const double = await startZabbixSender('6.0.30');
  onTestFinished(() => double.receiver.stop());
  const target = { url: `${double.url}/`, auth: 'bearer', user: '', secret: ZABBIX_TOKEN } as const;
  const api = SENDER_KINDS.zabbix.createApi(post, target, new AbortController().signal);
  await expect(api.tryOut()).rejects.toThrow('It is version 6.0.30. Zabbix can be asked to be quiet from version 6.4.');
});

test('pagerduty: what is completed is resolved where that is wanted', async () => {
  const { double, look, wanted } = await startWorld(PAGERDUTY);
  await look(wanted());
  await look({ isWanted: false, why: 'completed' });
  expect(double.status).toBe('resolved');
});

test('pagerduty: an email that is nobody’s is said', async () => {
  const { look, wanted } = await startWorld(PAGERDUTY, { user: 'nobody@nordwind.example' });
  await expect(look(wanted())).rejects.toThrow('400: No user of PagerDuty has the email that is entered here.');
});

test('opsgenie: requests that are processed later are waited for', async () => {
  const { double, look, wanted } = await startWorld(OPSGENIE);
  double.asksUntilDone = 1;
  expect(await look(wanted())).toMatchObject({ change: { state: 'active' } });
  expect(double.acknowledgedBy).toBe('Mara');
});

test('opsgenie: a plan without snooze is said', async () => {
  const { double, look, wanted } = await startWorld(OPSGENIE);
  double.hasNoSnooze = true;
  await expect(look(wanted())).rejects.toThrow(/^402: The plan of this Opsgenie account has no snooze/);
});
