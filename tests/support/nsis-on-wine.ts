import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './find-program.ts';

const run = promisify(execFile);

/** electron-builder's own script of the installer. */
const TEMPLATES = join(
  dirname(createRequire(import.meta.url).resolve('app-builder-lib/package.json')),
  'templates',
  'nsis',
);

/** What is missing here to make an installer and to run it; undefined when nothing is. */
export function whyNoInstaller(): string | undefined {
  if (process.platform !== 'linux') return 'The installer is made and run with NSIS and Wine on Linux only.';
  const missing = [
    ['makensis', 'nsis'],
    ['wine', 'wine64'],
  ].filter(([program = '']) => findProgram([program]) === undefined);
  if (missing.length === 0) return undefined;
  return `Not installed: ${missing.map(([program, name]) => `${program} (Debian's ${name})`).join(', ')}.`;
}

/** NSIS for electron-builder, and a Windows made of Wine, in one folder. */
export interface Workshop {
  /** What electron-builder finds its tools by. */
  environment: Record<string, string>;
  /** The user's own folder. */
  home: string;
  /** Runs a program there, or one of Windows' own. */
  run(program: string, ...args: string[]): Promise<void>;
  /** What HKEY_CURRENT_USER has of the app: its keys and values by their text in `reg export`. */
  registry(): Promise<string[]>;
}

/**
 * Makes the workshop in `folder`, for an installer of what is in `app`. electron-builder's script stays as it is but for its
 * plugins (`nsis-plugins.nsh`) and for the archive, whose files are put in one by one. The installer is a 64-bit program: Wine
 * runs such without a second architecture.
 */
export async function openWorkshop(folder: string, app: string): Promise<Workshop> {
  const [nsis, resources, templates, prefix] = ['nsis', 'resources', 'templates', 'wine'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  await mkdir(nsis, { recursive: true });
  await mkdir(join(resources, 'plugins', 'x86-unicode'), { recursive: true });
  await cp(TEMPLATES, templates, { recursive: true });
  await cp(join(import.meta.dirname, 'nsis-plugins.nsh'), join(templates, 'include', 'StdUtils.nsh'));
  for (const name of await readdir(templates, { recursive: true })) {
    if (!name.endsWith('.nsh') || name.endsWith('StdUtils.nsh')) continue;
    const file = join(templates, name);
    const script = await readFile(file, 'utf8');
    await writeFile(
      file,
      script
        .replaceAll(/WinShell::(\w+)/g, '!insertmacro $1')
        .replaceAll(/SpiderBanner::Show.*/g, '')
        .replaceAll(/Nsis7z::Extract.*/g, `File /r "${app}/*.*"`),
    );
  }
  await writeProgram(
    join(nsis, 'makensis'),
    `cd ${templates}
sed 's#${TEMPLATES}#${templates}#g' | makensis '-XTarget amd64-unicode' '-X!pragma warning disable 6012' "$@"`,
  );
  await writeFile(join(nsis, 'elevate.exe'), '');
  // The archive is not unpacked; that there is one is all that electron-builder needs.
  const archiver = join(folder, '7za');
  await writeProgram(archiver, 'for word in "$@"; do case "$word" in *.7z) tar -cf "$word" .;; esac; done');

  // Without the parts that wait for a screen, which take three quarters of the time; electron-builder has its own idea of these.
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeProgram(
    join(bin, 'wine'),
    `export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe,explorer.exe=d'
exec ${findProgram(['wine']) ?? 'wine'} "$@"`,
  );
  const environment = {
    ELECTRON_BUILDER_NSIS_DIR: nsis,
    ELECTRON_BUILDER_NSIS_RESOURCES_DIR: resources,
    ELECTRON_BUILDER_7ZIP_PATH: archiver,
    WINEPREFIX: prefix,
    PATH: [bin, process.env['PATH']].join(delimiter),
  };
  const env = { ...process.env, ...environment };
  const wine = async (...args: string[]) => {
    await run('wine', args, { env, timeout: 120_000 });
  };
  await wine('wineboot', '-i');
  const user = (await readdir(join(prefix, 'drive_c', 'users'))).find((name) => name !== 'Public') ?? '';
  return {
    environment,
    home: join(prefix, 'drive_c', 'users', user),
    run: wine,
    async registry() {
      const file = join(folder, 'exported.reg');
      await wine('reg', 'export', 'HKCU', `Z:${file}`, '/y');
      const lines = (await readFile(file, 'utf16le')).split('\r\n');
      // Fonts, colours and other things of Windows' own are thousands.
      return lines.filter((line) => /alertdesk|\.exe|CLSID|URL Protocol/i.test(line));
    },
  };
}

async function writeProgram(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}
