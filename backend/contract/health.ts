import * as z from 'zod/mini';

/** Answer of `GET /healthz`: the process is alive, and this is what it is. */
export const healthSchema = z.object({ product: z.string(), version: z.string(), status: z.literal('ok') });

/** Answer of `GET /readyz`, once the database answers and no damage was found. */
export const readinessSchema = z.object({ status: z.literal('ready') });
