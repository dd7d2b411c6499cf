/** A machine that the desktop app is built for, in Node's words. */
export interface Target {
  platform: 'win32' | 'darwin' | 'linux';
  arch: 'x64' | 'arm64';
}

/**
 * What the embedded server ships of packages, as paths within `node_modules`: those with a native binary, and Swagger
 * UI's files, which are read by path. The binaries are prebuilt on Node-API, so Electron takes them as they are.
 */
export function shippedFiles({ platform, arch }: Target): string[] {
  const libc = platform === 'linux' ? '.glibc' : '';
  return [
    'better-sqlite3/package.json',
    'better-sqlite3/LICENSE',
    'better-sqlite3/lib',
    `better-sqlite3/prebuilds/${platform}-${arch}.node`,
    'bcrypt/package.json',
    'bcrypt/LICENSE',
    'bcrypt/bcrypt.js',
    'bcrypt/promises.js',
    `bcrypt/prebuilds/${platform}-${arch}/bcrypt${libc}.node`,
    // bcrypt finds its binary with it.
    'node-gyp-build/package.json',
    'node-gyp-build/index.js',
    'node-gyp-build/node-gyp-build.js',
    'swagger-ui-dist/package.json',
    'swagger-ui-dist/LICENSE',
    'swagger-ui-dist/swagger-ui.css',
    'swagger-ui-dist/swagger-ui-bundle.js',
  ];
}

/**
 * A target from Forge's words.
 *
 * @throws {Error} for machines that the app is not built for.
 */
export function readTarget(platform: string, arch: string): Target {
  if (platform !== 'win32' && platform !== 'darwin' && platform !== 'linux') {
    throw new Error(`The desktop app is not built for ${platform}.`);
  }
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`The desktop app is not built for ${arch}.`);
  return { platform, arch };
}
