import { type ReactNode, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { focusSearchField, typeIntoComingField } from '#renderer/lib/search-target.ts';
import { isTyping, useSingleKeys } from '#renderer/lib/single-keys.ts';
import { useSession } from '#renderer/session/session.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { ofKey } from '#renderer/alerts/actions/action-table.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';
import { FOLDERS_KEY, HAND_OVER_KEY, destinationsOf, loadHandOver } from './destinations.ts';

const KeySheet = lazyWithRetry(async () => (await import('./key-sheet.tsx')).KeySheet, 'report');

/** How long after G its second key counts, in milliseconds. */
const SEQUENCE_MS = 1500;

/**
 * The keys of every signed-in page: G and a second one go somewhere, `/` searches, `?` shows all keys, Shift+H hands over.
 * Returns the sheet of keys.
 *
 * @param showFolders lists the folders to go to
 */
export function usePageKeys(showFolders: () => void): ReactNode {
  const [areOn] = useSingleKeys();
  const { role } = useSession();
  const navigate = useNavigate();
  const sheet = useDialog();
  const ask = useAsk();
  const pressedG = useRef(Number.NEGATIVE_INFINITY);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, repeat } = event;
    if (!areOn || event.defaultPrevented || ctrlKey || metaKey || altKey || repeat || isTyping(event)) return;
    if (typeIntoComingField(key)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const isSecond = event.timeStamp - pressedG.current < SEQUENCE_MS;
    pressedG.current = key.toLowerCase() === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const destination = isSecond ? destinationsOf(role).find((one) => one.key === key.toLowerCase()) : undefined;
    if (typeof destination?.to === 'function') destination.to();
    else if (destination) void navigate(destination.to);
    else if (isSecond && key.toLowerCase() === FOLDERS_KEY.key) showFolders();
    else if (key === '?') sheet.open(true);
    else if (ofKey([HAND_OVER_KEY], event)) ask(loadHandOver, {});
    else if (key === '/') {
      if (!focusSearchField()) return;
    } else return;
    // The same letter alone may be the key of a list.
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
  return <Suspense>{sheet.shown && <KeySheet presence={sheet.shown.presence} />}</Suspense>;
}
