import { replaceEqualDeep } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import {
  type AlertTransition,
  type Change,
  type Entry,
  type EntryBefore,
  type OwnChange,
  emptyEntry,
  expectChange,
  hasVersion,
  showEntry,
  takeAlert,
  takeChange,
  versionOf,
} from './alert-entry.ts';

/** Alerts of no list that are remembered, with their versions: an event is late by seconds, not by so many alerts. */
const MAX_UNLISTED = 10_000;

/** So long after its answer a change still counts as the person's, in milliseconds: lists may be drawn later than it. */
const JUST_MS = 1_000;

/** An alert that is open by itself. */
export interface KnownAlert {
  alert: Alert;
  isDeleted: boolean;
}

/** What a change of an alert met: the alert, one of which something was missed, none, or one that is newer already. */
type Met = 'known' | 'gap' | 'unknown' | 'late';

/**
 * The alerts of this page, each once, by id. What the server says counts by version: a late answer or event never wins over a
 * newer one. Own changes without an answer lie on top, and are taken away by their answer.
 */
export interface AlertStore {
  /** The alert as lists show it; undefined when it is unknown, gone or being deleted. */
  read(id: string): Alert | undefined;
  /** What is known of it, gone or not. The same object until that changes. */
  look(id: string): KnownAlert | undefined;
  /** As the server had it last, without own changes; undefined when unknown or gone. */
  onServer(id: string): Alert | undefined;
  /** Takes an alert that came by itself. `isNew`: it was just received from its sender. False when it is late. */
  learn(alert: Alert, isNew?: boolean): boolean;
  /**
   * Takes the alerts of an answer that was asked for at `askedAt`, a moment of {@link AlertStore.moment}. Returns the ids of
   * those that it has as they were before.
   */
  learnAnswer(alerts: readonly Alert[], askedAt: number): string[];
  /** Takes a change of which only its meaning came. Without a version (a server of an earlier release) it is the next. */
  change(id: string, version: number | undefined, change: (alert: Alert) => Alert): Met;
  /** An own change was carried out, and led to `version`: its event says what it made of the alert exactly. */
  confirm(id: string, version: number, change: (alert: Alert) => Alert): void;
  /** The alert is deleted. Returns it as it was, where it was known. */
  remove(id: string): Alert | undefined;
  /**
   * The server refused an own change because the alert is elsewhere: it is in no list until the server says where. Nothing
   * where that is known since.
   */
  lose(own: OwnChange, id: string): void;
  /** Shows an own change while the alert has the owner that it has now. A delayed one waits for alerts that are `unknown`, too. */
  begin(alerts: readonly Alert[], change: Change, isDelayed?: boolean, unknown?: readonly string[]): OwnChange;
  /** The change was answered, refused or undone. False when everything was forgotten meanwhile. */
  end(own: OwnChange): boolean;
  /** Forgets everything, and what was asked for before: nobody is signed in any more. */
  clear(): void;
  /** Everything is read again: what own changes in flight are answered may be older than that. */
  overtake(): void;
  /** Whether the person is changing the alert, or has just done: lists that are drawn a moment later are to know it, too. */
  isChanging(id: string): boolean;
  /** Whether any own change that was sent has no answer yet. */
  hasUnanswered(): boolean;
  /** Alerts whose deletion can still be undone, as they are on the server. The same array until that changes. */
  delayedAlerts(): readonly Alert[];
  /** Ids of alerts that changed after a moment, or that have own changes; of `rows` also those that an answer changed. */
  changedSince(moment: number, rows: readonly string[]): string[];
  /** Grows with every change. */
  moment(): number;
  /** Reports the changes of `work` together. */
  batch<T>(work: () => T): T;
  /** Calls `listener` after each change, once what shows alerts was brought up to date. */
  subscribe(listener: () => void): () => void;
  /** Keeps the alert while somebody looks at it. Returns what ends that. */
  watch(id: string, listener: () => void): () => void;
}

interface StoreDeps {
  /** Brings up to date what is made of alerts, before listeners are called. */
  onChange: (transitions: readonly AlertTransition[]) => void;
  /** Ids in lists, which are kept. */
  listed: () => ReadonlySet<string>;
}

/** Makes an empty store. */
export function createAlertStore({ onChange, listed }: StoreDeps): AlertStore {
  const entries = new Map<string, Entry>();
  const looks = new WeakMap<Entry, KnownAlert>();
  const watched = new Map<string, number>();
  const listeners = new Set<() => void>();
  const unanswered = new Set<OwnChange>();
  const delayed = new Set<OwnChange>();
  let delayedAlerts: readonly Alert[] = [];
  let now = 0;
  let clearedAt = 0;
  let depth = 0;
  /** Entries as they were when the batch began. */
  let touched = new Map<string, EntryBefore>();

  const entryOf = (id: string): Entry => {
    const entry = entries.get(id) ?? emptyEntry();
    entries.set(id, entry);
    return entry;
  };

  /** Changes an entry within a batch, and what is shown of it. */
  const update = (id: string, work: (entry: Entry) => void, source: 'news' | 'new alert' | 'answer' = 'news'): void =>
    batch(() => {
      const entry = entryOf(id);
      const isAnswer = source === 'answer';
      const before = touched.get(id) ?? {
        shown: entry.shown,
        seen: entry.base === undefined && source === 'new alert' ? null : entry.seen,
        isAnswer,
        isLate: false,
      };
      before.isAnswer &&= isAnswer;
      before.isLate ||= entry.isAhead && !isAnswer;
      touched.set(id, before);
      work(entry);
      now += 1;
      if (!isAnswer) entry.changedAt = now;
      if (entry.shown) entry.replacedAt = now;
      entry.isAhead = isAnswer;
      showEntry(entry);
      looks.delete(entry);
    });

  const batch = <T>(work: () => T): T => {
    depth += 1;
    try {
      return work();
    } finally {
      depth -= 1;
      if (depth === 0 && touched.size > 0) report();
    }
  };

  const report = (): void => {
    const before = touched;
    touched = new Map();
    const nowDelayed = [...delayed].flatMap(({ versions }) =>
      [...versions.keys()].flatMap((id) => entries.get(id)?.seen ?? []),
    );
    delayedAlerts = replaceEqualDeep(delayedAlerts, nowDelayed);
    const transitions = [...before].flatMap(([id, { shown, seen, isAnswer, isLate }]): AlertTransition[] => {
      const entry = entries.get(id);
      if (!entry || (entry.shown === shown && entry.seen === seen && !isLate)) return [];
      return [{ id, before: shown, after: entry.shown, seenBefore: seen, seenAfter: entry.seen, isAnswer }];
    });
    if (transitions.length > 0) onChange(transitions);
    forgetOldest();
    for (const listener of listeners) listener();
  };

  const forgetOldest = (): void => {
    if (entries.size < MAX_UNLISTED * 1.1) return;
    const kept = listed();
    const surplus = entries.size - kept.size - MAX_UNLISTED;
    const idle = [...entries].filter(([id, { own }]) => own.length === 0 && !watched.has(id) && !kept.has(id));
    idle.sort(([, one], [, other]) => one.changedAt - other.changedAt);
    for (const [id] of idle.slice(0, Math.max(0, surplus))) entries.delete(id);
  };

  return {
    read: (id) => entries.get(id)?.shown,
    look(id) {
      const entry = entries.get(id);
      const alert = entry?.seen ?? entry?.latest;
      if (!entry || !alert) return undefined;
      const known = looks.get(entry) ?? { alert, isDeleted: entry.isDeleted };
      looks.set(entry, known);
      return known;
    },
    onServer: (id) => entries.get(id)?.server,
    learn(alert, isNew = false) {
      if (versionOf(entries.get(alert.id)) > alert.version) return false;
      update(alert.id, (entry) => takeAlert(entry, alert), isNew ? 'new alert' : 'news');
      return true;
    },
    learnAnswer(alerts, askedAt) {
      if (askedAt < clearedAt) return alerts.map(({ id }) => id);
      return batch(() =>
        alerts.flatMap((alert) => {
          const known = entries.get(alert.id);
          const version = versionOf(known);
          if (version > alert.version || (version === alert.version && known && known.changedAt > askedAt))
            return [alert.id];
          if (!known || known.isGone || replaceEqualDeep(known.base, alert) !== known.base) {
            update(alert.id, (entry) => takeAlert(entry, alert), 'answer');
          }
          return [];
        }),
      );
    },
    change(id, version, change) {
      const known = entries.get(id);
      const isKnown = version !== undefined && hasVersion(known, version);
      if (isKnown && known?.isAhead && version === versionOf(known)) update(id, () => undefined);
      if (isKnown || known?.isDeleted) return 'late';
      update(id, (entry) => takeChange(entry, version, change));
      const entry = entryOf(id);
      return entry.base === undefined ? 'unknown' : entry.patches.length === 0 ? 'known' : 'gap';
    },
    confirm(id, version, change) {
      if (!hasVersion(entries.get(id), version)) update(id, (entry) => expectChange(entry, version, change));
    },
    remove(id) {
      const before = entries.get(id)?.seen;
      update(id, (entry) => Object.assign(entry, { isDeleted: true, isGone: true }));
      return before;
    },
    lose(own, id) {
      const isSame = own.versions.get(id) === versionOf(entries.get(id));
      if (isSame) update(id, (entry) => Object.assign(entry, { isGone: true }));
    },
    begin(alerts, change, isDelayed = false, unknown = []) {
      const versions = new Map(unknown.map((id) => [id, versionOf(entries.get(id))]));
      const own: OwnChange = { versions, isDelayed, isOvertaken: false };
      (isDelayed ? delayed : unanswered).add(own);
      batch(() => {
        for (const alert of alerts) {
          if (!entries.get(alert.id)?.base) update(alert.id, (entry) => takeAlert(entry, alert));
          update(alert.id, (entry) => {
            versions.set(alert.id, versionOf(entry));
            const owner = (entry.shown ?? alert).ownerId;
            const whileTheirs: Change = (one) => (one.ownerId === owner ? change(one) : one);
            entry.own = [...entry.own, { own, change: isDelayed ? change : whileTheirs }];
          });
        }
        for (const id of unknown) update(id, (entry) => (entry.own = [...entry.own, { own, change }]));
      });
      return own;
    },
    end(own) {
      if (!delayed.delete(own) && !unanswered.delete(own)) return false;
      batch(() => {
        for (const id of own.versions.keys()) {
          update(id, (entry) => {
            entry.own = entry.own.filter((step) => step.own !== own);
            entry.ownEndedAt = performance.now();
          });
        }
      });
      return true;
    },
    clear() {
      now += 1;
      clearedAt = now;
      for (const all of [entries, delayed, unanswered]) all.clear();
      delayedAlerts = [];
      for (const listener of listeners) listener();
    },
    overtake() {
      for (const own of unanswered) own.isOvertaken = true;
    },
    isChanging(id) {
      const entry = entries.get(id);
      return entry !== undefined && (entry.own.length > 0 || performance.now() - entry.ownEndedAt < JUST_MS);
    },
    hasUnanswered: () => unanswered.size > 0,
    delayedAlerts: () => delayedAlerts,
    changedSince: (moment, rows) => [
      ...[...entries].flatMap(([id, { changedAt, own }]) => (changedAt > moment || own.length > 0 ? [id] : [])),
      ...rows.filter((id) => (entries.get(id)?.replacedAt ?? 0) > moment),
    ],
    moment: () => now,
    batch,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch(id, listener) {
      watched.set(id, (watched.get(id) ?? 0) + 1);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        const left = (watched.get(id) ?? 1) - 1;
        if (left > 0) watched.set(id, left);
        else watched.delete(id);
      };
    },
  };
}
