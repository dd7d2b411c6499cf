import type { BrowserContext, TestInfo } from '@playwright/test';

/** Attaches a picture of each open page to a test that failed. */
export async function keepScreens(contexts: readonly BrowserContext[], testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return;
  for (const page of contexts.flatMap((context) => context.pages())) {
    // A page that hangs or has crashed has none.
    const body = await page.screenshot({ timeout: 5_000 }).catch(() => undefined);
    if (body) await testInfo.attach('screenshot', { body, contentType: 'image/png' });
  }
}
