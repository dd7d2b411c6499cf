import { expect, test } from 'vitest';
import { PRODUCT_RELEASES_URL, productSchema } from '#backend/contract/product.ts';
import { startTestServer } from '#tests/support/test-server.ts';

test('members see where releases and source are', async () => {
  const server = await startTestServer({ SOURCE_URL: 'https://git.example.com/alertdesk' });
  const member = await server.signedIn();
  expect(productSchema.parse(await (await member.get('/api/product')).json())).toEqual({
    name: 'Alertdesk',
    version: '1.0.3',
    releasesUrl: PRODUCT_RELEASES_URL,
    sourceUrl: 'https://git.example.com/alertdesk',
  });
  await server.destroy();
});
