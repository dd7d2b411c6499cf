import type { AlertSeverity } from '#backend/contract/alert.ts';
import { plainTextOf, wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import { type KindModule, cutBytes, isLoud, json } from './kind.ts';

/** From 1 to 5, 3 by default (https://docs.ntfy.sh/publish/#message-priority). */
const PRIORITIES: Record<AlertSeverity, number> = { critical: 5, high: 4, warning: 3, low: 2, info: 2, none: 3 };

/** Longer messages become attachments (https://docs.ntfy.sh/publish/#limitations), in bytes. */
const MAX_MESSAGE_BYTES = 4_096;

/** A topic of ntfy (https://docs.ntfy.sh/publish/#publish-as-json). */
export const ntfyKind: KindModule = {
  label: 'ntfy',
  isForPeople: true,
  pauseMs: 0,
  render({ url, topic, secrets }, { payload }) {
    const words = wordsOf(payload);
    const { severity } = payload.data.alert;
    return json(
      url ?? '',
      {
        topic,
        title: words.title,
        message: cutBytes(plainTextOf(words), MAX_MESSAGE_BYTES),
        priority: isLoud(payload) ? PRIORITIES[severity] : Math.min(3, PRIORITIES[severity]),
        ...(words.link !== null && { click: words.link }),
      },
      secrets.token ? { Authorization: `Bearer ${secrets.token}` } : {},
    );
  },
  explain(status) {
    if (status === 401) return 'The access token is not right. Make another one in ntfy and enter it.';
    if (status === 403) return 'The topic may not be written to with this token. Give it access in ntfy.';
    if (status === 404) return 'There is no ntfy server at this address.';
    return undefined;
  },
};
