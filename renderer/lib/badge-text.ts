/** What a badge says of a count: nothing for none, `99+` above 99 (`tokens.md`, "Frame"). */
export function badgeText(count: number | undefined): string | undefined {
  if (count === undefined || count <= 0) return undefined;
  return count > 99 ? '99+' : String(count);
}
