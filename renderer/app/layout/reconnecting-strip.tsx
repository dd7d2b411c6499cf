import { useAtomValue } from 'jotai';
import { reloadReasonAtom, resyncAtom, useConnection } from '#renderer/lib/connection.ts';
import './reconnecting-strip.css';

/**
 * Says that the live connection is lost, that alerts may be missing, or that there is a new version, over the page's top
 * padding: nothing moves for it. One thing at a time, the worst first.
 */
export function ReconnectingStrip() {
  const isLost = useConnection() === 'disconnected';
  const { isBehind, retry } = useAtomValue(resyncAtom);
  const reloadReason = useAtomValue(reloadReasonAtom);
  return (
    <output className="ad-strip-place">
      {isLost ? (
        <span className="ad-strip">Reconnecting…</span>
      ) : isBehind ? (
        <span className="ad-strip">
          Some alerts may be missing.
          <button type="button" className="ad-strip-action" onClick={retry}>
            Try again
          </button>
        </span>
      ) : reloadReason ? (
        <span className="ad-strip ad-strip--news">
          {reloadReason === 'new-version' ? 'A new version is here' : 'Part of this page could not be loaded.'}
          <button type="button" className="ad-strip-action" onClick={() => window.location.reload()}>
            Reload
          </button>
        </span>
      ) : null}
    </output>
  );
}
