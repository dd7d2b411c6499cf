import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import { BUILT_IN_SOURCE } from '#backend/intake/write/incoming-delivery.ts';
import type { DestinationKind } from '#backend/contract/outgoing.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import type { HealthNews } from './record-results.ts';

/** A problem of a destination that is back within this time opens its alert again, in milliseconds. */
const REOPEN_MS = 15 * 60 * 1000;

/**
 * Makes an alert of a destination that fails, in the inbox that everybody sees, and resolves it when messages get through
 * again. Rules may send it to other destinations.
 */
export const createReportHealth =
  (writer: Pick<AlertWriter, 'write'>) =>
  async (
    { id, name, kind }: { id: string; name: string; kind: DestinationKind },
    news: NonNullable<HealthNews>,
  ): Promise<void> => {
    const reason = news.kind === 'failing' ? news.reason : 'Messages get through again.';
    const payload = { destination: name, kind: KINDS[kind].label, reason, page: 'Admin Panel, Outgoing' };
    await writer.write({
      source: { id: BUILT_IN_SOURCE, name: PRODUCT_NAME, secretId: null },
      isOwn: true,
      policy: { completesResolved: true, reopenWithinMs: REOPEN_MS, notifyAgainAfterMs: null },
      receivedAt: Date.now(),
      events: [
        {
          payload: jsonText(JSON.stringify(payload)),
          extraData: jsonText('{}'),
          customer: null,
          alertType: 'Outgoing',
          url: `/admin/outgoing/destinations/${id}`,
          sender: null,
          groupKey: null,
          groupTitle: null,
          isTest: false,
          delivery: undefined,
          title: `Messages to "${name}" do not get through`,
          severity: 'high',
          state: news.kind === 'failing' ? 'firing' : 'resolved',
          dedupKey: `outgoing:${id}`,
        },
      ],
    });
  };
