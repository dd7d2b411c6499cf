import * as z from 'zod/mini';
import { sessionSchema } from './session.ts';

/** By what a second step is passed: a code of an authenticator app, a passkey, or a recovery code. */
export const secondStepMethodSchema = z.enum(['totp', 'passkey', 'recovery_code']);
export type SecondStepMethod = z.infer<typeof secondStepMethodSchema>;

/** The password was right, and a second step is to follow: the methods that the account has. */
export const secondStepDueSchema = z.object({ secondStep: z.array(secondStepMethodSchema) });
export type SecondStepDue = z.infer<typeof secondStepDueSchema>;

/** Answer of `POST /api/auth/login`: who is signed in, or that a second step is to follow. */
export const signInAnswerSchema = z.union([sessionSchema, secondStepDueSchema]);

/** Error of a second step that comes too late, word by word: the web app begins again with the password then. */
export const SIGN_IN_OVER = 'The sign-in took too long. Start again with your password.';

/** A browser is remembered so many days after a second step. */
export const REMEMBERED_DAYS = 30;

/** How many recovery codes there are of each person. */
export const RECOVERY_CODES = 10;

/** Most passkeys of one person. */
export const MAX_PASSKEYS = 20;

/** Bytes in base64url, at most so many characters. */
const bytes = (maxLength: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(maxLength));

/** Longest id of a credential: 1,023 bytes (WebAuthn Level 3, section 4). */
const credentialIdSchema = bytes(1364);

/** What a browser gives when a passkey was used: its `PublicKeyCredential` as JSON. */
export const passkeyAssertionSchema = z.object({
  id: credentialIdSchema,
  rawId: credentialIdSchema,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(8192),
    userHandle: z.optional(bytes(86)),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertionSchema>;

/** What a browser gives when a passkey was made. */
export const passkeyAttestationSchema = z.object({
  id: credentialIdSchema,
  rawId: credentialIdSchema,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4096),
    attestationObject: bytes(16_384),
    transports: z.optional(z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(8))),
  }),
});
export type PasskeyAttestation = z.infer<typeof passkeyAttestationSchema>;

/** What a browser is to be asked with, as `PublicKeyCredential.parse…OptionsFromJSON` reads it. */
export const passkeyOptionsSchema = z.looseObject({ challenge: z.string() });

/** Six digits; blanks that people type in between count for nothing. */
export const totpCodeSchema = z.string().check(z.regex(/^(?:\s?\d){6}\s?$/));

/** Body of `POST /api/auth/login/second-step`. `remember` spares this browser the second step for 30 days. */
export const secondStepAnswerSchema = z.discriminatedUnion('method', [
  z.object({ method: z.literal('totp'), code: totpCodeSchema, remember: z._default(z.boolean(), false) }),
  z.object({
    method: z.literal('recovery_code'),
    code: z.string().check(z.minLength(1), z.maxLength(64)),
    remember: z._default(z.boolean(), false),
  }),
  z.object({
    method: z.literal('passkey'),
    credential: passkeyAssertionSchema,
    remember: z._default(z.boolean(), false),
  }),
]);
export type SecondStepAnswer = z.infer<typeof secondStepAnswerSchema>;

/** Body of `POST /api/auth/login/passkey`. */
export const passkeySignInSchema = z.object({ credential: passkeyAssertionSchema });

/** Body of `POST /api/auth/proof`: the account's password, or one of its passkeys. */
export const proofSchema = z.union([
  z.object({ password: z.string().check(z.minLength(1), z.maxLength(1024)) }),
  passkeySignInSchema,
]);

/** A passkey as its owner sees it. `isSynced` when it is on more than one device. */
export const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  isSynced: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type Passkey = z.infer<typeof passkeySchema>;

/** A browser that is spared the second step until `expiresAt`. */
export const rememberedBrowserSchema = z.object({
  id: z.string(),
  browser: z.string(),
  ip: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  isThisBrowser: z.boolean(),
});
export type RememberedBrowser = z.infer<typeof rememberedBrowserSchema>;

/**
 * Answer of `GET /api/auth/second-step`: what the member has set up. `isRequired` when the last method cannot be removed;
 * `isProved` while changes need no further proof; `totpSince` is null without an authenticator app.
 * `lockedBecause` is the reason, as a sentence, why the server refuses to change the member's password, and second steps once
 * there is one; absent for everybody but the break-glass administrator.
 */
export const secondStepStateSchema = z.object({
  isRequired: z.boolean(),
  isProved: z.boolean(),
  totpSince: z.nullable(z.iso.datetime()),
  passkeys: z.array(passkeySchema),
  recoveryCodesLeft: z.int(),
  browsers: z.array(rememberedBrowserSchema),
  lockedBecause: z.optional(z.string()),
});
export type SecondStepState = z.infer<typeof secondStepStateSchema>;

/** The key of an authenticator app that is being set up: in base32, and as the address that its QR code holds. */
export const totpKeySchema = z.object({ key: z.string(), uri: z.string() });
export type TotpKey = z.infer<typeof totpKeySchema>;

/** Body of `POST /api/auth/second-step/totp/confirm`. */
export const totpConfirmationSchema = z.object({ code: totpCodeSchema });

/** Codes that are shown this once; absent when the member has codes already. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.optional(z.array(z.string())) });
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;

/** Longest name of a passkey, in characters. */
export const MAX_PASSKEY_NAME = 60;

const passkeyNameSchema = z.pipe(
  z.string().check(z.trim()),
  z.string().check(z.minLength(1), z.maxLength(MAX_PASSKEY_NAME)),
);

/** Body of `PATCH /api/auth/second-step/passkeys/{id}`. */
export const passkeyRenameSchema = z.object({ name: passkeyNameSchema });

/** Body of `POST /api/auth/second-step/passkeys`. */
export const newPasskeySchema = z.object({
  name: passkeyNameSchema,
  credential: passkeyAttestationSchema,
});

/** Path parameter of the calls on one passkey or one remembered browser. */
export const secondStepIdParamsSchema = z.object({ id: z.uuid() });

/** Who has to have a second step: nobody, administrators and super users, or everybody. */
export const secondStepRuleSchema = z.object({ requiredFor: z.enum(['nobody', 'administrators', 'everybody']) });
export type SecondStepRule = z.infer<typeof secondStepRuleSchema>;
