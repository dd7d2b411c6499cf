import { replaceEqualDeep } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';

/** Changes an alert; undefined when it leaves the screen. */
export type Change = (alert: Alert) => Alert | undefined;

/** A change by the person at this screen that has no answer yet. It is shown on top of what the server says. */
export interface OwnChange {
  /** The alerts, and of which version they were known then. */
  versions: ReadonlyMap<string, number>;
  /** It is sent later, and can be undone until then: a deletion. */
  isDelayed: boolean;
  /** Everything was read again while it was in flight: what is read may be newer than its answer. */
  isOvertaken: boolean;
}

/** A change that led to a version of which what came before is not known yet. */
interface Patch {
  version: number;
  change: (alert: Alert) => Alert;
  /** It is what was asked for; its event is to say what was made of it. */
  isExpected: boolean;
}

/** What is known of one alert. */
export interface Entry {
  /** As the server had it last, exactly as of its version; undefined while only changes of it came. */
  base: Alert | undefined;
  /** Later changes, in the order of their versions, with at least one missing before the first. */
  patches: readonly Patch[];
  /** It was deleted. Nothing comes after that. */
  isDeleted: boolean;
  /** It is in no list any more: deleted, or somewhere else as a refusal says. */
  isGone: boolean;
  own: readonly { own: OwnChange; change: Change }[];
  /** When the last of them ended, a moment of `performance.now()`. */
  ownEndedAt: number;
  /** With what came later, gone or not; undefined while unknown. */
  latest: Alert | undefined;
  /** The same; undefined when gone, too. */
  server: Alert | undefined;
  /** The same with own changes, but that a deletion which can be undone still counts as nothing. */
  seen: Alert | undefined;
  /** With all own changes: as lists have it. */
  shown: Alert | undefined;
  /** The store's moment of the last change by an event or by the person. Answers say nothing of other lists. */
  changedAt: number;
  /** That of the last change, also by an answer, of what lists showed. */
  replacedAt: number;
  /** An answer knew it before its event came: lists that are to have it may not. */
  isAhead: boolean;
}

/** How an alert changed for this page. */
export interface AlertTransition {
  id: string;
  /** As lists had it; undefined when they did not, or it was not known. */
  before: Alert | undefined;
  after: Alert | undefined;
  /** The same apart from deletions that can be undone; `seenBefore` is null of an alert that is new. */
  seenBefore: Alert | null | undefined;
  seenAfter: Alert | undefined;
  /** Only an answer says so: lists that do not have the alert are not concerned. */
  isAnswer: boolean;
}

/** An entry before the changes of a batch. */
export interface EntryBefore {
  shown: Alert | undefined;
  seen: Alert | null | undefined;
  isAnswer: boolean;
  /** News came of what an answer knew already. */
  isLate: boolean;
}

/** An alert of which nothing is known yet. */
export const emptyEntry = (): Entry => ({
  base: undefined,
  patches: [],
  isDeleted: false,
  isGone: false,
  own: [],
  ownEndedAt: Number.NEGATIVE_INFINITY,
  latest: undefined,
  server: undefined,
  seen: undefined,
  shown: undefined,
  changedAt: 0,
  replacedAt: 0,
  isAhead: false,
});

/** The version up to which everything of the alert is known; 0 when nothing is. */
export const versionOf = (entry: Entry | undefined): number =>
  entry?.isDeleted ? Number.POSITIVE_INFINITY : (entry?.base?.version ?? 0);

/** Takes the alert as the server has it, and applies on top what is known to have come later. */
export function takeAlert(entry: Entry, alert: Alert): void {
  entry.base = replaceEqualDeep(entry.base, alert);
  entry.patches = entry.patches.filter(({ version }) => version > alert.version);
  entry.isGone = false;
  join(entry);
}

/** Takes a change of which only its meaning came. Without a version, from a server of an earlier release, it is the next. */
export function takeChange(entry: Entry, version: number | undefined, change: Patch['change']): void {
  entry.isGone = false;
  if (version === undefined) {
    if (entry.base) entry.base = change(entry.base);
    return;
  }
  addPatch(entry, { version, change, isExpected: false });
  join(entry);
}

/** Takes a change that the server carried out, before its event says what was made of it. */
export function expectChange(entry: Entry, version: number, change: Patch['change']): void {
  addPatch(entry, { version, change, isExpected: true });
}

/** Whether the change that led to this version is known. */
export const hasVersion = (entry: Entry | undefined, wanted: number): boolean =>
  wanted <= versionOf(entry) ||
  entry?.patches.some(({ version, isExpected }) => version === wanted && !isExpected) === true;

function addPatch(entry: Entry, patch: Patch): void {
  const others = entry.patches.filter(({ version }) => version !== patch.version);
  entry.patches = [...others, patch].sort((one, other) => one.version - other.version);
}

/** Makes the changes that follow the base without a gap part of it. */
function join(entry: Entry): void {
  let [next, ...later] = entry.patches;
  while (entry.base && next && !next.isExpected && next.version <= entry.base.version + 1) {
    entry.base = { ...next.change(entry.base), version: next.version };
    [next, ...later] = later;
  }
  entry.patches = next ? [next, ...later] : [];
}

/** Brings what is shown of it up to date. */
export function showEntry(entry: Entry): void {
  const { base, patches, isGone, own } = entry;
  entry.latest = base && patches.reduce((made, { version, change }) => ({ ...change(made), version }), base);
  entry.server = isGone ? undefined : entry.latest;
  const withOwn = (withDelayed: boolean): Alert | undefined =>
    own.reduce<Alert | undefined>(
      (made, step) => (made && (withDelayed || !step.own.isDelayed) ? step.change(made) : made),
      entry.server,
    );
  entry.seen = own.length === 0 ? entry.server : withOwn(false);
  entry.shown = own.some((step) => step.own.isDelayed) ? withOwn(true) : entry.seen;
}
