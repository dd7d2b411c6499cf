import { type KeyboardEvent, type PointerEvent, createContext, useContext } from 'react';
import type { Alert } from '#backend/contract/alert.ts';

/** Takes hold of an alert at its handle: by pointer, or by Enter or space. */
export type Grab = (alert: Alert, event: PointerEvent<HTMLElement> | KeyboardEvent<HTMLElement>) => void;

/** Provided by the drag layer of a page; absent where cards cannot be dragged. */
export const GrabContext = createContext<Grab | undefined>(undefined);

/** How a card's handle takes hold of its alert. */
export const useGrab = (): Grab | undefined => useContext(GrabContext);

/** Id of the hidden text that tells how to drag with the keyboard. */
export const DRAG_HELP_ID = 'drag-help';
