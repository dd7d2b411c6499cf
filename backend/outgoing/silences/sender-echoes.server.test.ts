import { expect, onTestFinished, test } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { PAGERDUTY_INCIDENT } from '#tests/support/pagerduty-sender.ts';
import { OPSGENIE, PAGERDUTY, SENTRY, type Vendor, ZABBIX } from '#tests/support/quiet-vendors.ts';
import { pagerdutyIncident, useSilencingServer } from '#tests/support/silencing-server.ts';
import type { VendorDouble } from '#tests/support/vendor-double.ts';

const { server, admin, addSource, put, silenceOf, accept, inbox } = useSilencingServer();
const alertOf = async (id: string) => (await (await admin().get(`/api/alerts/${id}`)).json()) as Alert;
const giveBack = (id: string) => admin().send('POST', `/api/alerts/${id}/unaccept`, {});

/** What a vendor's webhook says of what Alertdesk did there. */
interface Echoes {
  vendor: Vendor<VendorDouble>;
  firing: object;
  quieted: object[];
  unquieted: object[];
  /** What the first of these says again, of somebody there. */
  byHand: object;
  /** What that comes to. */
  news: object;
}

const opsgenie = (action: string, more: object = {}) => ({
  action,
  integrationId: 'i',
  alert: { ...(OPSGENIE.payload as { alert: object }).alert, alias: 'stuck', message: 'Queue is stuck', ...more },
});
const sentry = (action: string, more: object = {}) => ({
  action,
  data: { issue: { ...(SENTRY.payload as { data: { issue: object } }).data.issue, title: 'Queue is stuck', ...more } },
});
const zabbix = (update: string) => ({ ...ZABBIX.payload, trigger: 'Queue is stuck', status: 'PROBLEM', update });
const COMMENT = 'Accepted in Alertdesk by Mara. [alertdesk:0198]';

const ECHOES: readonly Echoes[] = [
  {
    vendor: PAGERDUTY,
    firing: pagerdutyIncident('triggered'),
    quieted: [
      pagerdutyIncident('acknowledged'),
      pagerdutyIncident('annotated', {
        id: 'PNOTE',
        type: 'incident_note',
        content: COMMENT,
        incident: { id: PAGERDUTY_INCIDENT },
      }),
    ],
    unquieted: [pagerdutyIncident('unacknowledged', { status: 'triggered' })],
    byHand: pagerdutyIncident('acknowledged'),
    news: { state: 'acknowledged' },
  },
  {
    vendor: OPSGENIE,
    firing: opsgenie('Create'),
    quieted: [opsgenie('Acknowledge', { note: COMMENT }), opsgenie('Snooze'), opsgenie('AddNote', { note: COMMENT })],
    unquieted: [opsgenie('UnAcknowledge')],
    byHand: opsgenie('Acknowledge'),
    news: { state: 'acknowledged' },
  },
  {
    vendor: SENTRY,
    firing: sentry('created'),
    quieted: [
      sentry('archived', { status: 'ignored', statusDetails: { ignoreUntil: '2030-01-01T00:00:00Z' } }),
      { action: 'created', data: { comment: COMMENT, comment_id: 1, issue_id: 5_550_001, project_slug: 'web' } },
    ],
    unquieted: [sentry('unresolved', { status: 'unresolved', substatus: 'ongoing' })],
    byHand: sentry('archived', { status: 'ignored', statusDetails: { ignoreUntil: '2030-01-01T00:00:00Z' } }),
    news: { state: 'acknowledged' },
  },
  {
    vendor: ZABBIX,
    firing: zabbix(''),
    quieted: [zabbix(COMMENT)],
    unquieted: [zabbix('No longer accepted in Alertdesk. [alertdesk:0198]')],
    byHand: zabbix('I am on my way'),
    news: { state: 'firing', occurrences: 2 },
  },
];

test.each(ECHOES.map((echoes) => [echoes.vendor.kind, echoes] as const))(
  '%s: the webhooks of what Alertdesk itself did change nothing, and make no loop',
  async (kind, { vendor, firing, quieted, unquieted, byHand, news }) => {
    const double = await vendor.start();
    onTestFinished(() => double.receiver.stop());
    const source = await addSource(kind);
    await put(source.id, { kind, url: double.url, user: vendor.user, secret: vendor.secret });
    const { id } = await admin().postAlert(source.key, firing);
    await accept(id);
    await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active', ownerName: 'Mara', fault: null, kind });
    const before = await alertOf(id);
    for (const echo of quieted) await admin().post(source.key, echo);
    expect(await alertOf(id)).toEqual(before);

    await giveBack(id);
    await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'ended', end: 'released' });
    expect(vendor.quietUntil(double)).toBeUndefined();
    const after = await alertOf(id);
    for (const echo of unquieted) await admin().post(source.key, echo);
    expect(await alertOf(id)).toEqual(after);
    expect(await inbox()).toEqual(['Queue is stuck']);
    const outcomes = async () =>
      ((await (await admin().get(`/api/sources/${source.id}/deliveries`)).json()) as { outcome: string }[]).map(
        ({ outcome }) => outcome,
      );
    await expect.poll(outcomes).toEqual([...[...quieted, ...unquieted].map(() => 'ignored'), 'new']);

    // What somebody does there later is news.
    await server().database.transaction((tx) =>
      tx.query('UPDATE silences SET finished_at = 1 WHERE alert_id = ?', [id]),
    );
    await admin().post(source.key, byHand);
    expect(await alertOf(id)).toMatchObject(news);
  },
);
