/** An alert of a storm, as a sender posts it, with the cause that it truly has. */
export interface StormAlert {
  /** Milliseconds after the storm began. */
  at: number;
  cause: number;
  body: { customer: string; alertType: string; severity: string; title: string; deployment?: string };
}

/** Numbers between 0 and 1 that follow from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const CUSTOMERS = ['Northwind Traders', 'Harbor & Finch', 'Oakline Retail', 'Meridian Mutual', 'Bluepeak Energy'];
const MINUTE_MS = 60_000;

/**
 * A storm with its true causes: twelve of them within ten minutes, each of which begins at a moment of its own and fades.
 * Half are rolled out with a deployment, and show in alerts of several types; the others are alerts of one customer and type.
 * One alert in a hundred has the names of a cause by chance and is of none (`cause` -1).
 *
 * @param alerts how many
 */
export function causeStorm(seed: number, alerts = 1_500): StormAlert[] {
  const random = randomOf(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const causes = Array.from({ length: 12 }, (_, cause) => ({
    customer: CUSTOMERS[cause % CUSTOMERS.length] ?? '',
    beginsAt: random() * 4 * MINUTE_MS,
    types: cause < 6 ? [`api.${cause}`, `queue.${cause}`, `latency.${cause}`, `crash.${cause}`] : [`disk.${cause}`],
    deployment: cause < 6 ? `4.${cause}.${Math.floor(random() * 20)}` : undefined,
  }));
  const storm = Array.from({ length: alerts }, (_, index): StormAlert => {
    const cause = index < 12 ? index : Math.floor(random() ** 1.5 * 12);
    const { customer, beginsAt, types, deployment } = causes[cause] as (typeof causes)[number];
    const at = beginsAt + random() ** 2 * (10 * MINUTE_MS - beginsAt);
    const isChance = index >= 12 && random() < 0.01;
    const severity = random() < 0.06 ? 'critical' : pick(['high', 'warning', 'warning', 'low']);
    return {
      at,
      cause: isChance ? -1 : cause,
      body: {
        customer,
        alertType: pick(types),
        severity,
        title: `Problem ${index}`,
        ...(deployment !== undefined && { deployment }),
      },
    };
  });
  return storm.toSorted((one, other) => one.at - other.at);
}
