import { expect } from 'vitest';
import type { TestClient } from './test-client.ts';
import { waitFor } from './wait-for.ts';

/** Snoozes an alert for less than a second, once more where that had passed before the server read it. Resolves to its end. */
export const snoozeBriefly = (member: TestClient, id: string): Promise<string> =>
  waitFor(async () => {
    const until = new Date(Date.now() + 400).toISOString();
    const answer = await member.send('POST', `/api/alerts/${id}/snooze`, { until });
    expect(answer.status).toBe(200);
    return until;
  });
