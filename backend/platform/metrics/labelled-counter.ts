import { Counter, type Registry } from 'prom-client';

/** A counter of few known kinds, each there from the start: a rate needs a zero to begin at. */
export function labelledCounter<L extends string>(
  registry: Registry,
  label: L,
  values: readonly string[],
  { name, help }: { name: string; help: string },
): Counter<L> {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value } as Record<L, string>, 0);
  return counter;
}
