import {
  MAX_CONFIGURATION_BYTES,
  configurationChangeSchema,
  configurationPlanSchema,
  configurationResultSchema,
  configurationSchema,
} from '#backend/contract/configuration.ts';
import { administratorOf } from '#backend/intake/sources/source-routes.ts';
import { type Actor, type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { type ConfigurationAuthor, applyConfiguration, planConfiguration, readConfiguration } from './configure.ts';
import type { ConfigurationDeps } from './section.ts';

const byOf = (actor: Actor, ip: string): ConfigurationAuthor => ({
  by: administratorOf(actor, ip),
  viewAuthor: { actor, ip },
});

/** The whole configuration of an installation, as one text says it: for administrators. */
export function configurationRoutes(deps: ConfigurationDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/configuration',
      tag: 'configuration',
      summary:
        'Sources, heartbeats, maintenance windows, rules, destinations, groups, outgoing rules and shared views, by names and without secrets.',
      access: ['admin'],
      responses: { 200: configurationSchema },
      isList: true,
      handle: async () => ok(await readConfiguration(deps)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/configuration/plan',
      tag: 'configuration',
      summary: 'Says what a configuration would change, or what is wrong with it. Nothing is stored.',
      access: ['admin'],
      body: configurationSchema,
      maxBodyBytes: MAX_CONFIGURATION_BYTES,
      errors: [409],
      responses: { 200: configurationPlanSchema },
      handle: async ({ actor, ip, body }) => {
        const { changes, same } = await planConfiguration(deps, byOf(actor, ip), body);
        return ok({ changes, same });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/configuration',
      tag: 'configuration',
      summary:
        'Makes what a configuration names as it says, all of it or nothing, unless the plan has become another one. Secrets of what is made are shown this once.',
      access: ['admin'],
      // It makes sources and destinations, and decides by what senders get in.
      proof: 'always',
      body: configurationChangeSchema,
      maxBodyBytes: MAX_CONFIGURATION_BYTES + 256 * 1024,
      errors: [409],
      responses: { 200: configurationResultSchema },
      handle: async ({ actor, ip, body }) => ok(await applyConfiguration(deps, byOf(actor, ip), body)),
    }),
  ];
}
