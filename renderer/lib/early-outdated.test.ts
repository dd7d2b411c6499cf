import { afterEach, expect, it, vi } from 'vitest';
import { waitFor } from '#tests/support/wait-for.ts';
import { findEarlyOutdated } from './early-start.ts';

afterEach(() => vi.unstubAllGlobals());

it('names a list that is outdated while the answer of another has not come', async () => {
  const queue = Promise.withResolvers<string | null>();
  const answers = new Map([['/api/alerts/inbox?limit=100', Promise.resolve(new Response('[]'))]]);
  const places = new Map([
    ['/api/alerts/inbox?limit=100', Promise.resolve<string | null>('5')],
    ['/api/alerts/mine?completion=open&limit=100', queue.promise],
  ]);
  vi.stubGlobal('window', { alertdeskEarly: { answers, places } });
  const outdated: string[] = [];
  const isCompared = findEarlyOutdated(
    (place) => place === '6',
    (path) => outdated.push(path),
  );
  await waitFor(() => expect(outdated).toEqual(['/api/alerts/inbox']));
  expect(answers.size).toBe(0);
  queue.resolve(null);
  await isCompared;
  expect(outdated).toEqual(['/api/alerts/inbox', '/api/alerts/mine?completion=open']);
});

it('names none that was read where the server greeted', async () => {
  const places = new Map([['/api/alerts/inbox?limit=100', Promise.resolve<string | null>('6')]]);
  vi.stubGlobal('window', { alertdeskEarly: { answers: new Map(), places } });
  const outdated: string[] = [];
  await findEarlyOutdated(
    (place) => place === '6',
    (path) => outdated.push(path),
  );
  expect(outdated).toEqual([]);
});
