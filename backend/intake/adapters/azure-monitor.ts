import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import { readOlder } from './azure-older.ts';
import {
  type Found,
  choice,
  choose,
  find,
  joinFound,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';

const KEY = choice('originAlertId', 'alertId');
const METRIC = choice('metricName', 'metricMeasureColumn', 'searchQuery');

/** Azure Monitor's common alert schema, and those before it. */
export const azureMonitor: Adapter = {
  sender: 'azure-monitor',
  read({ body }) {
    const older = readOlder(body);
    if (older) return { drafts: [older] };
    const data = body.get('data');
    const essentials = data?.get('essentials');
    if (!essentials?.isObject) return { drafts: [] };
    const target = find(essentials.get('alertTargetIDs')?.items(1)[0]);
    const condition = find(essentials.get('monitorCondition'));
    const isResolved = condition?.value.toLowerCase() === 'resolved';
    return {
      drafts: [
        {
          element: body,
          title: find(essentials.get('description')) ?? titleOf(essentials, data?.get('alertContext')),
          customer: resourceGroup(target),
          alertType: find(essentials.get('alertRule')),
          severity: severityOf(find(essentials.get('severity'))),
          state: condition
            ? withValue<AlertState>(condition, isResolved ? 'resolved' : 'firing')
            : rule<AlertState>('firing', 'there is no monitorCondition'),
          dedupKey: choose(essentials, KEY),
          link: linkOf(portalLink(target)),
          at: timeOf(find(essentials.get(isResolved ? 'resolvedDateTime' : 'firedDateTime'))),
        },
      ],
    };
  },
};

/** `rule: metric on item`, as far as they are there. */
function titleOf(essentials: JsonValue, context: JsonValue | undefined): Found | undefined {
  const name = find(essentials.get('alertRule'));
  const metric = choose(context?.get('condition')?.get('allOf')?.items(1)[0], METRIC);
  const item = find(essentials.get('configurationItems')?.items(1)[0]);
  return joinFound(': ', name, joinFound(' on ', metric, item));
}

/** A resource's address is `/subscriptions/…/resourceGroups/NAME/providers/…`, in any case. */
function resourceGroup(target: Found | undefined): Found | undefined {
  const name = target && /\/resourcegroups\/([^/]+)/i.exec(target.value)?.[1];
  return target && name ? withValue(target, name, 'the resource group') : undefined;
}

const portalLink = (target: Found | undefined): Found | undefined =>
  target?.value.startsWith('/')
    ? withValue(
        target,
        `https://portal.azure.com/#@/resource${encodeURI(target.value.toWellFormed())}`,
        'the resource in the portal',
      )
    : undefined;
