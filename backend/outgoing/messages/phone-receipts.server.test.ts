import { expect, test } from 'vitest';
import { ownChannelListSchema, ownChannelSentSchema } from '#backend/contract/own-channel.ts';
import { receiptListSchema } from '#backend/contract/outgoing-receipt.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { json } from '#tests/support/outgoing-world.ts';
import { twilioGateway, twilioRules } from '#tests/support/phone-gateways.ts';

const on = useOutgoingServer();

const NUMBER = '+491705550401';

test.each([404, 409, 410, 413, 500])(
  'of a member’s phone, receipts leave out what its gateway says with a %i, and its owner reads it',
  async (status) => {
    const gateway = await on.receive(twilioRules('AC1', 'token'));
    const { destination } = await on.world.addDestination({
      ...twilioGateway(gateway.url, 'AC1', 'token'),
      name: 'Text messages',
    });
    const [owner, reader] = [await on.server.signedIn(), await on.server.signedIn()];
    const body = { kind: 'phone', name: 'Phone', gatewayId: destination.id, number: NUMBER };
    const added = await owner.send('POST', '/api/own-channels', body);
    const { channel } = ownChannelSentSchema.parse(await added.json());
    const sent = new URLSearchParams(gateway.taken()[0]?.body).get('Body') ?? '';
    const code = /code is (\d{6})/.exec(sent)?.[1];
    expect((await owner.send('POST', `/api/own-channels/${channel.id}/confirm`, { code })).status).toBe(200);

    const words = `${NUMBER} takes no messages`;
    gateway.answer({ status, body: words });
    const customer = crypto.randomUUID();
    const recipients = [{ kind: 'member' as const, id: owner.id }];
    const steps = [{ afterMinutes: 0, recipients, by: 'phone' as const }];
    await on.ladders.addLadder(customer, { steps, repeat: 0, isUrgent: false });
    const alertId = await on.post({ customer, title: 'Disk full' });
    const first = async () => {
      const list = receiptListSchema.parse(await json(reader.get(`/api/alerts/${alertId}/receipts`)));
      return list.receipts[0]?.attempts[0]?.answer;
    };
    await expect.poll(first).toBe(String(status));
    const { channels } = ownChannelListSchema.parse(await json(owner.get('/api/own-channels')));
    expect(channels[0]?.reason).toBe(`${status}: ${words}`);
  },
);
