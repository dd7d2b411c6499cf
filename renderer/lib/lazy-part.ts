import { getDefaultStore } from 'jotai';
import { type ComponentType, lazy } from 'react';
import { reloadReasonAtom } from './connection.ts';

/** A part of the app could not be fetched. */
export class MissingPartError extends Error {
  /** The server no longer has the file: it serves another version than this page. */
  readonly isGone: boolean;

  constructor(isGone: boolean, cause: unknown) {
    super('A part of the app could not be fetched.', { cause });
    this.name = 'MissingPartError';
    this.isGone = isGone;
  }
}

type Load<P extends object> = () => Promise<ComponentType<P>>;

/** Waits before a part is fetched again, in milliseconds. */
const RETRIES_MS = [500, 2_000];

/** A screen, fetched when it is first opened. Throws a {@link MissingPartError} where it is drawn if it cannot be. */
export const lazyScreen = <P extends object>(load: Load<P>) =>
  lazy<ComponentType<P>>(async () => ({ default: await fetchPart(load) }));

/**
 * What opens over a screen: a menu, a dialog. Where it cannot be fetched, the screen stays and the strip below the header
 * offers to load the page again.
 */
export const lazyPart = <P extends object>(load: Load<P>) => leftOut(load, () => true);

/** What stands beside a screen's own matter. Where it cannot be fetched, it is left out; an upgrade is reported. */
export const lazyExtra = <P extends object>(load: Load<P>) => leftOut(load, ({ isGone }) => isGone);

const leftOut = <P extends object>(load: Load<P>, isReported: (error: MissingPartError) => boolean) =>
  lazy<ComponentType<P>>(async () => ({ default: (await fetchReported(load, isReported)) ?? (() => null) }));

/** Fetches what opens over a screen, as {@link lazyPart} does; undefined when it cannot be, which is then reported. */
export const loadPart = <P extends object>(load: Load<P>): Promise<ComponentType<P> | undefined> =>
  fetchReported(load, () => true);

const fetchReported = <P extends object>(load: Load<P>, isReported: (error: MissingPartError) => boolean) =>
  fetchPart(load).catch((error: unknown) => {
    if (!(error instanceof MissingPartError)) throw error;
    if (isReported(error)) getDefaultStore().set(reloadReasonAtom, (known) => known ?? reasonOf(error));
    return undefined;
  });

const reasonOf = ({ isGone }: MissingPartError) => (isGone ? 'new-version' : 'missing-part');

async function fetchPart<P extends object>(load: Load<P>): Promise<ComponentType<P>> {
  for (const waitMs of RETRIES_MS) {
    try {
      return await load();
    } catch (error) {
      if (await namesGoneFile(error)) throw new MissingPartError(true, error);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return load().catch(async (error: unknown) => {
    throw new MissingPartError(await namesGoneFile(error), error);
  });
}

/** Whether the server says that it has no such file. Webpack's error names its address. */
async function namesGoneFile(error: unknown): Promise<boolean> {
  const address = error instanceof Error && 'request' in error ? error.request : undefined;
  if (typeof address !== 'string') return false;
  return fetch(address, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status === 404,
    () => false,
  );
}
