import type { AlertSeverity } from '#backend/contract/alert.ts';
import { plainTextOf, wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import { type KindModule, below, isLoud, json } from './kind.ts';

/** From 0 to 10: the Android app is silent below 4 and vibrates from 8 on (https://gotify.net/docs/pushmsg). */
const PRIORITIES: Record<AlertSeverity, number> = { critical: 10, high: 8, warning: 5, low: 3, info: 2, none: 5 };

/** An application of Gotify (https://gotify.net/api-docs, "createMessage"). */
export const gotifyKind: KindModule = {
  label: 'Gotify',
  isForPeople: true,
  pauseMs: 0,
  render({ url, secrets }, { payload }) {
    const words = wordsOf(payload);
    const priority = PRIORITIES[payload.data.alert.severity];
    return json(
      below(url, 'message'),
      {
        title: words.title,
        message: plainTextOf(words),
        priority: isLoud(payload) ? priority : Math.min(3, priority),
        ...(words.link !== null && { extras: { 'client::notification': { click: { url: words.link } } } }),
      },
      { 'X-Gotify-Key': secrets.token ?? '' },
    );
  },
  explain(status) {
    if (status === 401 || status === 403)
      return 'The application token is not right. Copy it again in Gotify, under Apps.';
    if (status === 404) return 'There is no Gotify server at this address.';
    return undefined;
  },
};
