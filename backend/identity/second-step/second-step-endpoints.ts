import { proofRoutes } from './proof-routes.ts';
import { ruleRoutes } from './rule-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { secondStepSignInRoutes } from './sign-in-routes.ts';
import { secondStepRoutes } from './second-step-routes.ts';
import type { PasswordCheck } from '#backend/identity/users/password-check.ts';
import type { SharedCounts } from '#backend/platform/cluster/limiter.ts';
import type { CountedAudit } from '#backend/identity/audit/counted-audit.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { StartSessionDeps } from '#backend/identity/sessions/start-session.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { createChallengeLimit } from './passkey-sign-in.ts';

/**
 * Everything about second steps and passkeys.
 *
 * @param counts where servers count attempts together
 */
export const secondStepEndpoints = (
  context: StartSessionDeps & { countedAudit: CountedAudit; database: Database; sealing: Sealing },
  check: PasswordCheck,
  counts: SharedCounts | undefined,
): Endpoint[] => [
  ...secondStepSignInRoutes(context, createChallengeLimit(counts), counts),
  ...proofRoutes(context, check),
  ...secondStepRoutes(context),
  ...passkeyRoutes(context),
  ...ruleRoutes(context),
];
