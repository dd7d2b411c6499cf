import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Identities, identitiesSchema } from '#backend/contract/oidc.ts';
import {
  type Passkey,
  type PasskeyAttestation,
  type RecoveryCodes,
  type SecondStepRule,
  type SecondStepState,
  passkeySchema,
  recoveryCodesSchema,
  secondStepRuleSchema,
  secondStepStateSchema,
  totpKeySchema,
} from '#backend/contract/second-step.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { askForNewPasskey } from './passkey-browser.ts';

const PATH = '/api/auth/second-step';

/** `GET /api/auth/second-step`: what the member has set up. Read again whenever it is shown. */
export const secondStepQuery = queryOptions<SecondStepState>({
  queryKey: [PATH],
  queryFn: ({ signal }) => apiGet(PATH, secondStepStateSchema, { signal }),
  refetchOnMount: 'always',
});

/** `GET /api/auth/identities`: the providers that the member signs in with. Read again whenever it is shown. */
export const identitiesQuery = queryOptions<Identities>({
  queryKey: ['/api/auth/identities'],
  queryFn: ({ signal }) => apiGet('/api/auth/identities', identitiesSchema, { signal }),
  refetchOnMount: 'always',
});

/** `GET /api/auth/second-step-rule`: who has to have a second step. For administrators. */
export const secondStepRuleQuery = queryOptions<SecondStepRule>({
  queryKey: ['/api/auth/second-step-rule'],
  queryFn: ({ signal }) => apiGet('/api/auth/second-step-rule', secondStepRuleSchema, { signal }),
  refetchOnMount: 'always',
});

/** Decides who has to have a second step. */
export const decideRule = (rule: SecondStepRule): Promise<SecondStepRule> =>
  apiSend('PUT', '/api/auth/second-step-rule', { body: rule, schema: secondStepRuleSchema });

/** Begins to set up an authenticator app. */
export const beginTotp = () => apiSend('POST', `${PATH}/totp`, { schema: totpKeySchema });

/** Confirms it by a code that the app shows. */
export const confirmTotp = (code: string): Promise<RecoveryCodes> =>
  apiSend('POST', `${PATH}/totp/confirm`, { body: { code }, schema: recoveryCodesSchema });

/** Has the browser make a passkey, until `signal` gives that up. */
export const makePasskey = (signal: AbortSignal): Promise<PasskeyAttestation> =>
  askForNewPasskey(`${PATH}/passkeys/options`, signal);

/** Adds a passkey that the browser has made. */
export const addPasskey = (body: { name: string; credential: PasskeyAttestation }): Promise<RecoveryCodes> =>
  apiSend('POST', `${PATH}/passkeys`, { body, schema: recoveryCodesSchema });

/** Gives a passkey another name. */
export const renamePasskey = ({ id, name }: { id: string; name: string }): Promise<Passkey> =>
  apiSend('PATCH', `${PATH}/passkeys/${id}`, { body: { name }, schema: passkeySchema });

/** Makes new recovery codes. */
export const renewRecoveryCodes = (): Promise<RecoveryCodes> =>
  apiSend('POST', `${PATH}/recovery-codes`, { schema: recoveryCodesSchema });

/** Removes the authenticator app, a passkey, or a remembered browser; all of these without an id. */
export const remove = (what: 'totp' | 'passkeys' | 'browsers', id?: string): Promise<void> =>
  deleteAt(`${PATH}/${what}${id === undefined ? '' : `/${id}`}`);

/** Changes something of the second step, and reads again what there is. */
export function useSecondStepChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Recovery codes are not kept.
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: secondStepQuery.queryKey }),
  });
}
