import type { Page } from '@playwright/test';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { type Subscribing, setPermission, subscribeTo, workerActive } from './browser-device.ts';
import { test as base } from './fixtures.ts';
import { BESIDE_THE_APP, connected } from './screen.ts';

/** A browser, as a person uses it. */
interface BrowserOptions {
  /** What is permitted there. */
  permission: 'granted' | 'denied' | 'prompt';
  /** What it subscribes to; without, the browser's own push service, which is out of reach. */
  subscribing?: Subscribing;
  path?: string;
  colorScheme?: 'light' | 'dark';
}

/** A server whose pushes go to a push service on this machine, and a browser that subscribes there. */
export interface Pushing {
  service: PushService;
  server: TestServer;
  mara: TestClient;
  apiKey: string;
  device: Device;
  /** Opens Settings in the browser, as Mara, with what is permitted there. */
  openSettings: (
    permission: BrowserOptions['permission'],
    options?: Pick<BrowserOptions, 'colorScheme'>,
  ) => Promise<Page>;
  /** Opens a browser of its own in the client's session. */
  openBrowser: (client: TestClient, options: BrowserOptions) => Promise<Page>;
}

export const test = base.extend<{ pushing: Pushing }>({
  pushing: async ({ open }, use) => {
    const service = await startPushService();
    const limits = { recipientsMs: 20, windowMs: 100, gatherMs: 100 };
    const server = await startTestServer({}, { push: { ...service.parts, limits } });
    const mara = await server.signedIn();
    const { device, keys } = service.enrol();
    const { origin } = new URL(server.url);
    const openBrowser: Pushing['openBrowser'] = async (client, { permission, subscribing, path = '/', ...options }) => {
      const storageState = { cookies: cookiesOf(client), origins: [] };
      const page = await open(BESIDE_THE_APP, { baseURL: origin, storageState, ...options });
      await setPermission(page, origin, permission);
      if (subscribing) await subscribeTo(page, subscribing);
      await page.goto(path);
      await workerActive(page);
      await connected(page);
      return page;
    };
    const openSettings: Pushing['openSettings'] = (permission, options = {}) =>
      openBrowser(mara, {
        permission,
        path: '/settings',
        subscribing: { endpoint: device.endpoint, keys },
        ...options,
      });
    await use({ service, server, mara, apiKey: await server.addApiKey(), device, openSettings, openBrowser });
    await server.destroy();
    service.expectNoFaults();
    await service.close();
  },
});

/** A client’s session, for a browser to begin with. */
export const cookiesOf = ({ url, cookies }: TestClient) =>
  [...cookies].map(([name, value]) => ({
    name,
    value,
    domain: new URL(url).hostname,
    path: '/',
    expires: -1,
    httpOnly: name === 'sid',
    secure: false,
    sameSite: 'Lax' as const,
  }));
