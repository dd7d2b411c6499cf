import { expect, it } from 'vitest';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import { NO_SETTINGS, type Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { discordKind } from './discord.ts';
import type { RenderedMessage } from './kind.ts';
import { mattermostBotKind } from './mattermost-bot.ts';

const RUNBOOK = 'https://wiki-1.example.com/disk_full/db-7?at=~now#step-2';

const target: Target = {
  ...NO_SETTINGS,
  id: 'id',
  kind: 'discord',
  name: 'Somewhere',
  url: 'https://chat.example.com',
  room: 'a'.repeat(26),
  recipients: [],
  customers: [],
  ticketTemplates: {},
  completesAlert: true,
  secrets: { url: 'https://discord.com/api/webhooks/1/x', token: 'tk_secret' },
  oldSecretUntil: null,
};

/** News of an alert with an address among its fields, and a note with one. */
const messageOf = (event: OutgoingEvent): RenderedMessage => ({
  id: 'id',
  now: 0,
  payload: contentOf(
    { ...SAMPLE_ALERT, payload: JSON.stringify({ runbook: RUNBOOK, host: '*db-7*' }) },
    { event, at: 0, by: null, note: { author: 'Ann', text: `**See** (${RUNBOOK})` } },
    new URL('https://alerts.example.com'),
  ),
});

const asText = (text: string): string => JSON.stringify(text).slice(1, -1);

it('leaves addresses in texts as they are, so that they lead where they are to lead, and no other marks', () => {
  const bodies = (['new', 'note'] as const).map((event) => {
    const message = messageOf(event);
    const { live } = mattermostBotKind;
    const asked = [
      discordKind.render(target, message),
      event === 'note' ? live?.reply?.(target, message, 'root') : live?.card(target, message, null),
    ];
    return asked.map((one) => (one?.via === 'http' ? one.body : ''));
  });
  const [news = [], notes = []] = bodies;
  for (const body of news) {
    expect(body).toContain(`"${RUNBOOK}"`);
    expect(body).toContain(asText(String.raw`\*db\-7\*`));
  }
  for (const body of notes) expect(body).toContain(asText(String.raw`\*\*See\*\* (${RUNBOOK})`));
});
