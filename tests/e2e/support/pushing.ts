import type { Page } from '@playwright/test';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { setPermission, subscribeTo, workerActive } from './browser-device.ts';
import { test as base } from './fixtures.ts';
import { connected } from './screen.ts';

/** A server whose pushes go to a push service on this machine, and a browser that subscribes there. */
export interface Pushing {
  service: PushService;
  server: TestServer;
  mara: TestClient;
  apiKey: string;
  device: Device;
  /** Opens Settings in the browser, as Mara, with what is permitted there. */
  openSettings: (
    permission: 'granted' | 'denied' | 'prompt',
    options?: { colorScheme?: 'light' | 'dark' },
  ) => Promise<Page>;
}

export const test = base.extend<{ pushing: Pushing }>({
  pushing: async ({ open }, use) => {
    const service = await startPushService();
    const limits = { recipientsMs: 20, windowMs: 100, gatherMs: 100 };
    const server = await startTestServer({}, { push: { ...service.parts, limits } });
    const member = await server.signedIn();
    const { device, keys } = service.enrol();
    const { hostname, origin } = new URL(server.url);
    const cookies = [...member.cookies].map(([name, value]) => ({
      name,
      value,
      domain: hostname,
      path: '/',
      expires: -1,
      httpOnly: name === 'sid',
      secure: false,
      sameSite: 'Lax' as const,
    }));
    const openSettings: Pushing['openSettings'] = async (permission, options = {}) => {
      const page = await open('/api/docs', { baseURL: origin, storageState: { cookies, origins: [] }, ...options });
      await setPermission(page, origin, permission);
      await subscribeTo(page, { endpoint: device.endpoint, keys });
      await page.goto('/settings');
      await workerActive(page);
      await connected(page);
      return page;
    };
    await use({ service, server, mara: member, apiKey: await server.addApiKey(), device, openSettings });
    await server.destroy();
    service.expectNoFaults();
    await service.close();
  },
});
