import { describe, expect, it } from 'vitest';
import type { Folder } from '#backend/contract/folder.ts';
import { folderPaths, folderRows, pathTo, visibleRows } from './folder-rows.ts';

const folder = (id: string, parentId?: string): Folder => ({
  id,
  name: id.toUpperCase(),
  color: 'blue',
  icon: 'folder',
  order: 0,
  alertCount: 0,
  ...(parentId !== undefined && { parentId }),
});

/** Each row as its folder's id, indented. */
const drawn = (rows: ReturnType<typeof folderRows>): string[] =>
  rows.map(({ folder: { id }, depth }) => `${'  '.repeat(depth)}${id}`);

const FOLDERS = [folder('a'), folder('a2', 'a1'), folder('a1', 'a'), folder('b'), folder('a3', 'a')];

describe('folderRows', () => {
  it('has each folder before what is in it, siblings as they came', () => {
    expect(drawn(folderRows(FOLDERS))).toEqual(['a', '  a1', '    a2', '  a3', 'b']);
  });

  it('says where each stands among its siblings', () => {
    const places = folderRows(FOLDERS).map(({ folder: { id }, place, siblings, hasChildren, parentId }) => [
      id,
      place,
      siblings,
      hasChildren,
      parentId,
    ]);
    expect(places).toEqual([
      ['a', 1, 2, true, undefined],
      ['a1', 1, 2, true, 'a'],
      ['a2', 1, 1, false, 'a1'],
      ['a3', 2, 2, false, 'a'],
      ['b', 2, 2, false, undefined],
    ]);
  });

  it('lifts what is in a hidden folder to where that one was', () => {
    expect(drawn(folderRows(FOLDERS, new Set(['a1'])))).toEqual(['a', '  a2', '  a3', 'b']);
    expect(drawn(folderRows(FOLDERS, new Set(['a', 'a1'])))).toEqual(['a2', 'b', 'a3']);
  });

  it('keeps a folder whose parent is not there, and ends with a ring of hidden ones', () => {
    expect(drawn(folderRows([folder('a', 'gone')]))).toEqual(['a']);
    const ring = [folder('x', 'y'), folder('y', 'x'), folder('z', 'x')];
    expect(drawn(folderRows(ring, new Set(['x', 'y'])))).toEqual(['z']);
  });

  it('nests without end', () => {
    const chain = Array.from({ length: 300 }, (_, at) => folder(`f${at}`, at === 0 ? undefined : `f${at - 1}`));
    expect(folderRows(chain).at(-1)?.depth).toBe(299);
  });
});

describe('visibleRows', () => {
  it('leaves out what is inside of a collapsed folder, however deep', () => {
    const rows = folderRows(FOLDERS);
    expect(drawn(visibleRows(rows, new Set(['a'])))).toEqual(['a', 'b']);
    expect(drawn(visibleRows(rows, new Set(['a1'])))).toEqual(['a', '  a1', '  a3', 'b']);
    expect(drawn(visibleRows(rows, new Set(['b', 'gone'])))).toEqual(drawn(rows));
  });
});

it('finds the way to a folder from the inside out', () => {
  const rows = folderRows(FOLDERS);
  expect(pathTo(rows, 'a2')).toEqual(['a2', 'a1', 'a']);
  expect(pathTo(rows, 'b')).toEqual(['b']);
  expect(pathTo(rows, '')).toEqual([]);
});

it('names every folder by those that it is in, from the outside in, and reads each of them once', () => {
  const rows = folderRows(FOLDERS);
  const read: string[] = [];
  const watched = rows.map((row) => {
    const named = {
      ...row.folder,
      get name() {
        read.push(row.folder.id);
        return row.folder.name;
      },
    };
    return { ...row, folder: named };
  });
  const paths = folderPaths(watched);
  expect([paths.get('a2'), paths.get('b'), paths.get('gone')]).toEqual([['A', 'A1', 'A2'], ['B'], undefined]);
  expect(read).toEqual(rows.map((row) => row.folder.id));
});
