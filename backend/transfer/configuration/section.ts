import type { EntityManager } from 'typeorm';
import type { ConfigurationResult } from '#backend/contract/configuration.ts';
import type { RuleDeps } from '#backend/alerts/rules/rule-commands.ts';
import type { WindowDeps } from '#backend/alerts/maintenance/window-commands.ts';
import type { ViewAuthor } from '#backend/alerts/views/view-commands.ts';
import type { HeartbeatDeps } from '#backend/intake/heartbeats/heartbeat-commands.ts';
import type { Administrator, SourceDeps } from '#backend/intake/sources/source-commands.ts';
import type { DestinationDeps } from '#backend/outgoing/destinations/destination-commands.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { NamedKind, Names } from './names.ts';

/** Dependencies of everything that a configuration changes: those of the commands on each of them. */
export interface ConfigurationDeps extends SourceDeps, HeartbeatDeps, WindowDeps, RuleDeps {
  destinations: Omit<DestinationDeps, 'database'>;
}

/** A run of a configuration: its transaction, and who runs it. */
export interface ConfigurationRun {
  tx: Transaction;
  /** Their database is {@link tx}: each command runs in it, and what follows a commit waits for the one at the end. */
  deps: ConfigurationDeps;
  destinationDeps: DestinationDeps;
  by: Administrator;
  viewAuthor: ViewAuthor;
  names: Names;
}

/** Something that there is, as a configuration would write it; without its secrets. */
export interface Present<Entry> {
  id: string;
  version: number;
  entry: Entry;
}

/** Secrets of something that was made, which are shown this once. */
export type MadeSecrets = Omit<ConfigurationResult['secrets'][number], 'section' | 'name'>;

/** What of one kind a configuration can have, and by which commands it becomes so. */
export interface Section<Entry extends { name: string }> {
  /** In sentences. */
  noun: string;
  /** By which kind of name others refer to it; undefined where nothing does. */
  namedAs?: NamedKind;
  /** All of them, in their order where it says something, else by name. */
  read(manager: EntityManager, names: Names): Promise<Present<Entry>[]>;
  /** Two entries that mean the same become equal: names as they are stored, lists without an order in one order. */
  normalize?(entry: Entry, names: Names): Entry;
  /** Which of the secrets that are given are not the stored ones. */
  otherSecrets?(run: ConfigurationRun, present: Present<Entry>, entry: Entry): Promise<string[]>;
  /** Whether there is nothing to make or change any more, as of a window whose only time has passed. */
  isOver?(entry: Entry, now: number): boolean;
  /** Fields that keep their value where an entry leaves them out, instead of having that of a new one. */
  keepsWhenAbsent?: readonly string[];
  /**
   * Looks up what the entry names, also where the entry itself stays as it is.
   *
   * @throws {ProblemError} 422 for what is not there, or is deleted in the same run
   */
  check?(run: ConfigurationRun, entry: Entry): unknown;
  /** Puts all that there are in an order, where their order says something. @param ids all of them, and no others */
  arrange?(run: ConfigurationRun, ids: string[]): Promise<unknown>;
  /**
   * @param leaving how many of them the run deletes after this: they take no room any more
   * @returns its id where others may name it, and its secrets
   */
  create(
    run: ConfigurationRun,
    entry: Entry,
    leaving: number,
  ): Promise<{ id: string; secrets?: MadeSecrets | undefined }>;
  /**
   * @param changed the fields that differ, and secrets that are not the stored ones
   * @returns false when it has another version by now
   */
  change(run: ConfigurationRun, present: Present<Entry>, entry: Entry, changed: ReadonlySet<string>): Promise<boolean>;
  remove(run: ConfigurationRun, present: Present<Entry>): Promise<unknown>;
}

/** The fields of an entry that differ. */
export const pick = <Entry extends object, Name extends keyof Entry>(
  entry: Entry,
  names: readonly Name[],
  changed: ReadonlySet<string>,
): Partial<Pick<Entry, Name>> =>
  Object.fromEntries(names.filter((name) => changed.has(String(name))).map((name) => [name, entry[name]])) as Partial<
    Pick<Entry, Name>
  >;
