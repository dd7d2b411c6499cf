import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Complaint } from '#scripts/complaint.ts';
import type { WebhookRequest } from './webhook-request.ts';

/** A request file: `body` is JSON to send, `rawBody` text to send as it stands. */
const requestFileSchema = z
  .object({
    sender: z.string().optional(),
    method: z.string().default('POST'),
    path: z.string().startsWith('/').default('/webhook'),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.unknown().optional(),
    rawBody: z.string().optional(),
  })
  .refine((file) => file.rawBody !== undefined || file.body !== undefined, 'neither body nor rawBody');

/** Headers of a recorded request that belong to its connection, not to the sender. */
const CONNECTION_HEADERS = /^(connection|content-length|expect|host|keep-alive|transfer-encoding|upgrade)$/i;

/**
 * Reads one request file.
 *
 * @param name where it came from: the sender's name when the file has none, and in a complaint
 * @throws {Complaint} when it is not one
 */
export function parseRequestFile(text: string, name: string): WebhookRequest {
  const file = requestFileSchema.safeParse(parseJson(text));
  if (!file.success) {
    const issue = file.error.issues[0];
    throw new Complaint(`${name} is not a request file: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}.`);
  }
  const { sender = name, method, path, headers, body, rawBody } = file.data;
  const kept = Object.entries(headers).filter(([header]) => !CONNECTION_HEADERS.test(header));
  return { sender, method, path, headers: Object.fromEntries(kept), body: rawBody ?? JSON.stringify(body) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Every request file (`*.json`) of a folder, by name.
 *
 * @throws {Complaint} when the folder cannot be read, has none, or one of them is no request file
 */
export async function readRequests(folder: string): Promise<WebhookRequest[]> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Complaint(`The folder ${folder} cannot be read (${error.code}).`, { cause: error });
  });
  const names = entries.filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new Complaint(`The folder ${folder} has no request files (*.json).`);
  return Promise.all(names.map(async (name) => parseRequestFile(await readFile(join(folder, name), 'utf8'), name)));
}
