/** What fields that a change names were before: to undo it, and nothing that others have changed since. */
export function formerValues<T extends object, K extends keyof T>(
  before: T,
  change: { readonly [key in K]?: unknown },
): Partial<Pick<T, K>> {
  const former: Partial<Pick<T, K>> = {};
  for (const key of Object.keys(change) as K[]) former[key] = before[key];
  return former;
}
