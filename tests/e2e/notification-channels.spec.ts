import * as z from 'zod/mini';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import { viewSchema } from '#backend/contract/view.ts';
import { customerSchema } from '#backend/contract/mute.ts';
import { WEEKDAYS } from '#backend/contract/notification-settings.ts';
import type { Device } from '#tests/support/push-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD } from '#tests/support/test-server.ts';
import { deliverPush, lookAtDevice, lookAway } from './support/browser-device.ts';
import { expect } from './support/fixtures.ts';
import { type Pushing, test } from './support/pushing.ts';
import { type AnnouncingDevice, noteAnnouncements } from './support/announcing-device.ts';

/** docs/decisions/0017, row by row: how a device announces an alert. */
const TABLE = {
  yes: {
    inFront: ['toast', 'sound'],
    behindWithPush: ['push notification', 'sound'],
    behindWithoutPush: ['page notification', 'sound'],
    behindSwitchedOff: ['toast'],
  },
  unwanted: { inFront: [], behindWithPush: [], behindWithoutPush: [], behindSwitchedOff: [] },
  quiet: { inFront: ['toast'], behindWithPush: [], behindWithoutPush: [], behindSwitchedOff: [] },
  paused: { inFront: ['toast'], behindWithPush: [], behindWithoutPush: [], behindSwitchedOff: [] },
} as const;
type Verdict = keyof typeof TABLE;
type Place = keyof (typeof TABLE)[Verdict];

/** The alerts of each step: mutes are of the first one's customer and type, and leave the second one alone. */
const ALERTS = [
  { customer: 'Nordwind', type: 'disk.full' },
  { customer: 'Atlas', type: 'link.down' },
] as const;

/** What a person decides in one step, and what is to become of each of the two alerts then. */
interface Step {
  decide: (member: Member) => Promise<unknown>;
  verdicts: readonly [Verdict, Verdict];
}

/** One after the other: what was decided before stays until it is taken back. */
const STEPS: readonly Step[] = [
  { decide: async () => undefined, verdicts: ['yes', 'yes'] },
  {
    decide: ({ send, nordwind }) => send('POST', '/api/customer-mutes', { customerId: nordwind }),
    verdicts: ['unwanted', 'yes'],
  },
  {
    // A customer's mute is more specific than a view; a view than the level for all.
    decide: async ({ send, nordwind: customerId, views: { nordwind, links } }) => {
      // One of them begins with this step.
      await send('POST', '/api/customer-mutes', { customerId });
      await send('PUT', `/api/views/${nordwind}/notify`, { notify: 'always' });
      await send('PUT', `/api/views/${links}/notify`, { notify: 'never' });
    },
    verdicts: ['unwanted', 'unwanted'],
  },
  {
    decide: async ({ send, nordwind, views }) => {
      for (const id of Object.values(views)) await send('PUT', `/api/views/${id}/notify`, { notify: 'settings' });
      await send('DELETE', `/api/customer-mutes/${nordwind}`);
      await send('POST', '/api/alert-types/mutes', { alertType: 'disk.full' });
    },
    verdicts: ['unwanted', 'yes'],
  },
  { decide: ({ send }) => send('PATCH', SETTINGS, { quietHours: hours(true) }), verdicts: ['unwanted', 'quiet'] },
  {
    decide: async ({ send }) => {
      const pausedUntil = new Date(Date.now() + 60 * 60_000).toISOString();
      await send('PATCH', SETTINGS, { quietHours: hours(false), pausedUntil });
    },
    verdicts: ['unwanted', 'paused'],
  },
  {
    decide: async ({ send }) => {
      await send('PATCH', SETTINGS, { pausedUntil: null });
      await send('DELETE', '/api/alert-types/mutes/disk.full');
    },
    verdicts: ['yes', 'yes'],
  },
];

const SETTINGS = '/api/notification-settings';
/** The same time twice is the whole day. */
const hours = (isOn: boolean) => ({ isOn, days: WEEKDAYS, from: '00:00', to: '00:00', timeZone: 'UTC' });

/** A person with two devices, one of them with push. */
interface Member {
  send: (method: string, path: string, body?: unknown) => Promise<void>;
  nordwind: string;
  /** Ids of views: of the customer of the first alert, and of the type of the second one. */
  views: { nordwind: string; links: string };
  push: Device;
  withPush: AnnouncingDevice;
  withoutPush: AnnouncingDevice;
  /** Where the one without push announces when it is behind. */
  placeBehind: Place;
  /** What each is to have announced so far, and what was pushed. */
  expected: { withPush: string[]; withoutPush: string[]; pushed: string[] };
}

async function memberOf(pushing: Pushing, client: TestClient, placeBehind: Place): Promise<Member> {
  const { server, service, openBrowser } = pushing;
  const send: Member['send'] = async (method, path, body) => {
    const response = await client.send(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  };
  const customers = z.array(customerSchema).parse(await (await client.get('/api/customers')).json());
  for (const { type } of ALERTS) await send('PUT', `${SETTINGS}/sounds`, { alertType: type, sound: 'ping' });
  const { device, keys } = service.enrol();
  const withPush = await openBrowser(client, {
    path: ELSEWHERE,
    permission: 'granted',
    subscribing: { endpoint: device.endpoint, keys },
  });
  const subscriptions = async () =>
    z.array(z.unknown()).parse(await (await client.get('/api/push/subscriptions')).json());
  await expect.poll(async () => (await subscriptions()).length).toBe(1);
  const elsewhere = server.anonymous();
  await elsewhere.signIn(`${client.id}@example.com`, TEST_PASSWORD);
  const permission = placeBehind === 'behindSwitchedOff' ? 'denied' : 'granted';
  const withoutPush = await openBrowser(elsewhere, { permission, path: ELSEWHERE });
  return {
    send,
    nordwind: customers.find(({ name }) => name === 'Nordwind')?.id ?? '',
    views: {
      nordwind: await saveView(client, 'customer:Nordwind'),
      links: await saveView(client, 'type:link.down'),
    },
    push: device,
    withPush: await noteAnnouncements(withPush, device),
    withoutPush: await noteAnnouncements(withoutPush),
    placeBehind,
    expected: { withPush: [], withoutPush: [], pushed: [] },
  };
}

const saveView = async (client: TestClient, search: string): Promise<string> =>
  viewSchema.parse(await (await client.send('POST', '/api/views', { name: search, list: 'inbox', search })).json()).id;

/** Not the inbox: what is on screen there makes no toast. */
const ELSEWHERE = '/my-alerts';

/** Notes what the table says of an alert. */
function expectAnnounced(
  member: Member,
  alertId: string,
  customer: string,
  verdict: Verdict,
  isPushInFront: boolean,
): void {
  const { expected, placeBehind } = member;
  const wordsOf = (place: Place): string[] =>
    TABLE[verdict][place].map((channel) => {
      if (channel === 'toast') return `toast New alert received Alert from ${customer}`;
      return channel === 'sound' ? channel : `${channel} ${tagOfAlert(alertId)}`;
    });
  expected.withPush.push(...wordsOf(isPushInFront ? 'inFront' : 'behindWithPush'));
  expected.withoutPush.push(...wordsOf(isPushInFront ? placeBehind : 'inFront'));
  if (verdict === 'yes') expected.pushed.push(alertId);
}

/** Compares all that was ever announced and pushed with what should have been: what comes late is found with the next alert. */
async function expectAllNotified({ push, withPush, withoutPush, expected }: Member): Promise<void> {
  const pushed = () => push.messages.map((message) => message.type === 'new_alert' && message.alertId);
  await expect.poll(pushed).toEqual(expected.pushed);
  await withPush.deliver();
  await expect.poll(withPush.announced).toEqual(expected.withPush.toSorted());
  await expect.poll(withoutPush.announced).toEqual(expected.withoutPush.toSorted());
}

test('two people with two devices each are notified of every alert once, and by no channel that they do not want', async ({
  pushing,
}) => {
  test.slow();
  const { server, apiKey, mara } = pushing;
  const sender = server.anonymous();
  // Only what has come can be muted.
  for (const alert of ALERTS) await sender.postAlert(apiKey, alert);
  const people = [
    await memberOf(pushing, mara, 'behindWithoutPush'),
    await memberOf(pushing, await server.signedIn(), 'behindSwitchedOff'),
  ];
  const devices = people.flatMap(({ withPush, withoutPush }) => [withPush, withoutPush]);

  let count = ALERTS.length;
  for (const round of [0, 1]) {
    // One has the device with push in front of them, the other the one without; then the other way round.
    for (const [index, { withPush, withoutPush }] of people.entries()) {
      const isPushInFront = (round + index) % 2 === 1;
      await lookAway((isPushInFront ? withoutPush : withPush).page);
      await lookAtDevice((isPushInFront ? withPush : withoutPush).page);
    }
    for (let step = 0; step < STEPS.length; step += 1) {
      // They are never at the same step.
      const steps = people.map((_, index) => STEPS[(step + index * 2) % STEPS.length] as Step);
      for (const [index, member] of people.entries()) await steps[index]?.decide(member);
      for (const [which, alert] of ALERTS.entries()) {
        const { id } = await sender.postAlert(apiKey, alert);
        count += 1;
        for (const { page } of devices) await expect(page).toHaveTitle(`(${count}) Alertdesk`);
        for (const [index, member] of people.entries()) {
          const verdict = steps[index]?.verdicts[which] as Verdict;
          expectAnnounced(member, id, alert.customer, verdict, (round + index) % 2 === 1);
        }
        await Promise.all(people.map(expectAllNotified));
        await Promise.all(devices.map((device) => device.rest()));
      }
    }
  }

  // A push that is shown whatever is queued behind it: nothing is still to come from those before.
  for (const { withPush, expected } of people) {
    await deliverPush(withPush.page, { type: 'test', title: 'Test', body: '', tag: 'test', url: '/' });
    await expect.poll(withPush.announced).toEqual([...expected.withPush, 'push notification test'].toSorted());
  }
});
