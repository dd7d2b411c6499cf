import { type Wallboard, wallboardSchema } from '#backend/contract/wallboard.ts';
import { type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { type WallboardDeps, createWallboardFigures } from './wallboard-figures.ts';

/** However many screens ask, figures are read so often at most, in milliseconds. */
const FRESH_MS = 3_000;

interface Reading {
  /** Undefined while it is being read. */
  endedAt: number | undefined;
  figures: Promise<Omit<Wallboard, 'name'>>;
}

/** The figures of the wallboard: for a token that reads nothing else, and for who sees every alert. */
export function wallboardRoutes(deps: WallboardDeps): Endpoint[] {
  const read = createWallboardFigures(deps);
  let known: Reading | undefined;
  const settle = async (one: Reading): Promise<void> => {
    try {
      await one.figures;
      one.endedAt = performance.now();
    } catch {
      // Whoever asks next reads again what could not be read.
      if (known === one) known = undefined;
    }
  };
  const current = (): Promise<Omit<Wallboard, 'name'>> => {
    // However long a reading takes, there is one.
    if (known && (known.endedAt === undefined || performance.now() - known.endedAt < FRESH_MS)) return known.figures;
    known = { endedAt: undefined, figures: read(Date.now()) };
    void settle(known);
    return known.figures;
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/wallboard',
      tag: 'alerts',
      summary:
        'Returns what a screen on the wall shows: what waits, what arrived, who is on, and what is quiet or missing.',
      access: ['admin', 'super_user'],
      tokenScope: 'wallboard',
      responses: { 200: wallboardSchema },
      handle: async ({ actor }) =>
        ok({ ...(await current()), name: actor.tokenName ?? 'Alertdesk' } satisfies Wallboard),
    }),
  ];
}
