import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { DEFAULT_QUIET_HOURS } from '#backend/contract/notification-settings.ts';
import { alertTypeMutesQuery, muteEndsQuery, mutedNamesQuery, sourceMutesQuery } from '#renderer/mutes/mutes.ts';
import { exceptionsQuery } from '#renderer/mutes/exceptions.ts';
import type { Toasts } from '#renderer/toasts/toast.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createAnnouncer } from './announcer.ts';
import type { NotificationChannel } from './notification-channel.ts';
import { notificationSettingsQuery } from './notification-settings.ts';

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', { visibilityState: 'visible', hasFocus: () => true, querySelector: () => null });
});
afterEach(() => vi.unstubAllGlobals());

const arrival = (id: string, severity: AlertSeverity): LiveEvent => ({
  type: 'new_alert',
  alert: makeAlert(id, { severity }),
});

it('reports to the worker what the server pushes, and nothing that it does not push', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(notificationSettingsQuery.queryKey, {
    level: 'critical',
    quietHours: DEFAULT_QUIET_HOURS,
    pausedUntil: null,
    sounds: [],
  } as never);
  for (const { queryKey } of [alertTypeMutesQuery, mutedNamesQuery, sourceMutesQuery, muteEndsQuery])
    client.setQueryData(queryKey as readonly unknown[], []);
  client.setQueryData(exceptionsQuery.queryKey, { rows: [] } as never);
  const reported: string[] = [];
  const channel = {
    state: () => ({ notificationsOn: true, hasPush: true }),
    reportAnnounced: async (ids: readonly string[]) => void reported.push(...ids),
    clear: async () => undefined,
  } as unknown as NotificationChannel;
  const announcer = createAnnouncer({
    client,
    channel,
    toasts: { show: () => undefined, announce: () => undefined, dismissShown: () => undefined } as unknown as Toasts,
    screen: { counted: () => new Set(), watchCounted: () => () => undefined },
    me: 'mara',
    open: () => undefined,
    complete: () => undefined,
  });
  announcer.receive([arrival('low', 'low')]);
  announcer.receive([
    {
      type: 'alerts_returned',
      id: 'returned',
      alerts: 1,
      alertId: 'low',
      ownerId: 'ben',
      ownerName: 'Ben',
      untouchedHours: null,
    },
  ]);
  announcer.receive([arrival('critical', 'critical')]);
  await waitFor(() => expect(reported).toContain('critical'));
  announcer.close();
  expect(reported).toEqual(['critical']);
});
