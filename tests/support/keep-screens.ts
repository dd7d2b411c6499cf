import type { BrowserContext, TestInfo } from '@playwright/test';

/** Attaches a picture of each open page to a test that failed, as a file beside its other results. */
export async function keepScreens(contexts: readonly BrowserContext[], testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return;
  for (const [index, page] of contexts.flatMap((context) => context.pages()).entries()) {
    const path = testInfo.outputPath(`screen-${index + 1}.png`);
    // A page that hangs or has crashed has none.
    const isTaken = await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined);
    if (isTaken) testInfo.attachments.push({ name: 'screenshot', path, contentType: 'image/png' });
  }
}
