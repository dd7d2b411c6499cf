import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { policyOf } from '#backend/intake/webhooks/deliver.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';

/** Dependencies of reporting an alert as resolved. */
export interface ReportResolvedDeps {
  sources: Pick<SourceRegistry, 'load'>;
  writer: Pick<AlertWriter, 'write'>;
}

/** Columns of an alert that its report repeats. */
export type ReportedAlert = Pick<
  StoredAlert,
  'id' | 'dedupKey' | 'payload' | 'latestPayload' | 'customer' | 'alertType' | 'url'
>;

/** Reports an alert as resolved in place of its sender, which sends nothing while the alert is silenced. */
export async function reportResolved(
  { sources, writer }: ReportResolvedDeps,
  sourceId: string,
  alert: ReportedAlert,
  now: number,
): Promise<void> {
  const source = await sources.load(sourceId);
  if (!source || alert.dedupKey === null) return;
  await writer.write({
    source: { id: source.id, name: source.name, secretId: null },
    isOwn: true,
    policy: policyOf(source.settings),
    receivedAt: now,
    events: [
      {
        payload: jsonText(alert.latestPayload ?? alert.payload),
        extraData: jsonText('{}'),
        customer: alert.customer,
        alertType: alert.alertType,
        url: alert.url,
        sender: null,
        groupKey: null,
        groupTitle: null,
        isTest: false,
        delivery: undefined,
        only: alert.id,
        title: null,
        severity: 'none',
        state: 'resolved',
        dedupKey: alert.dedupKey,
      },
    ],
  });
}
