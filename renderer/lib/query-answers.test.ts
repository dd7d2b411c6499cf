import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '#tests/support/wait-for.ts';
import { readNow, writeAnswer } from './query-answers.ts';
import { keepOutdated } from './query-freshness.ts';

const queryKey = ['/api/things'];

/** A client, a query of it, and how each of its fetches is answered, in turn. */
function withFetches() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  keepOutdated(client);
  const fetches: PromiseWithResolvers<string[]>[] = [];
  const query = {
    queryKey,
    queryFn: () => {
      const fetch = Promise.withResolvers<string[]>();
      fetches.push(fetch);
      return fetch.promise;
    },
  };
  const unsubscribe = new QueryObserver(client, query).subscribe(() => undefined);
  onTestFinished(unsubscribe);
  const count = (expected: number) => waitFor(() => expect(fetches).toHaveLength(expected));
  return { client, query, fetches, count, known: () => client.getQueryData<string[]>(queryKey) };
}

/** Changes what is known while a fetch is on its way, which is answered as before the change. */
async function changeDuringFetch({ client, query, fetches, count, known }: ReturnType<typeof withFetches>) {
  const onItsWay = fetches.length;
  writeAnswer<string[]>(client, query, (things) => things && ['two', ...things]);
  const written = known();
  fetches[onItsWay - 1]?.resolve(['one']);
  await count(onItsWay + 1);
  fetches[onItsWay]?.resolve(['two', 'one']);
  return written;
}

test('a change outlives the first answer, which was on its way', async () => {
  const world = withFetches();
  expect(await changeDuringFetch(world)).toBeUndefined();
  await waitFor(() => expect(world.known()).toEqual(['two', 'one']));
});

test('a change outlives a later answer, which was on its way', async () => {
  const world = withFetches();
  world.fetches[0]?.resolve(['one']);
  await waitFor(() => expect(world.known()).toEqual(['one']));
  void world.client.refetchQueries({ queryKey });
  expect(await changeDuringFetch(world)).toEqual(['two', 'one']);
  await waitFor(() => expect(world.known()).toEqual(['two', 'one']));
});

test('a change of what is known is not taken back for a moment by the answer that was on its way', async () => {
  const { client, query, fetches, count, known } = withFetches();
  fetches[0]?.resolve(['one']);
  await waitFor(() => expect(known()).toEqual(['one']));
  const shown: unknown[] = [];
  onTestFinished(client.getQueryCache().subscribe(() => void shown.push(known())));
  void client.refetchQueries({ queryKey });
  await count(2);
  writeAnswer<string[]>(client, query, (things) => things && ['two', ...things]);
  fetches[1]?.resolve(['one']);
  await count(3);
  fetches[2]?.resolve(['three']);
  await waitFor(() => expect(known()).toEqual(['three']));
  expect(shown.map(String).filter((text, at, all) => text !== all[at - 1])).toEqual(['one', 'two,one', 'three']);
});

test('a change is written without another fetch where none is on its way', async () => {
  const { client, query, fetches, known } = withFetches();
  fetches[0]?.resolve(['one']);
  await waitFor(() => expect(known()).toEqual(['one']));
  writeAnswer<string[]>(client, query, (things) => things && ['two', ...things]);
  expect(known()).toEqual(['two', 'one']);
  await Promise.resolve();
  expect(fetches).toHaveLength(1);
});

test('what is read now was asked for now, once for all who ask, whatever became of the fetch before', async () => {
  for (const end of [
    (fetch?: PromiseWithResolvers<string[]>) => fetch?.resolve(['old']),
    (fetch?: PromiseWithResolvers<string[]>) => fetch?.reject(new Error('The network is away.')),
  ]) {
    const { client, query, fetches, count } = withFetches();
    const asked = [readNow(client, query), readNow(client, query)];
    await Promise.resolve();
    expect(fetches).toHaveLength(1);
    end(fetches[0]);
    await count(2);
    fetches[1]?.resolve(['new']);
    expect(await Promise.all(asked)).toEqual([['new'], ['new']]);
    expect(fetches).toHaveLength(2);
  }
});
