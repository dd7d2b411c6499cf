import type { Folder } from '#backend/contract/folder.ts';

/** A folder's row in the tree, from top to bottom. */
export interface FolderRow {
  folder: Folder;
  /** 0 at the top level. */
  depth: number;
  /** The folder that it is shown in; absent at the top level. */
  parentId: string | undefined;
  hasChildren: boolean;
  /** Its place among its siblings, counted from 1, and how many these are. */
  place: number;
  siblings: number;
}

const NO_PARENT = '';

/**
 * The tree as rows, each folder before what is in it, siblings in the order they came. Folders in `hidden` are left out
 * and their subfolders stand one level higher, as when the server deletes them. A folder whose
 * parent is unknown is at the top level, so that every folder can be reached.
 */
export function folderRows(folders: readonly Folder[], hidden: ReadonlySet<string> = new Set()): FolderRow[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const parentOf = ({ parentId }: Folder): string => {
    let parent = parentId === undefined ? undefined : byId.get(parentId);
    // A ring of folders would lead round for ever.
    for (let steps = 0; parent && hidden.has(parent.id) && steps < folders.length; steps += 1) {
      parent = parent.parentId === undefined ? undefined : byId.get(parent.parentId);
    }
    return parent && !hidden.has(parent.id) ? parent.id : NO_PARENT;
  };
  const shown = folders.filter(({ id }) => !hidden.has(id));
  const children = Map.groupBy(shown, parentOf);

  const rows: FolderRow[] = [];
  const reached = new Set<string>();
  const add = (parentId: string | undefined, depth: number): void => {
    const inside = children.get(parentId ?? NO_PARENT) ?? [];
    for (const [index, folder] of inside.entries()) {
      if (reached.has(folder.id)) continue;
      reached.add(folder.id);
      const hasChildren = children.has(folder.id);
      rows.push({ folder, depth, parentId, hasChildren, place: index + 1, siblings: inside.length });
      add(folder.id, depth + 1);
    }
  };
  add(undefined, 0);
  return rows;
}

/** The rows that are to be seen: not those inside of a collapsed folder. */
export function visibleRows(rows: readonly FolderRow[], collapsed: ReadonlySet<string>): FolderRow[] {
  let hiddenBelow = Infinity;
  return rows.filter(({ folder, depth, hasChildren }) => {
    if (depth > hiddenBelow) return false;
    hiddenBelow = hasChildren && collapsed.has(folder.id) ? depth : Infinity;
    return true;
  });
}

/** Ids of the folder and of those that it is in, from the inside out. None for a folder that is not there. */
export function pathTo(rows: readonly FolderRow[], id: string): string[] {
  const path: string[] = [];
  let next: string | undefined;
  for (let at = rows.findLastIndex(({ folder }) => folder.id === id); at >= 0; at -= 1) {
    const row = rows[at];
    if (row && (path.length === 0 || row.folder.id === next)) {
      path.push(row.folder.id);
      next = row.parentId;
    }
  }
  return path;
}

/** Stands between the names of folders, each in the one before. */
export const PATH_MARK = ' › ';

/** Names of each folder and of those that it is in, from the outside in, by the folder's id. */
export function folderPaths(rows: readonly FolderRow[]): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>();
  // What a folder is in stands before it.
  for (const { folder, parentId } of rows) {
    const outside = parentId === undefined ? undefined : paths.get(parentId);
    paths.set(folder.id, [...(outside ?? []), folder.name]);
  }
  return paths;
}
