import { DEFAULT_QUIET_HOURS } from '#backend/contract/notification-settings.ts';
import type { TestClient } from './test-client.ts';

interface NotificationWorld {
  member: () => TestClient;
  newAlert: () => Promise<string>;
  aCustomer: () => Promise<string>;
}

/** A call for each answer about a member's notifications. */
export const notificationCalls = ({
  member,
  newAlert,
  aCustomer,
}: NotificationWorld): Record<string, () => Promise<Response>> => ({
  'GET /api/notification-settings 200': async () => {
    await newAlert();
    await member().send('PUT', '/api/notification-settings/sounds', { alertType: 'disk.full', sound: 'ping' });
    return member().get('/api/notification-settings');
  },
  'PATCH /api/notification-settings 200': () =>
    member().send('PATCH', '/api/notification-settings', {
      quietHours: DEFAULT_QUIET_HOURS,
      pausedUntil: new Date(Date.now() + 60_000).toISOString(),
    }),
  'GET /api/notification-exceptions 200': async () => {
    await newAlert();
    const muted = { kind: 'alert_type', id: 'disk.full', level: 'never', until: new Date(Date.now() + 60_000) };
    await member().send('PUT', '/api/notification-exceptions', muted);
    return member().get('/api/notification-exceptions');
  },
  'PUT /api/notification-exceptions 204': async () =>
    member().send('PUT', '/api/notification-exceptions', { kind: 'customer', id: await aCustomer(), level: 'high' }),
  'DELETE /api/notification-exceptions 204': () =>
    member().send('DELETE', '/api/notification-exceptions?kind=alert_type&id=disk.full'),
  'GET /api/notification-preview 200': async () => {
    await newAlert();
    return member().get('/api/notification-preview');
  },
  'PUT /api/notification-settings/sounds 200': async () => {
    await newAlert();
    return member().send('PUT', '/api/notification-settings/sounds', { alertType: 'disk.full', sound: 'chime' });
  },
});

/** Every change of exceptions, with a request to it that succeeds. */
export const EXCEPTION_WRITE_ROUTES: Record<
  string,
  (world: { customerId: string }, member: TestClient) => Promise<{ path: string; body?: unknown }>
> = {
  'PUT /api/notification-exceptions': async ({ customerId }) => ({
    path: '/api/notification-exceptions',
    body: { kind: 'customer', id: customerId, level: 'critical' },
  }),
  'DELETE /api/notification-exceptions': async ({ customerId }, member) => {
    const body = { kind: 'customer', id: customerId, level: 'critical' };
    await member.send('PUT', '/api/notification-exceptions', body);
    return { path: `/api/notification-exceptions?kind=customer&id=${customerId}` };
  },
};
