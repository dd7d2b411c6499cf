import {
  newPasskeySchema,
  passkeyAssertionSchema,
  passkeyAttestationSchema,
  passkeyOptionsSchema,
  passkeySchema,
  passkeySignInSchema,
  proofSchema,
  recoveryCodesSchema,
  rememberedBrowserSchema,
  secondStepAnswerSchema,
  secondStepDueSchema,
  secondStepMethodSchema,
  secondStepRuleSchema,
  secondStepStateSchema,
  signInAnswerSchema,
  totpConfirmationSchema,
  totpKeySchema,
} from '#backend/contract/second-step.ts';
import type { Entities } from './account-entities.ts';

/** What the document names of second steps and passkeys. */
export const SECOND_STEP_ENTITIES: Entities = {
  SignInAnswer: [signInAnswerSchema, 'Who is signed in, or that a second step is to follow.'],
  SecondStepDue: [secondStepDueSchema, 'The password was right; a second step by one of these methods is to follow.'],
  SecondStepMethod: [secondStepMethodSchema, 'By what a second step is passed.'],
  SecondStepAnswer: [secondStepAnswerSchema, 'The second step of a sign-in.'],
  SecondStepState: [secondStepStateSchema, 'What a member has set up for a second step.'],
  SecondStepRule: [secondStepRuleSchema, 'Who has to have a second step. `administrators` includes super users.'],
  Passkey: [passkeySchema, 'A passkey as its owner sees it.'],
  NewPasskey: [newPasskeySchema, 'A passkey that a browser has made, and its name.'],
  PasskeyOptions: [
    passkeyOptionsSchema,
    'What a browser is asked with, as WebAuthn’s `parse…OptionsFromJSON` reads it.',
  ],
  PasskeyAssertion: [passkeyAssertionSchema, 'What a browser gives when a passkey was used.'],
  PasskeyAttestation: [passkeyAttestationSchema, 'What a browser gives when a passkey was made.'],
  PasskeySignIn: [passkeySignInSchema, 'A sign-in by a passkey alone.'],
  Proof: [proofSchema, 'Who the member is: their password, or one of their passkeys.'],
  RecoveryCodes: [recoveryCodesSchema, 'Recovery codes, shown this once; absent when there are codes already.'],
  RememberedBrowser: [rememberedBrowserSchema, 'A browser that is spared the second step.'],
  TotpKey: [totpKeySchema, 'The key for an authenticator app.'],
  TotpConfirmation: [totpConfirmationSchema, 'A code that the authenticator app shows.'],
};
