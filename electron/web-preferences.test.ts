import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What takes Chromium's protection away (Electron's security checklist, 6 and 8 to 11), and command-line switches that do. */
const NEVER = [
  'webSecurity',
  'allowRunningInsecureContent',
  'experimentalFeatures',
  'enableBlinkFeatures',
  'allowpopups',
  'nodeIntegrationInWorker',
  'nodeIntegrationInSubFrames',
  'appendSwitch',
  'no-sandbox',
];

test('no window takes protection away', async () => {
  const files = (await readdir(import.meta.dirname, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const sources = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), 'utf8')));
  const all = sources.join('\n');
  expect(NEVER.filter((word) => all.includes(word))).toEqual([]);
  expect(all.match(/new BrowserWindow\(/g)).toHaveLength(1);
  expect(all).toMatch(/contextIsolation: true,\s+sandbox: true,\s+nodeIntegration: false,\s+webviewTag: false/);
});
