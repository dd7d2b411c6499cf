import { getDefaultStore } from 'jotai';
import {
  type ComponentType,
  type ReactNode,
  Suspense,
  createElement,
  lazy,
  startTransition,
  useEffect,
  useState,
} from 'react';
import { reloadReasonAtom } from './connection.ts';
import { afterFirstScreen } from './first-screen.ts';
import * as texts from './texts.ts';

/** Part of the app could not be loaded. */
export class MissingPartError extends Error {
  /** The server no longer has the file: it serves another version than this page. */
  readonly isGone: boolean;

  constructor(isGone: boolean, cause: unknown) {
    super(texts.partNotLoaded, { cause });
    this.name = 'MissingPartError';
    this.isGone = isGone;
  }
}

type Load<P extends object> = () => Promise<ComponentType<P>>;

/** Waits before a part is fetched again, in milliseconds. */
const RETRIES_MS = [500, 2_000];

/**
 * What happens where a part cannot be fetched: `throw` a {@link MissingPartError} where it is drawn, for a screen; leave it
 * out and `report` it, so that the strip below the header offers to load the page again, for a menu or a dialog; `omit`
 * it and report an upgrade alone, for what a screen can do without.
 */
type WhenMissing = 'throw' | 'report' | 'omit';

/** A component that is fetched when it is first drawn, and again when that fails. Where it is missing, `instead` is drawn. */
export const lazyWithRetry = <P extends object>(
  load: Load<P>,
  whenMissing: WhenMissing,
  instead: ComponentType<P> = () => null,
) => lazy<ComponentType<P>>(async () => ({ default: (await loadWithRetry(load, whenMissing)) ?? instead }));

/**
 * A component that the first screen can do without: it is fetched after that, and drawn in a task of its own. By Suspense
 * alone, all that comes within 300 ms would be drawn at once, which keeps a slow phone from answering.
 *
 * Its `place` is what is drawn until it is there. Where it is missing, `instead` is drawn.
 */
export function partAfterFirstScreen<P extends object>(
  load: Load<P>,
  whenMissing: Exclude<WhenMissing, 'throw'>,
  instead: ComponentType<P> = () => null,
): ComponentType<P & { place?: ReactNode }> {
  let part: ComponentType<P> | undefined;
  let fetching: Promise<void> | undefined;
  const fetchWhole = async (): Promise<void> => {
    await afterFirstScreen();
    const fetched = (await loadWithRetry(load, whenMissing)) ?? instead;
    // Several come in one file.
    await afterFirstScreen();
    part = fetched;
  };
  return function PartAfterFirstScreen({ place, ...props }) {
    const [Part, setPart] = useState(() => part);
    useEffect(() => {
      if (Part) return undefined;
      let isDrawn = true;
      fetching ??= fetchWhole();
      void fetching.then(() => isDrawn && startTransition(() => setPart(() => part)));
      return () => {
        isDrawn = false;
      };
    }, [Part]);
    return createElement(Suspense, { fallback: place }, Part ? createElement(Part, props as unknown as P) : place);
  };
}

/** As `lazyWithRetry`, for a component that the styles of the first load do for: it does not wait for those of later parts. */
export const lazyWithoutStyles = <P extends object>(load: Load<P>, whenMissing: WhenMissing) =>
  lazy<ComponentType<P>>(async () => ({ default: (await fetchPart(load, whenMissing)) ?? (() => null) }));

/** Fetches a component apart from drawing it; undefined when it is missing and that does not throw. */
export const loadWithRetry = <P extends object>(
  load: Load<P>,
  whenMissing: WhenMissing,
): Promise<ComponentType<P> | undefined> => fetchPart(() => fetchStyled(load), whenMissing);

/** Fetches after the first screen what the page can do without, and needs no styles; undefined when it is missing. */
export const fetchLater = <T>(fetchOnce: () => Promise<T>): Promise<T | undefined> =>
  afterFirstScreen().then(() => fetchPart(fetchOnce, 'omit'));

/** Fetches a part that needs no styles; undefined when it is missing and that does not throw. */
export const fetchPart = <T>(fetchOnce: () => Promise<T>, whenMissing: WhenMissing): Promise<T | undefined> =>
  fetchAgain(fetchOnce).catch((error: unknown) => {
    if (!(error instanceof MissingPartError) || whenMissing === 'throw') throw error;
    if (error.isGone || whenMissing === 'report')
      getDefaultStore().set(reloadReasonAtom, (known) => known ?? reasonOf(error));
    return undefined;
  });

const reasonOf = ({ isGone }: MissingPartError) => (isGone ? 'new-version' : 'missing-part');

/** Fetches all of Blueprint's styles, of which the first load has those of its own components alone. */
export const loadStyles = (): Promise<unknown> =>
  import(/* webpackChunkName: "blueprint" */ '#renderer/styles/blueprint.css');

/** Fetches a part with the styles that it needs, which come before its own. */
async function fetchStyled<P extends object>(load: Load<P>): Promise<ComponentType<P>> {
  const styles = loadStyles();
  const [part] = await Promise.all([load(), styles]);
  return part;
}

async function fetchAgain<T>(fetchOnce: () => Promise<T>): Promise<T> {
  for (const waitMs of RETRIES_MS) {
    try {
      return await fetchOnce();
    } catch (error) {
      if (await namesGoneFile(error)) throw new MissingPartError(true, error);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return fetchOnce().catch(async (error: unknown) => {
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
