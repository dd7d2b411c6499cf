import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { expect, test } from './support/fixtures.ts';

const manifestSchema = z.object({
  id: z.string(),
  start_url: z.string(),
  display: z.string(),
  icons: z.array(z.object({ src: z.string(), sizes: z.string(), type: z.string(), purpose: z.string() })),
});

/** What a PNG says of its size. */
const pngSize = (file: Buffer): string => `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`;

test('the browser reads the manifest without an error and would install the app', async ({
  app,
  playwright,
  launchOptions,
}) => {
  // A profile on disk: in a private window, as tests have them, nothing can be installed.
  const profile = await mkdtemp(join(tmpdir(), 'alertdesk-profile-'));
  const context = await playwright.chromium.launchPersistentContext(profile, launchOptions);
  try {
    const page = await context.newPage();
    await page.goto(app.url.href);
    const browser = await context.newCDPSession(page);
    const { url, errors } = await browser.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(url).toBe(new URL('/manifest.webmanifest', app.url).href);
    await expect
      .poll(async () => (await browser.send('Page.getInstallabilityErrors')).installabilityErrors)
      .toEqual([]);
    expect(await browser.send('Page.getAppId')).toMatchObject({ appId: app.url.href });

    const { icons, ...manifest } = manifestSchema.parse(await (await fetch(url)).json());
    expect(manifest).toEqual({ id: '/', start_url: '/', display: 'standalone' });
    expect(icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
    for (const { src, sizes, type } of icons) {
      const response = await fetch(new URL(src, app.url));
      expect([src, response.status, response.headers.get('Content-Type')]).toEqual([src, 200, type]);
      if (type === 'image/png') expect(pngSize(Buffer.from(await response.arrayBuffer()))).toBe(sizes);
    }
  } finally {
    await context.close();
    // The browser's helper processes may still write.
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
