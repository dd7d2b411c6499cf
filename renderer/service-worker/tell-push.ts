import { tagOfAlert } from '#backend/contract/announcement.ts';
import type { PushMessage } from '#backend/contract/push.ts';
import type { NoticeBoard } from '#renderer/lib/notifications/notice-board.ts';
import { type WorkerMessage, pathOfAlert } from '#renderer/lib/notifications/worker-messages.ts';
import { countOnBadge } from './count-on-badge.ts';
import type { ToldMemory } from './told-memory.ts';
import { appWindows } from './windows.ts';

/** A push that this version cannot read still says that something came. */
const UNREADABLE = { title: 'New alerts received', body: 'Open Alertdesk to see them', tag: 'new-alerts', path: '/' };

/**
 * Shows what a push tells. The server has decided that its member wants to be told; a window in front tells it itself,
 * so that nothing is told twice on one device (`backend/contract/announcement`).
 */
export async function tellPush(
  worker: ServiceWorkerGlobalScope,
  board: NoticeBoard,
  told: ToldMemory,
  message: PushMessage | undefined,
): Promise<void> {
  const windows = await appWindows(worker.clients);
  const isAttended = windows.some(({ focused }) => focused);
  if (!message) {
    if (!isAttended) await board.show(UNREADABLE);
    return;
  }
  const { title, body, tag } = message;
  switch (message.type) {
    case 'new_alert':
      if (!isAttended && !told.has(message.alertId))
        await board.tell([{ title, body, tag, path: pathOfAlert(message.alertId) }]);
      break;
    case 'new_alerts':
      if (!isAttended) await board.tellMany(message);
      break;
    case 'alert_withdrawn':
      // A browser that counts pushes without a notification is content with one that goes at once.
      if (!isAttended) await board.show({ title, body, tag, path: message.url, silent: true });
      await board.close([tag, ...message.alertIds.map(tagOfAlert)]);
      break;
    case 'test':
      await board.show({ title, body, tag, path: message.url });
      for (const page of windows) page.postMessage({ type: 'test-arrived' } satisfies WorkerMessage, []);
      return;
    default:
      return message satisfies never;
  }
  // Open pages count by themselves.
  if (windows.length === 0) await countOnBadge(worker.navigator);
}
