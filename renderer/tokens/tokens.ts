import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import {
  type ApiToken,
  type CreatedApiToken,
  type NewApiToken,
  type NewServiceToken,
  type ServiceToken,
  type TokenRule,
  type TokenScope,
  apiTokenSchema,
  createdApiTokenSchema,
  createdServiceTokenSchema,
  serviceTokenSchema,
  tokenRuleSchema,
} from '#backend/contract/api-token.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { formatLongDate } from '#renderer/lib/times.ts';
import { writeAnswer } from '#renderer/lib/query-answers.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';

/** Whose tokens: the member's own, or those of services, which administrators manage. */
export type TokenKind = 'own' | 'service';

const PATHS = { own: '/api/auth/tokens', service: '/api/service-tokens' } as const;

const SCHEMAS = {
  own: { listed: apiTokenSchema, created: createdApiTokenSchema },
  service: { listed: serviceTokenSchema, created: createdServiceTokenSchema },
} as const;

/** A token of either kind; a service's has the role under which it acts. */
export type ListedToken = ApiToken & Partial<Pick<ServiceToken, 'role'>>;

/** All tokens, newest first. Read again whenever the page opens: the last use changes by itself. */
export const tokensQuery = (kind: TokenKind) =>
  queryOptions<ListedToken[]>({
    queryKey: [PATHS[kind]],
    queryFn: ({ signal }) => apiGet(PATHS[kind], z.array(SCHEMAS[kind].listed), { signal }),
    refetchOnMount: 'always',
  });

/** `GET /api/auth/token-rule`: for how long tokens work at most. */
export const tokenRuleQuery = queryOptions<TokenRule>({
  queryKey: ['/api/auth/token-rule'],
  queryFn: ({ signal }) => apiGet('/api/auth/token-rule', tokenRuleSchema, { signal }),
  refetchOnMount: 'always',
});

/** Decides it. Throws an ApiError. */
export function useDecideTokenRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: TokenRule) => apiSend('PUT', '/api/auth/token-rule', { body, schema: tokenRuleSchema }),
    onSuccess: (rule) => {
      writeAnswer(client, tokenRuleQuery, () => rule);
      return client.invalidateQueries({ queryKey: tokensQuery('service').queryKey });
    },
  });
}

/** Makes a token and puts it on top of the list, there without its plain text. Throws an ApiError. */
export function useCreateToken(kind: TokenKind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewApiToken | NewServiceToken): Promise<CreatedApiToken> =>
      apiSend('POST', PATHS[kind], { body, schema: SCHEMAS[kind].created }),
    // The plain token goes to the caller, and is not kept among the mutations.
    gcTime: 0,
    onSuccess: ({ plainToken: _plainToken, ...token }) =>
      writeAnswer<ListedToken[]>(client, tokensQuery(kind), (tokens) => tokens && [token, ...tokens]),
  });
}

/** Revokes a token and takes it off the list. Throws an ApiError. */
export function useRevokeToken(kind: TokenKind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string): Promise<void> => deleteAt(`${PATHS[kind]}/${encodeURIComponent(id)}`),
    onSuccess: (_nothing, id) =>
      writeAnswer<ListedToken[]>(client, tokensQuery(kind), (tokens) => tokens?.filter((token) => token.id !== id)),
  });
}

/** What each scope is called, and what it is good for. */
export const SCOPES: Record<TokenScope, { name: string; text: string }> = {
  wallboard: { name: texts.wallboard, text: texts.readsFiguresOfWallboard },
  read: { name: texts.read, text: texts.readsAlertsFoldersViewsAnd },
  triage: { name: texts.triage, text: texts.alsoAcceptsAssignsSnoozesMoves },
  admin: { name: texts.admin, text: texts.alsoManagesUsersSourcesAnd },
};

/** When a token was last used and until when it works, in one line. */
export function tokenLife({ lastUsedAt, expiresAt }: ListedToken, now: Date): string {
  const used = lastUsedAt === null ? pageTexts.neverUsed : texts.lastUsed(formatLongDate(new Date(lastUsedAt)));
  if (expiresAt === null) return texts.doesNotExpire(used);
  const end = new Date(expiresAt);
  return `${used} · ${end <= now ? 'expired' : 'expires'} ${formatLongDate(end)}`;
}
