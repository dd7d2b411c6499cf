import { expect } from 'vitest';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import type { TestClient } from './test-client.ts';

/** A whole list, page by page by the Link header, and every total that it was said to have. */
export async function walkList(
  member: TestClient,
  path: string,
): Promise<{ alerts: Alert[]; totals: Set<string | null> }> {
  const alerts: Alert[] = [];
  const totals = new Set<string | null>();
  let next: string | undefined = path;
  while (next) {
    const response = await member.get(next);
    expect([next, response.status]).toEqual([next, 200]);
    const page = alertListSchema.parse(await response.json());
    alerts.push(...page);
    totals.add(response.headers.get('X-Total-Count'));
    next = /<(.*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  return { alerts, totals };
}
