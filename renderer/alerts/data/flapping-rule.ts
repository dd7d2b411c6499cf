import { queryOptions } from '@tanstack/react-query';
import { type FlappingRule, flappingRuleSchema } from '#backend/contract/flapping-rule.ts';
import { apiGet } from '#renderer/lib/api-client.ts';

/** Path of the installation's rule for flapping problems, which administrators read and change. */
export const FLAPPING_RULE = '/api/flapping-rule';

/** `GET /api/flapping-rule`. Throws an ApiError. */
export const flappingRuleQuery = queryOptions<FlappingRule>({
  queryKey: [FLAPPING_RULE],
  queryFn: ({ signal }) => apiGet(FLAPPING_RULE, flappingRuleSchema, { signal }),
});
