import type { ConfiguredHeartbeat, ConfiguredView, ConfiguredWindow } from '#backend/contract/configuration.ts';
import { RepeatRuleError } from '#backend/alerts/maintenance/repeat-rule.ts';
import { nextSpans } from '#backend/alerts/maintenance/schedule.ts';
import { changeWindow, createWindow, deleteWindow } from '#backend/alerts/maintenance/window-commands.ts';
import { WindowEntity, presentSchedule } from '#backend/alerts/maintenance/window-entities.ts';
import { changeView, createView, deleteView, orderViews } from '#backend/alerts/views/view-commands.ts';
import { EVERYBODY, ViewEntity } from '#backend/alerts/views/view.ts';
import { changeHeartbeat, createHeartbeat, deleteHeartbeat } from '#backend/intake/heartbeats/heartbeat-commands.ts';
import { HeartbeatEntity, scheduleOf } from '#backend/intake/heartbeats/heartbeat-entities.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { type ConfigurationRun, type Section, pick } from './section.ts';

/** Whether a window was on, and has no time left. Of a rule that windows cannot have, or that gives no time, the command says so. */
function isOverAt({ startsAt, minutes, timeZone, rrule }: ConfiguredWindow, now: number): boolean {
  const isOnAfter = (moment: number): boolean =>
    nextSpans({ startsAt: Date.parse(startsAt), minutes, timeZone, rrule }, moment, 1).length > 0;
  try {
    return isOnAfter(-Infinity) && !isOnAfter(now);
  } catch (error) {
    if (error instanceof RepeatRuleError) return false;
    throw error;
  }
}

const sourceIdOf = ({ names }: ConfigurationRun, { source }: ConfiguredHeartbeat): string | null =>
  source === null ? null : names.idOf('source', source, 'source');

export const heartbeatSection: Section<ConfiguredHeartbeat> = {
  noun: 'heartbeat',
  async read(manager, names) {
    const heartbeats = await manager.getRepository(HeartbeatEntity).find({ order: { nameKey: 'ASC' } });
    return heartbeats.map(({ id, version, name, customer, graceSeconds, severity, sourceId, pausedAt, ...stored }) => {
      const source = sourceId === null ? null : (names.nameOf('source', sourceId) ?? null);
      const schedule = scheduleOf(stored);
      const isPaused = pausedAt !== null;
      return { id, version, entry: { name, customer, schedule, graceSeconds, severity, isPaused, source } };
    });
  },
  normalize: ({ source, ...entry }, names) => ({
    ...entry,
    source: source === null ? null : names.asStored('source', source),
  }),
  check: sourceIdOf,
  async create(run, entry) {
    const { isPaused, source: _, ...fields } = entry;
    const { id, path } = await createHeartbeat(run.deps, run.by, { ...fields, sourceId: sourceIdOf(run, entry) });
    if (isPaused) await changeHeartbeat(run.deps, run.by, id, { isPaused }, undefined);
    return { id, secrets: { path } };
  },
  change(run, { id, version }, entry, changed) {
    const fields = ['name', 'customer', 'schedule', 'graceSeconds', 'severity', 'isPaused'] as const;
    const change = {
      ...pick(entry, fields, changed),
      ...(changed.has('source') && { sourceId: sourceIdOf(run, entry) }),
    };
    return changeHeartbeat(run.deps, run.by, id, change, version);
  },
  remove: ({ deps, by }, { id }) => deleteHeartbeat(deps, by, id),
};

export const windowSection: Section<ConfiguredWindow> = {
  noun: 'maintenance window',
  async read(manager) {
    const windows = await manager.getRepository(WindowEntity).find({ order: { name: 'ASC' } });
    return windows.map(({ id, version, name, search, ...schedule }) => ({
      id,
      version,
      entry: { name, search, ...presentSchedule(schedule) },
    }));
  },
  normalize: (entry) => ({ ...entry, startsAt: new Date(entry.startsAt).toISOString() }),
  isOver: isOverAt,
  create: async ({ deps, by }, entry) => ({ id: await createWindow(deps, by, entry) }),
  change({ deps, by }, { id, version }, entry, changed) {
    const fields = ['name', 'search', 'startsAt', 'minutes', 'timeZone', 'rrule'] as const;
    return changeWindow(deps, by, id, pick(entry, fields, changed), version);
  },
  remove: ({ deps, by }, { id }) => deleteWindow(deps, by, id),
};

/** Views that everybody sees. Those of members are theirs. */
export const viewSection: Section<ConfiguredView> = {
  noun: 'view',
  async read(manager) {
    const views = await manager
      .getRepository(ViewEntity)
      .find({ where: { ownerId: EVERYBODY }, order: { position: 'ASC', id: 'ASC' } });
    return views.map(({ id, version, name, list, search, sort }) => ({
      id,
      version,
      entry: { name, list, search, sort },
    }));
  },
  arrange: ({ deps, viewAuthor }, ids) => orderViews(deps, viewAuthor.actor, { isShared: true, ids }),
  async create({ deps, viewAuthor }, entry) {
    return { id: (await createView(deps, viewAuthor, { ...entry, isShared: true, notify: 'settings' })).id };
  },
  async change({ deps, viewAuthor }, { id, version }, entry, changed) {
    if (changed.has('list')) {
      const message = 'The list of a view stays. Give the new view another name.';
      throw unacceptable(message, [{ path: 'list', message }]);
    }
    await changeView(deps, viewAuthor, id, { version, ...pick(entry, ['name', 'search', 'sort'], changed) });
    return true;
  },
  remove: ({ deps, viewAuthor }, { id }) => deleteView(deps, viewAuthor, id),
};
