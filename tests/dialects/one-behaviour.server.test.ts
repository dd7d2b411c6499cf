import { expect, test } from 'vitest';
import { createdApiKeySchema } from '#backend/contract/api-key.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { createRecorder } from './recorder.ts';
import { playScenario } from './scenario.ts';

/**
 * Where the two databases are allowed to differ: nowhere. Each plays the same script, and its transcript is compared
 * with the one file that both share. A change of behaviour shows there as a change of lines: `npx vitest run -u --project
 * server-sqlite tests/dialects` writes it again, and the other database must then agree.
 */
test('each database gives the same answers to the same calls', async () => {
  const server = await startTestServer();
  const signIn = async (name: string, role: 'user' | 'admin') => {
    const email = `${name}@example.com`;
    await server.addUser({ email, displayName: name, role });
    const client = server.anonymous();
    await client.signIn(email, 'correct horse');
    return { name, client };
  };
  const cast = {
    mara: await signIn('mara', 'user'),
    jon: await signIn('jon', 'user'),
    admin: await signIn('admin', 'admin'),
  };
  const made = await cast.admin.client.send('POST', '/api/api-keys', { name: 'Sender' });
  const recorder = createRecorder(server.anonymous(), createdApiKeySchema.parse(await made.json()).plainKey);
  await playScenario(recorder, cast);
  await server.destroy();
  await expect(recorder.text()).toMatchFileSnapshot('transcript.txt');
});
