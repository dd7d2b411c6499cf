import type { CustomFetch } from 'openid-client';

/** The provider did not answer, or not with what a provider answers. */
export class ProviderAway extends Error {}

/** Clocks may differ by so much, in seconds: more would let tokens live longer than they say. */
export const CLOCK_TOLERANCE_SECONDS = 30;

/** Largest answer of a provider, in bytes: metadata, keys, tokens and claims are far smaller. */
const MAX_BYTES = 1024 * 1024;

/** Errors of `openid-client` for a provider that took too long. */
const TIMEOUTS = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** Whether an error says that the provider is away, rather than that its answer is not accepted. */
export function isAway(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof ProviderAway || TIMEOUTS.has((one as { code?: string }).code ?? '')) return true;
  }
  return false;
}

/**
 * Fetches what a provider answers, whole and within a limit of size. Redirects are not followed. Addresses of internal networks are allowed:
 * it is the operator who names the provider, and its metadata the rest.
 */
export function createBoundedFetch(): CustomFetch {
  return async (url, options) => {
    let response: Response;
    try {
      response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit);
    } catch (error) {
      throw new ProviderAway(`${new URL(url).origin} does not answer.`, { cause: error });
    }
    const { status, headers } = response;
    if (status >= 500) {
      await response.body?.cancel();
      throw new ProviderAway(`${new URL(url).origin} answered ${status}.`);
    }
    const bytes = await readBounded(response, new URL(url).origin);
    return new Response(bytes.length === 0 ? null : bytes, { status, headers });
  };
}

async function readBounded({ body }: Response, origin: string): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of body ?? []) {
      size += piece.length;
      if (size > MAX_BYTES) throw new ProviderAway(`${origin} answered more than a megabyte.`);
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof ProviderAway ? error : new ProviderAway(`${origin} broke off.`, { cause: error });
  }
  return new Uint8Array(Buffer.concat(pieces));
}
