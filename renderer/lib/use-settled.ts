import { useEffect, useState } from 'react';

/** How long a text has to stay as it is by default, in milliseconds, before the server is asked about it. */
const SETTLED_MS = 200;

/** The text once it has not changed for a moment; an emptied one at once. */
export function useSettled(text: string, afterMs = SETTLED_MS): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return text === '' ? text : settled;
}
