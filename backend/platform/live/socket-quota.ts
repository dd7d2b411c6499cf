/** Tabs and devices of one member that may listen at once. */
export const MAX_SOCKETS_PER_MEMBER = 10;

/**
 * Counts the connections of each member, from before they are open, so that connections that open at the same moment cannot
 * share a place.
 */
export interface SocketQuota {
  /** Takes one of the member's places. Returns what gives it back; undefined when all are taken. */
  reserve(memberId: string): (() => void) | undefined;
}

export function createSocketQuota(): SocketQuota {
  const counts = new Map<string, number>();
  return {
    reserve(memberId) {
      const taken = counts.get(memberId) ?? 0;
      if (taken >= MAX_SOCKETS_PER_MEMBER) return undefined;
      counts.set(memberId, taken + 1);
      let isReserved = true;
      return () => {
        if (!isReserved) return;
        isReserved = false;
        const left = (counts.get(memberId) ?? 1) - 1;
        if (left === 0) counts.delete(memberId);
        else counts.set(memberId, left);
      };
    },
  };
}
