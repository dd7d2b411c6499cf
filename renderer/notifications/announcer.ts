import type { QueryClient } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import { type AlertNews, pathOfAlert } from '#backend/contract/alert-news.ts';
import { type Channels, channelsOf, judgeAt, soundOf, tagOfAlert } from '#backend/contract/announcement.ts';
import { momentOf } from '#backend/contract/id-moment.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import { type PersonalNotice, noticeOfMember, noticeOfReturn, noticeOfWindowEnd } from '#backend/contract/notices.ts';
import { windowEndSchema } from '#backend/contract/maintenance.ts';
import type { LiveEvent, UpdateReason } from '#backend/contract/live-event.ts';
import { STATUS_LABELS, subjectOf } from '#renderer/alerts/data/alert-labels.ts';
import { updateWorker } from '#renderer/push/service-worker.ts';
import { withoutOver, withoutShown } from '#renderer/toasts/news-over.ts';
import { newsOf } from '#renderer/toasts/toast-queue.ts';
import type { Toasts } from '#renderer/toasts/toast.ts';
import { isWindowInFront } from '#renderer/toasts/use-toast-card.ts';
import { CHANGING_SETTINGS, announcementOf, isNews, isNotice, isResolvedOf } from './announced-events.ts';
import { electTab } from './elect-tab.ts';
import { closeCounted, withoutAnnounced } from './missed-alerts.ts';
import { type Arrivals, admitArrivals, noticeOf } from './notice-state.ts';
import { type NoticeFacts, afterQuietHours, verdictOnNotice } from './notice-verdict.ts';
import type { NotificationChannel } from './notification-channel.ts';
import { findNotices, findOver } from './over-alerts.ts';
import { readSettings, renewSettings } from './read-settings.ts';
import { canPlaySound, playSound } from './sounds.ts';
import { createStormVoice } from './storm-voice.ts';
import { type CountedOnScreen, withoutVisible } from './on-screen.ts';
import * as texts from './texts.ts';

interface AnnouncerDeps {
  client: QueryClient;
  toasts: Toasts;
  channel: NotificationChannel;
  screen: CountedOnScreen;
  /** Id of the signed-in member. */
  me: string;
  /** Leads to a path of the app. */
  open: (path: string) => void;
  /** Completes an alert of mine, as its card does. */
  complete: (alert: Alert) => void;
}

const NONE: ReadonlySet<string> = new Set();
const none = () => NONE;

/** Whether something waits for who is away: a toast, or a notification. */
const isNotified = ({ toast, notification }: Channels): boolean => toast || notification !== 'none';

/** An alert that is news, with what I chose for views that it is in. `isMissed`: it came while this page was away. */
type News = AlertNews & { isMine: boolean; isQuiet: boolean; viewLevel?: NoticeLevel; isMissed?: boolean };

/** What decides about events, as it was when they came: a pause that has ended since held them all the same. */
interface Moment {
  at: number;
  settings: ReturnType<typeof readSettings>;
  device: ReturnType<NotificationChannel['state']>;
}

/** Announces new alerts on this device, each once. */
export interface Announcer {
  /** Receives live events, in order. */
  receive(events: readonly LiveEvent[]): void;
  /** Nobody is signed in any more: closes what was announced. */
  close(): void;
}

/**
 * Announces each new alert as `backend/contract/announcement` decides: a toast in the window in front, else a
 * notification of the system, made by one of several tabs, and the sound of its type.
 */
export function createAnnouncer({ client, toasts, channel, screen, me, open, complete }: AnnouncerDeps): Announcer {
  const tab = electTab(`announcer of ${me}`);
  let sounds: Arrivals = [];
  /** What I chose for views that alerts are in, which comes before them. */
  const chosen = new Map<string, NoticeLevel>();
  /** Alerts that were nobody's when they were last announced. */
  const untaken = new Set<string>();
  /** Alerts of toasts that wait for the list to draw them, of each toast. */
  const undrawn = new Set<Set<string>>();
  let isGreeted = false;
  let isClosed = false;
  let last: Promise<void> = Promise.resolve();
  const voice = createStormVoice((text) => toasts.announce(text));
  // News that the open list counts by now need not stand in a toast, too.
  const stopCounting = screen.watchCounted((ids) => toasts.change((queue) => withoutShown(queue, ids, Date.now())));

  /** Runs `work` after what was begun before, also when that fails. */
  const inTurn = (work: () => Promise<void>): void => {
    last = last.then(work).catch(() => undefined);
  };

  const openNews = (alertId: string, isOne: boolean): void =>
    open(isOne ? pathOfAlert(alertId) : `/?alert=${encodeURIComponent(alertId)}`);

  /**
   * Of what is on screen in the window in front, screen readers alone are notified. One alert that a list only counts has its
   * toast, which says what it is; of several, and of each one in a storm, the list's number is enough.
   */
  const toast = async (alerts: readonly News[], isInFront: boolean): Promise<void> => {
    if (isClosed) return;
    const isStorm = voice.add(alerts);
    const isSingle = alerts.length === 1 && !isStorm;
    const waiting = new Set(alerts.map(({ id }) => id));
    undrawn.add(waiting);
    const unseen = isInFront ? await withoutVisible(alerts, isSingle ? none : screen.counted) : alerts;
    // An alert may be over meanwhile.
    const news = newsOf(unseen.filter(({ id }) => waiting.has(id)));
    undrawn.delete(waiting);
    if (isClosed) return;
    const title = alerts.every(({ isMissed }) => isMissed) && { title: texts.whileDisconnected };
    if (news) toasts.show({ ...news, ...title, onOpen: openNews });
  };

  const now = (): Moment => ({ at: Date.now(), settings: readSettings(client), device: channel.state() });

  const notify = async (alerts: readonly News[], moment: Moment): Promise<void> => {
    const hasAttendedWindow = isWindowInFront();
    // The tab in front announces, else the one that leads those behind. That one may be closing.
    if (!hasAttendedWindow && !tab.isLeader()) {
      void inherit(alerts, moment);
      return;
    }
    const settings = await moment.settings;
    const judge = judgeAt(settings, moment.at);
    const device = { hasAttendedWindow, ...moment.device };
    const decided = alerts.map((alert) => {
      const { verdict: present } = judge(alert);
      const verdict = alert.isMissed ? afterQuietHours(present, settings, momentOf(alert.id)) : present;
      const channels = channelsOf({ verdict, device });
      return { alert, verdict, channels, sound: channels.sound ? soundOf(settings.sounds, alert) : undefined };
    });

    if (!hasAttendedWindow && decided.some(({ channels }) => isNotified(channels))) channel.flash();
    const toasted = decided.flatMap(({ alert, channels }) => (channels.toast ? [alert] : []));
    void toast(toasted, hasAttendedWindow);
    if (hasAttendedWindow && device.hasPush) await closeCounted(channel, toasted);
    // The server pushes these alone: of any other there is no late push, and the next one is news.
    const pushed = decided.flatMap(({ alert, verdict }) => (verdict === 'yes' ? [alert.id] : []));
    if (hasAttendedWindow && pushed.length > 0) await channel.reportAnnounced(pushed).catch(() => undefined);
    const [first] = decided.flatMap(({ sound }) => sound ?? []);
    // Where the browser refuses our sound, the system's own is left on.
    const isHeard = first !== undefined && (await canPlaySound());
    const noticed = decided.filter(({ channels }) => channels.notification === 'page');
    if (noticed.length > 0) {
      await channel
        .notify(noticed.map(({ alert, sound }) => noticeOf(alert, sound !== undefined && isHeard)))
        .catch(() =>
          toast(
            noticed.map(({ alert }) => alert),
            false,
          ),
        );
    }
    tab.report(alerts.map(announcementOf));
    if (isHeard) await soundOnce(first);
  };

  const inherit = async (alerts: readonly News[], moment: Moment): Promise<void> => {
    const left = await tab.inherit(alerts.map(announcementOf));
    const isLeft = (alert: News): boolean => left.includes(announcementOf(alert));
    if (left.length > 0) inTurn(() => notify(alerts.filter(isLeft), moment));
  };

  /** One sound for all that came at once, and none after the third in ten seconds. */
  const soundOnce = async (name: Parameters<typeof playSound>[0]): Promise<void> => {
    const admitted = admitArrivals(sounds, 1, Date.now());
    sounds = admitted.arrivals;
    if (admitted.single > 0) await playSound(name);
  };

  /** To the owner alone, where the screen does not show it: the problem is over by its sender, and the alert stays theirs. */
  const reportResolved = async (alert: News, moment: Moment): Promise<void> => {
    const hasAttendedWindow = isWindowInFront();
    if (!hasAttendedWindow && !tab.isLeader()) return;
    const { verdict } = judgeAt(await moment.settings, moment.at)(alert);
    if (!channelsOf({ verdict, device: { ...moment.device, hasAttendedWindow, notificationsOn: false } }).toast) return;
    if (isClosed || (hasAttendedWindow && (await withoutVisible([alert], none)).length === 0)) return;
    if (!hasAttendedWindow) channel.flash();
    const { status } = alert;
    const isOpen = status === 'accepted' || status === 'in-progress';
    toasts.show({
      title: texts.resolvedByItsSender,
      subject: subjectOf(alert),
      description: texts.stillInYourQueue(STATUS_LABELS[status]),
      ...(isOpen && {
        action: {
          label: texts.complete,
          onSelect: () => complete(alert),
        },
      }),
    });
  };

  /** What is no news of one alert ({@link verdictOnNotice}). */
  const reportNotice = async (
    id: string,
    isMine: boolean,
    { title, body, path, untakenAlertId }: PersonalNotice,
    moment: Moment,
    facts: Omit<NoticeFacts, 'isMine'> = {},
  ): Promise<void> => {
    const hasAttendedWindow = isWindowInFront();
    if ((!hasAttendedWindow && !tab.isLeader()) || tab.isReported(id)) return;
    const verdict = verdictOnNotice(await moment.settings, { isMine, ...facts }, moment.at);
    const channels = channelsOf({ verdict, device: { ...moment.device, hasAttendedWindow } });
    if (isClosed) return;
    tab.report([id]);
    const action = { label: texts.open, onSelect: () => open(path) };
    const toastNotice = () => {
      if (!isClosed) toasts.show({ intent: 'notice', title, description: body, action });
    };
    if (!hasAttendedWindow && isNotified(channels)) channel.flash();
    if (channels.toast) toastNotice();
    if (hasAttendedWindow && verdict === 'yes') await channel.reportAnnounced([id]).catch(() => undefined);
    if (channels.notification === 'page') {
      await channel.show({ title, body, tag: tagOfAlert(id), path, untakenAlertId }).catch(toastNotice);
    }
  };

  /** An alert that comes again has a level of its own, or none. */
  const withChoice = (alert: Alert, reason: UpdateReason | undefined): News => {
    const viewLevel = chosen.get(alert.id);
    chosen.delete(alert.id);
    return {
      ...alert,
      isMine: alert.ownerId === me,
      isQuiet: alert.quietBy !== undefined,
      isBack: reason === 'woken',
      isMissed: reason === 'arrived',
      ...(viewLevel !== undefined && { viewLevel }),
    };
  };

  const handle = async (events: readonly LiveEvent[], moment: Moment | undefined): Promise<void> => {
    const alerts = events.flatMap((event) =>
      isNews(event, me) ? [withChoice(event.alert, 'reason' in event ? event.reason : undefined)] : [],
    );
    for (const { id, ownerId } of alerts) {
      if (ownerId === undefined) untaken.add(id);
      else untaken.delete(id);
    }
    for (const event of events) {
      if (event.type === 'member_notified' && event.notice.kind === 'called') untaken.add(event.notice.alertId);
    }
    const over = findOver(events, { me, wasUntaken: (id) => untaken.has(id) });
    const fresh = await withoutAnnounced(alerts, (one) => tab.isReported(one), channel);
    if (moment && fresh.length > 0) await notify(fresh, moment);
    for (const event of events) {
      if (moment && isResolvedOf(event, me))
        await reportResolved({ ...event.alert, isMine: true, isQuiet: event.alert.quietBy !== undefined }, moment);
    }
    for (const { isUrgent, ...notice } of findNotices(events, over)) {
      const facts = { isUrgent, cameAt: momentOf(notice.id) };
      if (moment) await reportNotice(notice.id, true, noticeOfMember(notice), moment, facts);
    }
    for (const event of events) {
      if (!moment) break;
      if (event.type === 'alerts_returned') {
        const cameAt = momentOf(event.id);
        await reportNotice(event.id, event.ownerId === me, noticeOfReturn(event, me), moment, { cameAt });
      }
      const ended = event.type === 'maintenance_changed' && windowEndSchema.safeParse(event.ended).data;
      if (!ended) continue;
      const { id, ownerIds, severity, endedAt } = ended;
      const facts = { severity, cameAt: endedAt === undefined ? undefined : Date.parse(endedAt) };
      await reportNotice(id, ownerIds.includes(me), noticeOfWindowEnd(ended), moment, facts);
    }
    for (const id of over) {
      untaken.delete(id);
      for (const waiting of undrawn) waiting.delete(id);
    }
    if (over.size === 0) return;
    toasts.change((queue) => withoutOver(queue, over, Date.now()));
    await channel.close([...over].map(tagOfAlert));
  };

  return {
    receive(events) {
      const isBack = isGreeted && events.some(({ type }) => type === 'hello');
      isGreeted ||= events.some(({ type }) => type === 'hello');
      // The server may be of another version since, and its changes of settings were missed.
      if (isBack) void updateWorker();
      if (isBack || events.some(({ type }) => CHANGING_SETTINGS.has(type))) renewSettings(client);
      for (const event of events) if (event.type === 'notice_chosen') chosen.set(event.alertId, event.choice);
      const moment = events.some((event) => isNews(event, me) || isNotice(event) || isResolvedOf(event, me))
        ? now()
        : undefined;
      inTurn(() => handle(events, moment));
    },
    close() {
      isClosed = true;
      tab.close();
      voice.close();
      stopCounting();
      inTurn(() => channel.clear());
    },
  };
}
