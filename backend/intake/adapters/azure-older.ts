import type { AlertState } from '#backend/contract/alert.ts';
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
import { plainText } from '#backend/intake/understanding/plain-text.ts';
import type { Draft } from './adapter.ts';

const TITLE = choice('properties.title', 'properties.statusMessage', 'description', 'operationName');
const KEY = choice('properties.trackingId', 'correlationId', 'eventDataId');
const STANDING = choice('properties.currentHealthStatus', 'properties.stage', 'status');
const OVER = /^(?:resolved|available|rca)$/i;
const LOG_LINK = choice('LinkToFilteredSearchResultsUI', 'LinkToSearchResults');

/** Alerts of the activity log and of logs in the schemas that they had before the common one. */
export function readOlder(body: JsonValue): Draft | undefined {
  const data = body.get('data');
  const activity = data?.at(['context', 'activityLog']);
  if (activity?.isObject) return readActivity(body, activity);
  const name = find(data?.get('AlertRuleName'));
  return data && name ? readLogAlert(body, data, name) : undefined;
}

/** An operation that somebody did is an event; the health of a service or a resource has an end. */
function readActivity(body: JsonValue, activity: JsonValue): Draft {
  const source = find(activity.get('eventSource'));
  const resource = find(activity.get('resourceId'));
  const standing = choose(activity, STANDING);
  const isHealth = source !== undefined && /health/i.test(source.value);
  const title = choose(activity, TITLE);
  const name = resource && withValue(resource, resource.value.split('/').at(-1) ?? '');
  return {
    element: body,
    title: joinFound(
      ': ',
      title && withValue(title, plainText(title.value)),
      isHealth ? undefined : joinFound(' ', name, standing),
    ),
    customer: find(activity.get('resourceGroupName')) ?? find(activity.at(['properties', 'region'])),
    alertType: joinFound('.', source, find(activity.at(['properties', 'incidentType']))),
    severity: severityOf(find(activity.get('level'))),
    state: isHealth ? healthOf(standing) : rule('event', 'an operation has no end'),
    dedupKey: isHealth ? joinFound(':', choose(activity, KEY), resource) : undefined,
    deliveryId: joinFound(':', find(activity.get('eventDataId')), standing),
    link: linkOf(
      resource &&
        withValue(resource, `https://portal.azure.com/#@/resource${encodeURI(resource.value.toWellFormed())}`),
    ),
    at: timeOf(find(activity.get('eventTimestamp'))),
  };
}

const healthOf = (standing: Found | undefined): Found<AlertState> =>
  standing
    ? withValue(standing, OVER.test(standing.value) ? 'resolved' : 'firing')
    : rule('firing', 'nothing says where it stands');

/** A search found something: its rule reports it again while it does, and never that it is over. */
function readLogAlert(body: JsonValue, data: JsonValue, name: Found): Draft {
  return {
    element: body,
    title: joinFound(': ', name, find(data.get('Description'))),
    alertType: name,
    severity: severityOf(find(data.get('Severity'))),
    state: rule('event', 'a search has no end'),
    link: linkOf(choose(data, LOG_LINK)),
    at: timeOf(find(data.get('SearchIntervalEndtimeUtc'))),
  };
}
