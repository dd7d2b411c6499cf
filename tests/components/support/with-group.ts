import { onTestFinished } from 'vitest';
import { appServer } from './open-page.tsx';

/** Groups by customer and type while a test runs, with three alerts of one group and two beside it. */
export async function withGroup() {
  const app = await appServer();
  await app.clear();
  await app.admin.request('PATCH', '/api/grouping-rules/names', { isOn: true });
  onTestFinished(async () => {
    await app.admin.request('PATCH', '/api/grouping-rules/names', { isOn: false });
  });
  await app.post({ customer: 'Harbor', alertType: 'disk', title: 'Disk is full' });
  for (const title of ['Cart is slow', 'Checkout answers 502', 'Queue is long'])
    await app.post({ customer: 'Nordwind', alertType: 'checkout', title, severity: 'high' });
  await app.post({ customer: 'Quayside', alertType: 'cpu', title: 'Load is high' });
  return app;
}
