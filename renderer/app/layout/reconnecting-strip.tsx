import { useConnection } from '#renderer/lib/connection.ts';
import './reconnecting-strip.css';

/** Says that the live connection is lost and being sought, over the page's top padding: nothing moves for it. */
export function ReconnectingStrip() {
  const lost = useConnection() === 'disconnected';
  return <output className="ad-strip-place">{lost && <span className="ad-strip">Reconnecting…</span>}</output>;
}
