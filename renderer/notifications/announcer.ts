import type { QueryClient } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import { soundOf, tagOfAlert, verdictsAt, waysOf } from '#backend/contract/announcement.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { updateWorker } from '#renderer/lib/notifications/service-worker.ts';
import { canPlaySound, playSound } from '#renderer/lib/notifications/sounds.ts';
import { type Arrivals, admitArrivals } from '#renderer/lib/notifications/storm.ts';
import type { Toasts } from '#renderer/lib/toast.ts';
import { NEWS_INTERVAL_MS, type NewsToast } from '#renderer/lib/toast-queue.ts';
import { electTab } from './elect-tab.ts';
import { newsOf } from './news-of.ts';
import { noticeOf } from './notice-of.ts';
import type { NotificationWay } from './notification-way.ts';
import { readSettings, renewSettings } from './read-settings.ts';
import { isWindowInFront } from './use-toast-timer.ts';
import { withoutVisible } from './visible-alerts.ts';

/** What the announcer needs. */
interface AnnouncerNeeds {
  client: QueryClient;
  toasts: Toasts;
  way: NotificationWay;
  /** Id of the signed-in member. */
  me: string;
}

/** Tells of new alerts on this device, once. */
export interface Announcer {
  /** Takes what happened, in order. */
  hear(events: readonly LiveEvent[]): void;
  /** Nobody is signed in any more: what was told goes. */
  close(): void;
}

/**
 * Tells of each new alert by the ways that `backend/contract/announcement` decides: a toast in the window in front, else
 * a notification of the system's, made by one of several tabs, and the sound of its type.
 */
export function createAnnouncer({ client, toasts, way, me }: AnnouncerNeeds): Announcer {
  const tab = electTab(`announcer of ${me}`);
  let sounds: Arrivals = [];
  let announcedAt = Number.NEGATIVE_INFINITY;
  let saidHello = false;
  let last: Promise<void> = Promise.resolve();

  /** One after the other, whatever becomes of the one before. */
  const inTurn = (work: () => Promise<void>): void => {
    last = last.then(work).catch(() => undefined);
  };

  /** Of what is on screen in the window in front, screen readers alone are notified. */
  const toast = async (alerts: readonly Alert[], isInFront: boolean): Promise<void> => {
    const unseen = isInFront ? await withoutVisible(alerts) : alerts;
    const news = newsOf(unseen);
    if (news) toasts.show(news);
    const announced = newsOf(alerts.filter((alert) => !unseen.includes(alert)));
    if (announced) announce(announced);
  };

  /** Now and then in a storm, not alert by alert. */
  const announce = ({ title, customers = [], description = '' }: NewsToast): void => {
    if (performance.now() - announcedAt < NEWS_INTERVAL_MS) return;
    announcedAt = performance.now();
    toasts.announce(`${title}. ${customers.length > 1 ? `${customers.length} new alerts` : description}.`);
  };

  const tell = async (alerts: readonly Alert[]): Promise<void> => {
    const hasAttendedWindow = isWindowInFront();
    // The tab in front, or the one that speaks for those behind. It may be closing, and tell no more.
    if (!hasAttendedWindow && !(await tab.isElected())) {
      void inherit(alerts);
      return;
    }
    const settings = await readSettings(client);
    const verdictOf = verdictsAt(settings, Date.now());
    const device = { hasAttendedWindow, ...way.state() };
    const told = alerts.map((alert) => {
      const ways = waysOf({ verdict: verdictOf(alert), device });
      return { alert, ways, sound: ways.sound ? soundOf(settings.sounds, alert) : undefined };
    });

    void toast(
      told.flatMap(({ alert, ways }) => (ways.toast ? [alert] : [])),
      hasAttendedWindow,
    );
    if (hasAttendedWindow) await way.told(alerts.map(({ id }) => id)).catch(() => undefined);
    const [first] = told.flatMap(({ sound }) => sound ?? []);
    // Where the browser refuses our sound, the system's own is left on.
    const isHeard = first !== undefined && (await canPlaySound());
    const noticed = told.filter(({ ways }) => ways.notification === 'page');
    if (noticed.length > 0) {
      await way.tell(noticed.map(({ alert, sound }) => noticeOf(alert, sound !== undefined && isHeard))).catch(() =>
        toast(
          noticed.map(({ alert }) => alert),
          false,
        ),
      );
    }
    tab.noteTold(alerts.map(({ id }) => id));
    if (isHeard) await soundOnce(first);
  };

  const inherit = async (alerts: readonly Alert[]): Promise<void> => {
    const left = await tab.inherits(alerts.map(({ id }) => id));
    if (left.length > 0) inTurn(() => tell(alerts.filter(({ id }) => left.includes(id))));
  };

  /** One sound for all that came at once, and none after the third in ten seconds. */
  const soundOnce = async (name: Parameters<typeof playSound>[0]): Promise<void> => {
    const admitted = admitArrivals(sounds, 1, Date.now());
    sounds = admitted.arrivals;
    if (admitted.single > 0) await playSound(name);
  };

  const handle = async (events: readonly LiveEvent[]): Promise<void> => {
    const alerts = events.flatMap((event) => (event.type === 'new_alert' ? [event.alert] : []));
    if (alerts.length > 0) await tell(alerts);
    const gone = events.flatMap((event) =>
      event.type === 'alert_accepted' || event.type === 'alert_deleted' ? [tagOfAlert(event.alertId)] : [],
    );
    if (gone.length > 0) await way.close(gone);
  };

  return {
    hear(events) {
      const isBack = saidHello && events.some(({ type }) => type === 'hello');
      saidHello ||= events.some(({ type }) => type === 'hello');
      // The server may have been another version since, and may have told of changes that nobody heard.
      if (isBack) void updateWorker();
      if (isBack || events.some(({ type }) => type === 'notification_settings_changed')) renewSettings(client);
      inTurn(() => handle(events));
    },
    close() {
      tab.close();
      inTurn(() => way.clear());
    },
  };
}
