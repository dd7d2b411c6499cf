import { useConnection } from '#renderer/lib/connection.ts';

/** The live connection in a word. When it is lost, the strip below the header says so instead. */
export function ConnectionWord() {
  const connection = useConnection();
  if (connection === 'disconnected') return null;
  const connected = connection === 'connected';
  return (
    <div className={connected ? 'ad-connection ad-connection-connected' : 'ad-connection'}>
      {connected ? 'Connected' : 'Connecting…'}
    </div>
  );
}
