import { configurationPlanSchema } from '#backend/contract/configuration.ts';
import type { TestClient } from './test-client.ts';

/** An administrator of a server. */
interface ConfigurationWorld {
  admin: TestClient;
}

/** One more source beside those that there are, and one of them paused or not. */
async function oneMoreSource({ admin }: ConfigurationWorld) {
  const { sources = [] } = (await (await admin.get('/api/configuration')).json()) as {
    sources?: { isPaused: boolean }[];
  };
  const [first, ...others] = sources;
  const changed = first ? [{ ...first, isPaused: !first.isPaused }] : [];
  return { sources: [{ name: crypto.randomUUID() }, ...changed, ...others] };
}

/** Every change by a configuration, with a request to it that succeeds. */
export const CONFIGURATION_WRITE_ROUTES: Record<
  string,
  (world: ConfigurationWorld) => Promise<{ path: string; body?: unknown }>
> = {
  'POST /api/configuration/plan': async (world) => ({
    path: '/api/configuration/plan',
    body: await oneMoreSource(world),
  }),
  'POST /api/configuration': async (world) => {
    const configuration = await oneMoreSource(world);
    const planned = await world.admin.send('POST', '/api/configuration/plan', configuration);
    const { changes: expected } = configurationPlanSchema.parse(await planned.json());
    return { path: '/api/configuration', body: { configuration, expected } };
  },
};

/** Successes that the document promises, and the route whose request gets each. */
export const CONFIGURATION_CALL_NAMES: readonly (readonly [documented: string, route: string])[] = [
  ['POST /api/configuration/plan 200', 'POST /api/configuration/plan'],
  ['POST /api/configuration 200', 'POST /api/configuration'],
];
