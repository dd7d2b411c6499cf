/**
 * Whether a server is connected to Redis now; undefined while that cannot be asked. The connection of a process that is killed
 * is closed by its system at once.
 */
export type AskPresence = (serverId: string) => Promise<boolean | undefined>;

/** What is known of servers that have ended. Nobody depends on it for what is stored: leases are fenced. */
export interface EndedServers {
  /** Whether a server that was connected to Redis is not any more, asked twice in a row. */
  hasEnded(serverId: string): Promise<boolean>;
  /** Whether this server found another one dead by its data folder. One that is only not seen may be paused, and live. */
  wasFoundDead(serverId: string): boolean;
}

/** How often in a row a server has to be missed. One that loses its connection opens another one at once. */
const MISSED = 2;

export function createEndedServers(
  isPresent: AskPresence | undefined,
  foundDead: ReadonlySet<string> = new Set(),
): EndedServers {
  /** The server that was seen on Redis last, and how often it was missed since. */
  let seen: { id: string; missed: number } | undefined;
  return {
    async hasEnded(id) {
      const answer = await isPresent?.(id);
      if (answer === true) seen = { id, missed: 0 };
      // After an interruption of Redis nobody is missed before they were seen again.
      else if (answer === undefined || seen?.id !== id) seen = undefined;
      else seen = { id, missed: seen.missed + 1 };
      return (seen?.missed ?? 0) >= MISSED;
    },
    wasFoundDead: (id) => foundDead.has(id),
  };
}
