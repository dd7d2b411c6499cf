import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { moveData } from './data-folder.ts';

let base: string;
let from: string;
let to: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'alertdesk-data-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  from = join(base, 'Roaming', 'Alertdesk');
  to = join(base, 'Local', 'Alertdesk');
});

/** The data of a version before. */
function use(): void {
  mkdirSync(join(from, 'server'), { recursive: true });
  writeFileSync(join(from, 'desktop.json'), '{"theme":"dark"}');
  writeFileSync(join(from, 'server', 'alertdesk.sqlite'), 'all alerts');
}

function isWholeIn(folder: string): void {
  expect(readFileSync(join(folder, 'desktop.json'), 'utf8')).toBe('{"theme":"dark"}');
  expect(readFileSync(join(folder, 'server', 'alertdesk.sqlite'), 'utf8')).toBe('all alerts');
}

const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

/** Another start is quicker. */
function tooLate(old: string, next: string): void {
  renameSync(old, next);
  renameSync(old, next);
}

test('the data of a version before is moved once', () => {
  use();
  expect(moveData(from, to, { id: '1' })).toBe(to);
  isWholeIn(to);
  expect(existsSync(from)).toBe(false);
  expect(moveData(from, to, { id: '2' })).toBe(to);
  isWholeIn(to);
});

test('where there is none, nothing is moved', () => {
  expect(moveData(from, to, { id: '1' })).toBe(to);
  // What Electron makes by itself is no data.
  mkdirSync(join(from, 'Crashpad'), { recursive: true });
  expect(moveData(from, to, { id: '1' })).toBe(to);
  expect(existsSync(to)).toBe(false);
});

test('what is there already stays, and so does what is left elsewhere', () => {
  use();
  mkdirSync(to, { recursive: true });
  expect(moveData(from, to, { id: '1' })).toBe(to);
  isWholeIn(from);
});

test('data that an older version still uses stays where it is, and is moved later', () => {
  use();
  expect(moveData(from, to, { id: '1', rename: failing('EPERM') })).toBe(from);
  isWholeIn(from);
  expect(moveData(from, to, { id: '2' })).toBe(to);
  isWholeIn(to);
});

test('to another volume it is copied, and then gone', () => {
  use();
  expect(moveData(from, to, { id: '1', rename: failing('EXDEV') })).toBe(to);
  isWholeIn(to);
  expect(existsSync(from)).toBe(false);
  expect(readdirSync(join(base, 'Local'))).toEqual(['Alertdesk']);
  expect(readdirSync(to).toSorted()).toEqual(['desktop.json', 'server']);
});

test('a copy that was interrupted is made again', () => {
  use();
  mkdirSync(join(base, 'Local', 'Alertdesk.7.moving', 'server'), { recursive: true });
  writeFileSync(join(base, 'Local', 'Alertdesk.7.moving', 'server', 'alertdesk.sqlite'), 'half of');
  expect(moveData(from, to, { id: '8', rename: failing('EXDEV') })).toBe(to);
  isWholeIn(to);
  expect(readdirSync(join(base, 'Local'))).toEqual(['Alertdesk']);
});

test('one that was interrupted before the old folder was gone is ended', () => {
  use();
  mkdirSync(join(to, 'server'), { recursive: true });
  mkdirSync(join(to, 'moved-by-copying'));
  writeFileSync(join(to, 'desktop.json'), '{"theme":"dark"}');
  writeFileSync(join(to, 'server', 'alertdesk.sqlite'), 'all alerts');
  expect(moveData(from, to, { id: '1' })).toBe(to);
  isWholeIn(to);
  expect(existsSync(from)).toBe(false);
  expect(existsSync(join(to, 'moved-by-copying'))).toBe(false);
});

test('of two starts at once one moves, and both use the same', () => {
  use();
  expect(moveData(from, to, { id: '1', rename: tooLate })).toBe(to);
  isWholeIn(to);
});
