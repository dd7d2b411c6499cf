import type { Source } from '#backend/contract/source.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatDay } from '#renderer/lib/times.ts';
import { formatInterval, formatSpan } from './ages.ts';

export type HealthState = Source['health']['state'];

/** How a source is doing: a label, and one line of reason where there is something to say. */
export interface HealthLabel {
  state: HealthState;
  label: string;
  reason: string | undefined;
}

/** Name of each state where no time is given, as in the filter. */
export const HEALTH_NAMES: Record<HealthState, string> = {
  ok: 'OK',
  refusing: 'Refusing',
  silent: 'Silent',
  'never-used': 'Never used',
  paused: 'Paused',
};

/** The health of a source in words, as of `now`. */
export function healthLabel(source: Source, now: Date): HealthLabel {
  const { health, createdAt, pausedAt, pausedBy, usualGapMs, settings } = source;
  const { state } = health;
  const reason = health.reason === null ? undefined : inertLine(health.reason);
  const named = { state, label: HEALTH_NAMES[state] };
  switch (state) {
    case 'ok':
      return { ...named, reason: undefined };
    case 'refusing':
      return { ...named, reason: reason };
    case 'silent': {
      const since = health.since === null ? undefined : now.getTime() - new Date(health.since).getTime();
      return {
        state,
        label: since === undefined ? named.label : `Silent for ${formatSpan(since)}`,
        reason:
          usualGapMs === null || settings.reportSilence !== 'usual'
            ? reason
            : `Longer than usual: every ${formatInterval(usualGapMs)}`,
      };
    }
    case 'never-used':
      return { ...named, reason: `Created ${formatDay(new Date(createdAt), now)}` };
    case 'paused': {
      const day = pausedAt === null ? [] : [formatDay(new Date(pausedAt), now)];
      const who = pausedBy === null ? [] : [`By ${inertLine(pausedBy)}`];
      return { ...named, reason: [...who, ...day].join(', ') || undefined };
    }
  }
}

/** Whether an administrator should look at it. */
export const needsAttention = ({ health }: Pick<Source, 'health'>): boolean =>
  health.state === 'refusing' || health.state === 'silent';
