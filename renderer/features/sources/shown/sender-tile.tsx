import type { Sender } from '#backend/contract/sender.ts';
import { markOf } from './source-sender.ts';
import './sources.css';

/** A sender's letters on a neutral square; its name stands beside it. */
export function SenderTile({ sender, isSmall = false }: { sender: Sender | null; isSmall?: boolean }) {
  return (
    <span className={`ad-sender${isSmall ? ' ad-sender--small' : ''}`} aria-hidden>
      {markOf(sender).letters}
    </span>
  );
}
