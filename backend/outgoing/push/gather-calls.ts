/**
 * Makes one call of many that come within a moment: what is written of a hundred devices is then one transaction, not a
 * hundred that webhook alerts wait behind.
 *
 * @param work takes what came, in its order; where it fails, every call that it was made for does.
 * @returns resolves when the call that it became part of has ended.
 */
export function gatherCalls<T>(work: (items: T[]) => Promise<void>, withinMs: number): (item: T) => Promise<void> {
  let next: { items: T[]; ended: Promise<void> } | undefined;
  const begin = () => {
    const items: T[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      setTimeout(() => {
        next = undefined;
        work(items).then(resolve, reject);
      }, withinMs);
    });
    return { items, ended };
  };
  return (item) => {
    next ??= begin();
    next.items.push(item);
    return next.ended;
  };
}
