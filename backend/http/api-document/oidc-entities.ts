import {
  appCodeSchema,
  appSignInSchema,
  identitiesSchema,
  identitySchema,
  oidcAddressSchema,
  oidcAnswerSchema,
  oidcCallbackSchema,
  oidcDoneSchema,
  oidcStartSchema,
  providerSchema,
} from '#backend/contract/oidc.ts';
import type { Entities, Fields } from './account-entities.ts';

/** What the document names of signing in at OpenID providers. */
export const OIDC_ENTITIES: Entities = {
  Provider: [providerSchema, 'An OpenID provider that members sign in with.'],
  ProviderStart: [oidcStartSchema, 'Who begins a sign-in at a provider; usually nothing.'],
  ProviderAddress: [oidcAddressSchema, 'Where the browser goes next, at the provider.'],
  ProviderReturn: [oidcCallbackSchema, 'What a provider sent the browser back with.'],
  ProviderAnswer: [oidcAnswerSchema, 'How a return from a provider ends.'],
  ProviderDone: [oidcDoneSchema, 'An account was linked to a provider, or the member has proved who they are.'],
  AppCode: [appCodeSchema, 'A code with which the desktop app ends the sign-in, within two minutes, and whose it is.'],
  AppSignIn: [appSignInSchema, 'The code of a link to the desktop app, and the secret that the app keeps.'],
  Identity: [identitySchema, 'Who a member is at a provider.'],
  Identities: [identitiesSchema, 'The providers that a member signs in with, and those that could be linked.'],
};

/** Their fields whose name does not say it all. */
export const OIDC_FIELDS: Fields = [
  [
    oidcStartSchema.shape.app,
    'For the desktop app: the SHA-256 of its secret in base64url. The answer of the return is then a code instead of a session.',
  ],
  [oidcStartSchema.shape.invitation, 'Token of an invitation that is accepted by this sign-in.'],
  [oidcCallbackSchema.shape.query, 'The query of the address, without its `?`.'],
  [identitySchema.shape.providerName, 'Null when the provider is configured no more.'],
  [identitySchema.shape.email, 'As the provider said when it was linked.'],
];
