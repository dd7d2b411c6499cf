import type { DesktopBridge } from '#electron/contract.ts';
import { doubleOf, expect, test, useThisComputer } from './support/fixtures.ts';
import { changeSettings } from './support/used-server.ts';

interface PageWindow {
  alertdesk: DesktopBridge & Record<string, unknown>;
  require?: unknown;
  process?: unknown;
}

test('a page gets the bridge and no Node, and may make its own calls only, with arguments that fit', async ({
  launch,
}) => {
  const desktop = await launch();
  const page = await desktop.page();
  const report = (inboxCount: unknown) =>
    page.evaluate(async (count) => {
      const { alertdesk } = globalThis as unknown as PageWindow;
      return alertdesk.reportAttention({ inboxCount: count as number, connection: 'connected' }).then(
        () => 'done',
        (error: Error) => error.message,
      );
    }, inboxCount);
  await page.getByRole('heading', { name: 'Use this computer' }).waitFor();
  const seen = await page.evaluate(() => {
    const { alertdesk, require, process } = globalThis as unknown as PageWindow;
    return {
      calls: Object.keys(alertdesk),
      node: [typeof require, typeof process],
      frozen: Object.isFrozen(alertdesk),
    };
  });
  expect(seen.calls).toContain('reportAttention');
  expect(seen.calls).not.toContain('invoke');
  expect(seen.node).toEqual(['undefined', 'undefined']);
  expect(seen.frozen).toBe(true);

  // Functions and other things that cannot be copied do not cross.
  const problem = await page.evaluate(async () => {
    const { alertdesk } = globalThis as unknown as PageWindow;
    try {
      await alertdesk.chooseServer((() => undefined) as never);
      return 'crossed';
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(problem).toBe('DataCloneError');

  expect(await report(5)).toContain('reportAttention is not for this page.');
  expect(await desktop.overlay()).toBeUndefined();

  await useThisComputer(page);
  // The page reports its own count, too, as it loads and connects.
  await expect
    .poll(async () => [await report(5), (await desktop.overlay())?.description])
    .toEqual(['done', '5 new alerts']);
  expect(await report('many')).toContain('reportAttention: ');
  expect(await report(-1)).toContain('reportAttention: ');
  await expect
    .poll(async () => {
      await report(5);
      await report('many');
      await report(-1);
      return (await desktop.overlay())?.description;
    })
    .toBe('5 new alerts');

  // A server's page cannot send the app to another server.
  const chosen = await page.evaluate(async () => {
    const { alertdesk } = globalThis as unknown as PageWindow;
    return alertdesk
      .chooseServer({ kind: 'team-server', url: 'https://evil.example' })
      .catch((error: Error) => error.message);
  });
  expect(chosen).toContain('chooseServer is not for this page.');
});

test('permissions, downloads and certificates follow allowlists; links and windows go to the system’s browser, and only what may', async ({
  launchSignedIn,
  userData,
}) => {
  await changeSettings(userData, { pinnedCertificates: { 'alerts.example.com': 'sha256/AAAA' } });
  const { desktop, page } = await launchSignedIn();
  const { origin } = new URL(page.url());
  const { session } = doubleOf(desktop);
  const NO = [false, false];
  expect(await session.permits('clipboard-sanitized-write', `${origin}/`)).toEqual([true, true]);
  expect(await session.permits('media', `${origin}/`)).toEqual(NO);
  expect(await session.permits('geolocation', `${origin}/`)).toEqual(NO);
  expect(await session.permits('notifications', `${origin}/`)).toEqual([true, true]);
  expect(await session.permits('notifications', 'https://example.com/')).toEqual(NO);
  expect(await session.permits('clipboard-sanitized-write', 'https://example.com/')).toEqual(NO);
  expect(session.downloads(`${origin}/api/alerts.csv`)).toBe(true);
  expect(session.downloads(`blob:${origin}/0189`)).toBe(true);
  expect(session.downloads('https://example.com/setup.exe')).toBe(false);

  const bad = { hostname: 'alerts.example.com', verificationResult: 'net::ERR_CERT_AUTHORITY_INVALID' };
  expect(await session.judges({ ...bad, fingerprint: 'sha256/AAAA' })).toBe(0);
  expect(await session.judges({ ...bad, fingerprint: 'sha256/BBBB' })).toBe(-3);
  expect(await session.judges({ ...bad, hostname: 'other.example.com', fingerprint: 'sha256/AAAA' })).toBe(-3);

  const { href } = new URL(page.url());
  const follow = (url: string, target: '_blank' | '_self') =>
    page.evaluate<void>(`{
      const link = Object.assign(document.createElement('a'), ${JSON.stringify({ href: url, target })});
      document.body.append(link);
      link.click();
    }`);
  const open = (url: string) => page.evaluate<unknown>(`window.open(${JSON.stringify(url)})`);
  await follow('https://example.com/one', '_blank');
  await open('https://example.com/two');
  await open('file:///etc/passwd');
  await open('ms-msdt:/id');
  await expect.poll(() => desktop.openedOutside()).toEqual(['https://example.com/one', 'https://example.com/two']);
  await follow('https://example.com/three', '_self');
  await expect.poll(() => desktop.openedOutside()).toHaveLength(3);
  expect(page.url()).toBe(href);
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
});
