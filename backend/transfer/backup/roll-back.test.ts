import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import { restore } from './backup.ts';

test('a restore that cannot move everything back says where the database is, and moves back the rest', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roll-back-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const [file, target] = [join(dataDir, 'backup.sqlite'), join(dataDir, SQLITE_FILE)];
  const backup = new BetterSqlite3(file);
  backup.exec('CREATE TABLE alerts (id TEXT)');
  backup.close();
  for (const suffix of ['', '-wal', '-journal']) await writeFile(target + suffix, `old${suffix}`);
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T00:00:00.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  const aside = `${target}.before-restore-2026-11-28T00-00-00.000Z`;
  // No file can take the name of a folder.
  await mkdir(`${aside}-journal`);
  const move = async (from: string, to: string): Promise<void> => {
    if (from === `${aside}-wal`) throw Object.assign(new Error('read-only'), { code: 'EROFS' });
    await rename(from, to);
  };
  await expect(restore(dataDir, file, move)).rejects.toThrow(
    'The backup could not be put in the place of the database (EISDIR); ' +
      `what was there could not all be moved back; move ${aside}-wal to ${target}-wal.`,
  );
  expect(await readFile(target, 'utf8')).toBe('old');
});
