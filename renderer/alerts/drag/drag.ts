import { atom } from 'jotai';

/** Where a dragged alert can be dropped. Elements carry it as `data-drop-target`; the innermost one under the point counts. */
export type DropTargetId =
  | `folder:${string}`
  /** My Alerts: out of its folder. */
  | 'mine'
  /** What stands in place of the folders when there is none. */
  | 'no-folders'
  /** Anywhere else in the sidebar, which takes nothing. */
  | 'sidebar';

/** An active drag, as the rest of the screen needs to know it. */
export interface Drag {
  over: DropTargetId | undefined;
  /** The sidebar is open for the drop, whatever it was before. */
  showsSidebar: boolean;
}

/** The active drag of an alert, written by the drag layer alone. */
export const dragAtom = atom<Drag | undefined>(undefined);

/** Whether the sidebar is to be open for a drop. */
export const dragShowsSidebarAtom = atom((get) => get(dragAtom)?.showsSidebar ?? false);

/** What a dragged alert is over. */
export const dragOverAtom = atom((get) => get(dragAtom)?.over);

export const folderTarget = (folderId: string): DropTargetId => `folder:${folderId}`;
