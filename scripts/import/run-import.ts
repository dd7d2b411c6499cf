import * as z from 'zod/mini';
import {
  type ImportedAlert,
  MAX_IMPORTED_ALERTS,
  alertImportResultSchema,
  importedAlertSchema,
} from '#backend/contract/alert-import.ts';
import { accountLinkSchema, invitationSchema, newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { sourceListSchema, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { userSchema } from '#backend/contract/user.ts';
import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { readJson } from '#backend/intake/json/json-value.ts';
import { IN_ENGLISH } from '#backend/platform/endpoint/errors.ts';
import { Complaint } from '#scripts/complaint.ts';
import type { Api } from './api.ts';
import { type ImportRecord, SYSTEMS, type SourceOfAlert, type System } from './records.ts';
import { checkInput, readInput } from './read-input.ts';

/** What became of a record. A dry run says what would. */
export type Outcome = 'imported' | 'already there' | 'left out';

/** One line of the report. */
export interface Reported {
  kind: 'user' | 'source' | 'alert' | 'other';
  name: string;
  where: string;
  outcome: Outcome;
  /** Why it was left out, or what of it was not taken over. */
  note?: string;
}

export interface ImportOptions {
  system: System;
  path: string;
  isDryRun: boolean;
  isMailed: boolean;
  /** Takes each line of the report. */
  report: (line: Reported) => Promise<void>;
  /** Keeps what is shown once: links of invitations, addresses and keys of sources. */
  keep: (secret: Record<string, string>) => Promise<void>;
}

type OfKind<K extends ImportRecord['kind']> = Extract<ImportRecord, { kind: K }>;
type Source = SourceOfAlert & { where: string; isPaused?: boolean };

/** Alerts of one call: as many as it takes, and so many bytes of them. */
const MAX_BYTES = 1024 * 1024;

/** Opsgenie has one type for what Alertmanager sends, by its API or as a webhook. */
const OPSGENIE_CONFIGS =
  'If Alertmanager sends by opsgenie_configs, set the type of this source to Opsgenie before its host changes.';

/** Releases before 2026-11-28 made generic sources of integrations of the type API. */
const OLD_API = 'It is a generic source: set its type to Opsgenie before its senders change their host.';

const keyOf = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/** Imports users, then sources, then alerts; what is there already is left as it is. */
export async function runImport(api: Api, options: ImportOptions): Promise<void> {
  const { system, path, report } = options;
  await checkInput(system, path);
  const emails = await importUsers(api, options);
  const members = await membersByEmail(api);
  const sources = await openSources(api, options);
  const batches = new Map<string, { records: OfKind<'alert'>[]; bytes: number }>();
  for await (const record of readInput(system, path)) {
    if (record.kind === 'source') await sources.add(record, record.remark);
    if (record.kind === 'none') {
      const { what, name, where, reason } = record;
      if (what !== 'user') await report({ kind: what, name, where, outcome: 'left out', note: reason });
    }
  }
  const ownerOf = (owner: string): string | undefined => members.get(keyOf(emails.get(owner) ?? owner));
  const send = async (sourceKey: string, records: OfKind<'alert'>[]) =>
    importAlerts(api, options, sources.idOf(sourceKey), records, ownerOf);
  for await (const record of readInput(system, path)) {
    if (record.kind !== 'alert') continue;
    const bytes = Buffer.byteLength(JSON.stringify(record.alert));
    const note = (await sources.addForAlert({ ...record.source, where: record.where })) ?? faultOf(record.alert, bytes);
    if (note !== undefined) {
      await report({ kind: 'alert', name: record.alert.title ?? '', where: record.where, outcome: 'left out', note });
      continue;
    }
    const key = record.source.id || record.source.name;
    const batch = batches.get(key) ?? { records: [], bytes: 0 };
    batches.set(key, batch);
    if (batch.records.length === MAX_IMPORTED_ALERTS || batch.bytes + bytes > MAX_BYTES) {
      await send(key, batch.records);
      Object.assign(batch, { records: [], bytes: 0 });
    }
    batch.records.push(record);
    batch.bytes += bytes;
  }
  for (const [key, { records }] of batches) await send(key, records);
}

/** Why the server would not take an alert, and with it none of those that are sent together. */
function faultOf(alert: ImportedAlert, bytes: number): string | undefined {
  if (bytes > MAX_BYTES) return 'It is larger than 1 MiB.';
  if (readJson(JSON.stringify(alert.payload), WEBHOOK_MAX_DEPTH) === 'too deep')
    return `It nests deeper than ${WEBHOOK_MAX_DEPTH} levels.`;
  const [issue] = importedAlertSchema.safeParse(alert, IN_ENGLISH).error?.issues ?? [];
  return issue && reasonOf(issue);
}

const reasonOf = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  `${path.join('.')}: ${message}.`;

/** Invites people. @returns their e-mails by the ids that the other system has for them */
async function importUsers(
  api: Api,
  { system, path, isDryRun, isMailed, report, keep }: ImportOptions,
): Promise<Map<string, string>> {
  const emails = new Map<string, string>();
  const users = await api.list('/api/auth/users', z.array(userSchema));
  const links = await api.list('/api/auth/links', z.array(accountLinkSchema));
  const known = new Set(
    [...users, ...links.filter(({ kind }) => kind === 'invitation')].map(({ email }) => keyOf(email)),
  );
  for await (const record of readInput(system, path)) {
    if (record.kind === 'none' && record.what === 'user') {
      await report({ kind: 'user', name: record.name, where: record.where, outcome: 'left out', note: record.reason });
    }
    if (record.kind !== 'user') continue;
    const { id, email, displayName, role, where } = record;
    emails.set(id, email);
    const line = { kind: 'user', name: email, where } as const;
    if (known.has(keyOf(email))) {
      await report({ ...line, outcome: 'already there' });
      continue;
    }
    const invitation = { email, displayName, role, isMailed };
    const [issue] = invitationSchema.safeParse(invitation, IN_ENGLISH).error?.issues ?? [];
    if (issue) {
      await report({ ...line, outcome: 'left out', note: reasonOf(issue) });
      continue;
    }
    known.add(keyOf(email));
    if (isDryRun) {
      await report({ ...line, outcome: 'imported' });
      continue;
    }
    const answer = await api.send('/api/auth/invitations', invitation);
    if (answer.ok) {
      const { path: link } = newAccountLinkSchema.parse(await answer.json());
      await keep({ invitation: email, link: api.urlOf(link) });
      await report({ ...line, outcome: 'imported' });
    } else {
      const note = (await answer.text()).trim();
      // Another import, or an administrator, was faster.
      const isThere = answer.status === 409 && note.includes(email);
      await report({ ...line, outcome: isThere ? 'already there' : 'left out', note });
    }
  }
  return emails;
}

async function membersByEmail(api: Api): Promise<Map<string, string>> {
  const users = await api.list('/api/auth/users', z.array(userSchema));
  return new Map(users.flatMap(({ id, email, isActive }) => (isActive ? [[keyOf(email), id] as const] : [])));
}

/** The sources of the server by name, with those that are made. */
async function openSources(api: Api, { system, isDryRun, report, keep }: ImportOptions) {
  type Known = { id: string | undefined; adapter: string; isPaused: boolean };
  const byName = new Map<string, Known>();
  const read = async () => {
    for (const { id, name, settings, pausedAt } of await api.list('/api/sources', sourceListSchema)) {
      byName.set(keyOf(name), { id, adapter: settings.adapter, isPaused: pausedAt !== null });
    }
  };
  await read();
  /** Our sources by the ids and names of theirs; a text where theirs was left out. */
  const ours = new Map<string, Known | string>();
  const make = async ({
    name,
    adapter = 'generic',
    isPaused = false,
  }: Source): Promise<Outcome | { refused: string }> => {
    if (isDryRun) {
      byName.set(keyOf(name), { id: undefined, adapter, isPaused });
      return 'imported';
    }
    const answer = await api.send('/api/sources', { name, adapter });
    if (answer.status === 409) await read();
    // Another import, or an administrator, was faster. Or there are as many sources as there may be.
    if (byName.has(keyOf(name))) return 'already there';
    if (!answer.ok) return { refused: (await answer.text()).trim() };
    const { source, plain } = sourceWithSecretsSchema.parse(await answer.json());
    await keep({ source: name, address: api.urlOf(`/in/${plain.token ?? ''}`), key: plain.key ?? '' });
    const paused = isPaused && (await api.send(`/api/sources/${source.id}`, { isPaused }, 'PATCH')).ok;
    byName.set(keyOf(name), { id: source.id, adapter, isPaused: paused });
    return 'imported';
  };
  const add = async (source: Source, remark?: string): Promise<void> => {
    const { id, name, where } = source;
    const outcome = byName.has(keyOf(name)) ? 'already there' : await make(source);
    const found = byName.get(keyOf(name));
    const adapter = source.adapter ?? found?.adapter;
    const isSame = found?.adapter === adapter;
    // Whatever sends to Opsgenie may do so by its API, which takes a source of this type.
    const isForApi = system === 'opsgenie' && found?.adapter === 'opsgenie';
    // As an earlier release imported it.
    const isOldApi = system === 'opsgenie' && adapter === 'opsgenie' && found?.adapter === 'generic';
    const other =
      typeof outcome === 'object'
        ? outcome.refused
        : isSame || isForApi || isOldApi
          ? undefined
          : `A source of this name reads ${found?.adapter ?? 'something'} instead of ${adapter}.`;
    for (const key of [id, name]) if (key !== '' && !ours.has(key)) ours.set(key, other ?? found ?? 'It was not made.');
    const choice = system === 'opsgenie' && isSame && adapter === 'alertmanager' ? OPSGENIE_CONFIGS : undefined;
    const old = isOldApi && OLD_API;
    const paused = source.isPaused && `It was disabled there, and is ${found?.isPaused ? 'paused' : 'active here'}.`;
    const remarks = [isSame && remark, choice, old, paused].filter(Boolean).join(' ');
    const note = other ?? (remarks || undefined);
    await report({
      kind: 'source',
      name,
      where,
      outcome: other !== undefined || typeof outcome === 'object' ? 'left out' : outcome,
      ...(note !== undefined && { note }),
    });
  };
  return {
    add,
    /** Makes the source of an alert where no list had it. @returns why the alert cannot be imported */
    async addForAlert(source: Source): Promise<string | undefined> {
      const key = source.id || source.name;
      if (!ours.has(key)) await add(source);
      const known = ours.get(key);
      return typeof known === 'string' ? `Its source was left out: ${known}` : undefined;
    },
    idOf(key: string): string | undefined {
      const known = ours.get(key);
      return typeof known === 'object' ? known.id : undefined;
    },
  };
}

async function importAlerts(
  api: Api,
  { system, isDryRun, report }: ImportOptions,
  sourceId: string | undefined,
  records: OfKind<'alert'>[],
  ownerOf: (owner: string) => string | undefined,
): Promise<void> {
  const alerts = records.map(({ alert, owner }): ImportedAlert => ({
    ...alert,
    ownerId: (owner && ownerOf(owner)) || null,
  }));
  // A source that a dry run would make has no alerts.
  const results =
    sourceId === undefined
      ? alerts.map(({ ownerId }) => ({ outcome: 'new' as const, isOwned: Boolean(ownerId) }))
      : await post(sourceId);
  for (const [index, { alert, owner, where, remark }] of records.entries()) {
    const result = results[index];
    const missing =
      owner !== undefined && !result?.isOwned && result?.outcome === 'new'
        ? `${owner} has no account yet: it stays in the inbox.`
        : undefined;
    const note = [missing, remark].filter(Boolean).join(' ');
    const outcome = result?.outcome === 'new' ? 'imported' : 'already there';
    await report({ kind: 'alert', name: alert.title ?? '', where, outcome, ...(note !== '' && { note }) });
  }

  async function post(id: string) {
    const answer = await api.send(`/api/sources/${id}/import`, { system: SYSTEMS[system], isDryRun, alerts });
    if (answer.ok) return alertImportResultSchema.parse(await answer.json());
    throw new Complaint(
      `The server did not take the alerts at ${records[0]?.where} (${answer.status}: ${(await answer.text()).trim()}). Run the import again: it goes on.`,
    );
  }
}
