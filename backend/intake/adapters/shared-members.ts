import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';

/** Longest text of one shared member, in characters. */
const MAX_MEMBER_LENGTH = 4_096;

/** Most characters that the shared members of one delivery take together, over all its alerts. */
const MAX_TOTAL_LENGTH = 4 * 1024 * 1024;

/**
 * What the alerts of a delivery share, as a JSON object of an envelope's members. Each alert carries it, so members
 * are left out when together they would be many times as long as the delivery.
 *
 * @param count how many alerts share it
 */
export function sharedMembers(envelope: JsonValue, names: readonly string[], count: number): JsonText {
  const longest = Math.min(MAX_MEMBER_LENGTH, MAX_TOTAL_LENGTH / Math.max(1, count * names.length));
  const members: string[] = [];
  for (const name of names) {
    const value = envelope.get(name);
    if (value && value.end - value.start <= longest) members.push(`${JSON.stringify(name)}:${value.source}`);
  }
  return jsonText(`{${members.join(',')}}`);
}
