import { z } from 'zod';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for addresses of this machine, where http is as good as https. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.has(hostname);

/** The address of a team server: an origin, https unless it is this machine. */
export const teamServerUrlSchema = z
  .string()
  .trim()
  .max(2000)
  .transform((text) => (/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`))
  .refine((text) => URL.canParse(text), 'This is not an address. It looks like https://alerts.example.com.')
  .transform((text) => new URL(text))
  .refine(({ protocol }) => protocol === 'https:' || protocol === 'http:', 'The address must begin with https://.')
  .refine(({ username, password }) => username === '' && password === '', 'The address must not hold a password.')
  .refine((url) => url.protocol === 'https:' || isLoopback(url), 'Only https:// is safe on a network.')
  .transform(({ origin }) => origin);

/** *Use this computer*, or *Connect to a team server* at an origin. */
export const serverChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('this-computer') }),
  z.object({ kind: z.literal('team-server'), url: teamServerUrlSchema }),
]);
export type ServerChoice = z.infer<typeof serverChoiceSchema>;

/** Whether both are the same server. */
export const isSameServer = (one: ServerChoice | null, other: ServerChoice | null): boolean =>
  one?.kind === other?.kind && urlOf(one) === urlOf(other);

const urlOf = (choice: ServerChoice | null): string | undefined =>
  choice?.kind === 'team-server' ? choice.url : undefined;

/**
 * How it goes with the server: nothing chosen yet, connecting, shown in the window, not to be reached (with the reason
 * in a sentence), of a version that this app does not understand, or with a page that crashes again and again.
 */
export const serverPhaseSchema = z.enum(['choosing', 'connecting', 'connected', 'unreachable', 'mismatch', 'crashed']);

/** How many steps of an update of the embedded server's database are done. */
export const updateProgressSchema = z.object({ done: z.int(), total: z.int() });
export type UpdateProgress = z.infer<typeof updateProgressSchema>;

export const serverStateSchema = z.object({
  phase: serverPhaseSchema,
  choice: serverChoiceSchema.nullable(),
  /** Every server that was connected before, in the order in which they came. */
  knownServers: z.array(serverChoiceSchema),
  /** The web app's origin, once connected. */
  origin: z.string().nullable(),
  /** Why it cannot be used, in a sentence, when unreachable, of another version, or crashed. */
  reason: z.string().nullable(),
  serverVersion: z.string().nullable(),
  /** While the embedded server brings an older database up to date. */
  progress: updateProgressSchema.nullable(),
  /** An administrator has set the server by policy, and nobody chooses another. */
  isManaged: z.boolean(),
  /** Whether the embedded server listens for other machines, and where they reach it. */
  isShared: z.boolean(),
  sharedAddresses: z.array(z.string()),
});
export type ServerState = z.infer<typeof serverStateSchema>;
