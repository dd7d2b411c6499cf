import type { EntityManager } from 'typeorm';
import { publishedAlert } from '#backend/alerts/alert/alert.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import type { LoadPublished } from '#backend/platform/feed/feed-facts.ts';
import type { PublishedAlert } from '#backend/platform/live/event-bus.ts';
import { loadAlerts, measurePage } from './alert-rows.ts';

/** Reads alerts as events carry them. */
export const createLoadPublished =
  (reads: EntityManager): LoadPublished =>
  async (ids) => {
    const published = new Map<string, PublishedAlert>();
    let places = ids.map((id) => ({ id, status: 'pending' as const }));
    while (places.length > 0) {
      const page = await measurePage(reads, places);
      const names = await findDisplayNames(
        reads,
        page.alerts.flatMap(({ ownerId }) => ownerId ?? []),
      );
      for await (const group of loadAlerts(reads, page.alerts)) {
        for (const alert of group)
          published.set(alert.id, publishedAlert(alert, names.get(alert.ownerId ?? '') ?? null));
      }
      const { last } = page;
      places = page.isCut ? places.slice(places.findIndex(({ id }) => id === last?.id) + 1) : [];
    }
    return published;
  };
