import { type Wallboard, wallboardSchema } from '#backend/contract/wallboard.ts';
import { type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { type WallboardDeps, createWallboardFigures } from './wallboard-figures.ts';

/** However many screens ask, figures are read so often at most, in milliseconds. */
const FRESH_MS = 3_000;

interface Reading {
  at: number;
  isPending: boolean;
  figures: Promise<Omit<Wallboard, 'name'>>;
}

/** The figures of the wallboard: for a token that reads nothing else, and for who sees every alert. */
export function wallboardRoutes(deps: WallboardDeps): Endpoint[] {
  const read = createWallboardFigures(deps);
  let known: Reading | undefined;
  const settle = async (one: Reading): Promise<void> => {
    try {
      await one.figures;
      one.isPending = false;
    } catch {
      // Whoever asks next reads again what could not be read.
      if (known === one) known = undefined;
    }
  };
  const current = (): Promise<Omit<Wallboard, 'name'>> => {
    const at = performance.now();
    // However long a reading takes, there is one.
    if (known && (known.isPending || at - known.at < FRESH_MS)) return known.figures;
    known = { at, isPending: true, figures: read(Date.now()) };
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
