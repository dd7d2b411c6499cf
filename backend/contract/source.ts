import * as z from 'zod/mini';
import { sourceFlappingSchema } from './flapping-rule.ts';
import { mappingSchema } from './mapping.ts';
import { nameSchema } from './name.ts';
import { senderSchema, signatureSchemeSchema } from './sender.ts';
import { sourceStandingSchema } from './source-standing.ts';

/** How deliveries of a source are read: by recognition, or always as this sender's. */
export const adapterSettingSchema = z.union([z.literal('auto'), senderSchema]);
export type AdapterSetting = z.infer<typeof adapterSettingSchema>;

/** Most sources, API keys among them. */
export const MAX_SOURCES = 1_000;

/** Methods of authentication that can be turned on and off. With `signature` a key alone is refused. */
export const sourceAuthSchema = z.object({
  /** `Authorization: Bearer`, `X-Webhook-Auth`, `X-API-Key`, `X-Gitlab-Token`, or `routing_key` at `/v2/enqueue`. */
  key: z.boolean(),
  /** `Authorization: Basic` with the key as password. */
  basic: z.boolean(),
  /** A token in the address: `POST /in/{token}`, or `?token=`. */
  token: z.boolean(),
  /** The scheme in which every request must be signed; null where none is required. */
  signature: z.nullable(signatureSchemeSchema),
});
export type SourceAuth = z.infer<typeof sourceAuthSchema>;

/** Days for which deliveries can be kept. */
export const DELIVERY_DAYS = [1, 7, 14, 30, 90] as const;
/** Bytes up to which a delivery's body can be kept. */
export const BODY_LIMITS = [0, 16_384, 65_536, 262_144, 1_048_576] as const;

/** What an administrator decides about a source. */
export const sourceSettingsSchema = z.object({
  adapter: adapterSettingSchema,
  auth: sourceAuthSchema,
  /** Used when neither the body nor the adapter names a customer. */
  defaultCustomer: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))),
  /** What becomes of an alert that nobody accepted when its sender reports it resolved. */
  onResolved: z.enum(['complete', 'keep']),
  /**
   * When an open problem that its sender no longer reports ends, as if it had been reported resolved: never, by what its sender says
   * and repeats, or after so many minutes.
   */
  completeUnreported: z.union([
    z.literal('off'),
    z.literal('automatic'),
    z.int().check(z.minimum(5), z.maximum(43_200)),
  ]),
  /** Notify again when an open alert repeats after so many quiet minutes; null: only when its severity rises. */
  notifyAgainAfterMinutes: z.nullable(z.int().check(z.minimum(1), z.maximum(10_080))),
  /** A firing within so many minutes after completion reopens the alert; 0: it always makes a new one. */
  reopenWithinMinutes: z.int().check(z.minimum(0), z.maximum(1_440)),
  /** When a problem that opens and closes again and again is one alert, announced once. */
  flapping: sourceFlappingSchema,
  /** When silence is reported: never, when it is longer than usual, or after so many minutes. */
  reportSilence: z.union([z.literal('never'), z.literal('usual'), z.int().check(z.minimum(5), z.maximum(43_200))]),
  keepDeliveriesDays: z.union(DELIVERY_DAYS.map((days) => z.literal(days))),
  keepBodiesUpTo: z.union(BODY_LIMITS.map((bytes) => z.literal(bytes))),
  mapping: mappingSchema,
});
export type SourceSettings = z.infer<typeof sourceSettingsSchema>;

/**
 * Settings as answers have them: a server of an earlier release answers without `flapping`. A change has no such default, which
 * would set what it leaves out.
 */
export const answeredSettingsSchema = z.extend(sourceSettingsSchema, {
  flapping: z._default(sourceFlappingSchema, 'installation'),
});

/** The settings of a new source, and of the API keys of older versions. */
export const DEFAULT_SOURCE_SETTINGS: SourceSettings = {
  adapter: 'auto',
  auth: { key: true, basic: true, token: true, signature: null },
  defaultCustomer: null,
  onResolved: 'complete',
  completeUnreported: 'automatic',
  notifyAgainAfterMinutes: null,
  reopenWithinMinutes: 15,
  flapping: 'installation',
  reportSilence: 'usual',
  keepDeliveriesDays: 14,
  keepBodiesUpTo: 262_144,
  mapping: {},
};

/** What a secret is for: a key in a header, a token in the address, or the key of signatures. */
export const secretKindSchema = z.enum(['key', 'token', 'signing']);
export type SecretKind = z.infer<typeof secretKindSchema>;

/** A secret as it is listed: never the secret itself, only its last four characters. */
export const sourceSecretSchema = z.object({
  id: z.string(),
  kind: secretKindSchema,
  /** Last four characters; empty for keys of older versions. */
  hint: z.string(),
  createdAt: z.iso.datetime(),
  createdBy: z.nullable(z.string()),
  /** Set when a newer secret replaces it: it works until then. */
  expiresAt: z.nullable(z.iso.datetime()),
  lastUsedAt: z.nullable(z.iso.datetime()),
  /** The network address that used it last. */
  lastUsedFrom: z.nullable(z.string()),
});
export type SourceSecret = z.infer<typeof sourceSecretSchema>;

/** Deliveries of one hour. */
export const hourCountSchema = z.object({ deliveries: z.int(), refused: z.int() });

/** How often a method of authentication was used. */
export const authenticationUseSchema = z.object({
  /** Deliveries of the last 24 hours. */
  deliveries: z.int(),
  /** The hour in which it was last used, of 90 days; null when it was not. */
  lastUsedAt: z.nullable(z.iso.datetime()),
});

/** A source as administrators see it. */
export const sourceSchema = z.extend(sourceStandingSchema, {
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  pausedAt: z.nullable(z.iso.datetime()),
  pausedBy: z.nullable(z.string()),
  /** Grows by one with each change of an administrator. */
  version: z._default(z.int().check(z.positive()), 1),
  settings: answeredSettingsSchema,
  /** The address to which its alerts can be sent as emails; null while this server receives none, or without an address token. */
  mailAddress: z._default(z.nullable(z.string()), null),
  secrets: z.array(sourceSecretSchema),
  /** The last 24 hours, oldest first. */
  hours: z.array(hourCountSchema),
  /** The use of each method of authentication. */
  ways: z.object({ key: authenticationUseSchema, basic: authenticationUseSchema, token: authenticationUseSchema }),
});
export type Source = z.infer<typeof sourceSchema>;

/** A secret that the sender shows, or that is made for it. */
const signingSecretSchema = z.string().check(z.trim(), z.minLength(8), z.maxLength(4_000));

/** Answer of `GET /api/sources`, by name. */
export const sourceListSchema = z.array(sourceSchema);

/** Body of `POST /api/sources`: absent settings are those of every new source. */
export const newSourceSchema = z.object({
  name: nameSchema,
  adapter: z._default(adapterSettingSchema, 'auto'),
  settings: z.optional(z.partial(z.omit(sourceSettingsSchema, { adapter: true }))),
  /** With which the sender signs; a required signature needs one. */
  signingSecret: z.optional(signingSecretSchema),
});
export type NewSource = z.input<typeof newSourceSchema>;

/** Secrets in full: the only answers that have them, once each. */
export const plainSecretsSchema = z.object({ key: z.optional(z.string()), token: z.optional(z.string()) });
export type PlainSecrets = z.infer<typeof plainSecretsSchema>;

/** Answer of `POST /api/sources` and of a rotation. */
export const sourceWithSecretsSchema = z.object({ source: sourceSchema, plain: plainSecretsSchema });
export type SourceWithSecrets = z.infer<typeof sourceWithSecretsSchema>;

/** Body of `PATCH /api/sources/{id}`: what changes. With the query `versionQuerySchema`. */
export const sourceChangeSchema = z.object({
  name: z.optional(nameSchema),
  isPaused: z.optional(z.boolean()),
  settings: z.optional(z.partial(sourceSettingsSchema)),
});
export type SourceChange = z.infer<typeof sourceChangeSchema>;

/**
 * Body of `POST /api/sources/{id}/rotate`: a new secret; the old one expires after 24 hours. `ownKey` is a key that senders
 * have already, such as one of Opsgenie: it becomes the source's, so that only the host changes for them.
 */
export const rotationSchema = z.union([
  z.object({ kind: z.literal('key'), ownKey: z.optional(z.string().check(z.trim(), z.regex(/^[\w-]{32,200}$/))) }),
  z.object({ kind: z.literal('token') }),
]);

/** Body of `POST /api/sources/{id}/signing-secrets`: a secret that the sender shows, kept encrypted. */
export const newSigningSecretSchema = z.object({ secret: signingSecretSchema });

/** How long an old secret works after a rotation, in milliseconds. */
export const ROTATION_MS = 24 * 60 * 60 * 1000;

/** Path parameters of the calls on one source, and on one of its secrets. */
export const sourceIdParamsSchema = z.object({ id: z.uuid() });
export const secretIdParamsSchema = z.object({ id: z.uuid(), secretId: z.uuid() });
