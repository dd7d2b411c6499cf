import type { TestClient } from './test-client.ts';

/** How often a change is sent at most. */
const ATTEMPTS = 10;

/**
 * Sends a change, and sends it again where the answer asks for that (503 with `Retry-After`): on a busy machine it may wait
 * too long for another change's locks, and then nothing of it is stored.
 */
export async function sendAgain(member: TestClient, method: string, path: string, body?: object): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await member.send(method, path, body);
    const isAsked = response.status === 503 && response.headers.has('Retry-After');
    if (!isAsked || attempt === ATTEMPTS) return response;
  }
}
