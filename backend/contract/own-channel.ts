import * as z from 'zod/mini';
import { nameSchema } from './name.ts';
import { destinationHealthSchema, newDestinationSchema } from './outgoing.ts';

/** Channels that a member may have. */
export const MAX_OWN_CHANNELS = 5;

/** A code holds for so long, in minutes, and may be entered wrong so often. */
export const CHANNEL_CODE_MINUTES = 30;
export const CHANNEL_CODE_TRIES = 5;

/**
 * By what a member can be notified beside pages, push and the desktop app. `mail` goes to the account's own address, `phone` by a
 * gateway that administrators have set up.
 */
export const ownChannelKindSchema = z.enum(['ntfy', 'gotify', 'telegram', 'webhook', 'mail', 'phone']);
export type OwnChannelKind = z.infer<typeof ownChannelKindSchema>;

/** Body of `POST /api/own-channels`. Its fields are those of a destination of the kind. */
export const newOwnChannelSchema = z.object({
  kind: ownChannelKindSchema,
  name: nameSchema,
  url: newDestinationSchema.shape.url,
  topic: newDestinationSchema.shape.topic,
  room: newDestinationSchema.shape.room,
  token: newDestinationSchema.shape.token,
  /** Of `phone`: by which gateway, and the number with its country; spaces, hyphens and brackets in it do not matter. */
  gatewayId: z.optional(z.uuid()),
  number: z.optional(
    z.string().check(
      z.maxLength(40),
      z.overwrite((value) => value.replaceAll(/[\s().\-/]/g, '')),
      z.regex(/^\+[1-9]\d{6,14}$/, { message: 'must be a number with its country, such as +49 30 1234567' }),
    ),
  ),
});
export type NewOwnChannel = z.infer<typeof newOwnChannelSchema>;

/** A channel of the member. `isConfirmed`: its code was entered; before that nothing is sent there. */
export const ownChannelSchema = z.object({
  id: z.string(),
  kind: ownChannelKindSchema,
  name: z.string(),
  /** Where it leads, as far as that is no secret. */
  to: z.string(),
  isConfirmed: z.boolean(),
  health: destinationHealthSchema,
  /** Why the last attempt failed, or why the gateway of a phone sends nothing; absent otherwise. */
  reason: z.optional(z.string()),
  lastSentAt: z.nullable(z.iso.datetime()),
});
export type OwnChannel = z.infer<typeof ownChannelSchema>;

/**
 * Answer of `GET /api/own-channels`. `isMailConfigured`: whether mails can be sent at all. `gateways`: by which phones are
 * reached.
 */
export const ownChannelListSchema = z.object({
  channels: z.array(ownChannelSchema),
  isMailConfigured: z.boolean(),
  gateways: z.array(z.object({ id: z.string(), name: z.string() })),
});

export type OwnChannelList = z.infer<typeof ownChannelListSchema>;

/** What became of the message with the code. The channel is there, and waits for it. */
export const ownChannelSentSchema = z.object({
  channel: ownChannelSchema,
  isDelivered: z.boolean(),
  message: z.string(),
});
export type OwnChannelSent = z.infer<typeof ownChannelSentSchema>;

/** Path of calls of one channel. */
export const ownChannelParamsSchema = z.object({ id: z.uuid() });

/** Body of `POST /api/own-channels/{id}/confirm`: the six digits that were sent there. */
export const ownChannelCodeSchema = z.object({ code: z.string().check(z.trim(), z.regex(/^\d{6}$/)) });
