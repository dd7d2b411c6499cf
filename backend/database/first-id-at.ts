/** The least id that is made at a moment, in milliseconds since the epoch: a UUIDv7 begins with them, in 48 bits. */
export function firstIdAt(moment: number): string {
  const hex = Math.max(0, moment).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
