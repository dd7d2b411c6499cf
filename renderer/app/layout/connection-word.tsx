import { useAtomValue } from 'jotai';
import { resyncAtom, useConnection } from '#renderer/lib/connection.ts';

/** The live connection in a word. When it is lost, or alerts may be missing, the strip below the header says so instead. */
export function ConnectionWord() {
  const connection = useConnection();
  const { isBehind } = useAtomValue(resyncAtom);
  if (connection === 'disconnected' || isBehind) return null;
  const connected = connection === 'connected';
  return (
    <div className={connected ? 'ad-connection ad-connection-connected' : 'ad-connection'}>
      {connected ? 'Connected' : 'Connecting…'}
    </div>
  );
}
