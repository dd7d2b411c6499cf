/**
 * The same work once for all who ask for it while it has not begun: one is in progress, and at most one waits. Whoever asks is given
 * one that begins after they asked, so that it finds what they have stored.
 */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let active: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const begun = work().finally(() => {
      if (active === begun) active = undefined;
    });
    active = begun;
    return begun;
  };
  return () => next ?? (active ? (next = active.then(begin, begin)) : begin());
}
