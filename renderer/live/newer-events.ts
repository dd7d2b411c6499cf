import type { LiveEvent } from '#backend/contract/live-event.ts';

/** Alerts whose versions are remembered; an event is late by seconds, not by so many changes. */
const MAX_REMEMBERED = 20_000;

/**
 * Lets events through that are not older than what came before about the same alert. What two servers change within a moment may
 * come in any order, and what was missed may come before what was held.
 */
export function createNewerEvents(): (events: readonly LiveEvent[]) => LiveEvent[] {
  const newest = new Map<string, number>();
  /** Whether nothing newer came about the alert. A server of an earlier release says no version. */
  const isNews = (id: string, version: number | undefined): boolean => {
    const known = newest.get(id);
    if (known !== undefined && (version ?? known) < known) return false;
    if (version === undefined) return true;
    newest.delete(id);
    newest.set(id, version);
    const [oldest] = newest.size > MAX_REMEMBERED ? newest.keys() : [];
    if (oldest !== undefined) newest.delete(oldest);
    return true;
  };
  const newsOf = (event: LiveEvent): LiveEvent[] => {
    switch (event.type) {
      case 'new_alert':
      case 'alert_updated':
      case 'alert_unaccepted':
        return isNews(event.alert.id, event.alert.version) ? [event] : [];
      case 'alert_accepted':
        return isNews(event.alertId, event.version) ? [event] : [];
      case 'alert_deleted':
        isNews(event.alertId, Infinity);
        return [event];
      case 'alerts_changed': {
        const { alertIds, versions } = event;
        if (event.change === 'deleted') for (const id of alertIds) isNews(id, Infinity);
        if (!versions) return [event];
        const kept = [...alertIds.entries()].filter(([at, id]) => isNews(id, versions[at]));
        if (kept.length === alertIds.length) return [event];
        const [ids, theirs] = [kept.map(([, id]) => id), kept.flatMap(([at]) => versions[at] ?? [])];
        return ids.length === 0 ? [] : [{ ...event, alertIds: ids, versions: theirs }];
      }
      default:
        return [event];
    }
  };
  return (events) => events.flatMap(newsOf);
}
