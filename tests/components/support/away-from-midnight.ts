/** How long a test may take that names days, in milliseconds. */
const TEST_MS = 30_000;

/** Waits until tomorrow where that is near: what is said of today would be about yesterday before a test has looked at it. */
export async function awayFromMidnight(): Promise<void> {
  const tomorrow = new Date().setHours(24, 0, 0, 0);
  const leftMs = tomorrow - Date.now();
  if (leftMs < TEST_MS) await new Promise((resolve) => setTimeout(resolve, leftMs + 100));
}
