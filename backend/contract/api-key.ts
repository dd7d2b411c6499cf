import * as z from 'zod/mini';
import { nameSchema } from './name.ts';

/** An API key as listed. The key itself is shown once, when it is created. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** Answer of `POST /api/api-keys`, the only one that shows the key. */
export const createdApiKeySchema = z.extend(apiKeySchema, { plainKey: z.string() });
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;

/** Body of `POST /api/api-keys`: a name of 1–100 characters after trimming. */
export const newApiKeySchema = z.object({ name: nameSchema });

/** Path parameter of the calls on one key. */
export const apiKeyIdParamsSchema = z.object({ id: z.uuid() });
