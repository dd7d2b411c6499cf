import type { PasswordCheck } from '#backend/accounts/password-check.ts';
import type { SharedCounts } from '#backend/cluster/limiter.ts';
import type { AppContext } from '#backend/context.ts';
import type { Endpoint } from '#backend/endpoint/endpoint.ts';
import { createChallengeLimit } from './passkey-sign-in.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { proofRoutes } from './proof-routes.ts';
import { ruleRoutes } from './rule-routes.ts';
import { secondStepRoutes } from './second-step-routes.ts';
import { secondStepSignInRoutes } from './sign-in-routes.ts';

/**
 * Everything about second steps and passkeys.
 *
 * @param counts where servers count attempts together
 */
export const secondStepEndpoints = (
  context: AppContext,
  check: PasswordCheck,
  counts: SharedCounts | undefined,
): Endpoint[] => [
  ...secondStepSignInRoutes(context, createChallengeLimit(counts), counts),
  ...proofRoutes(context, check),
  ...secondStepRoutes(context),
  ...passkeyRoutes(context),
  ...ruleRoutes(context),
];
