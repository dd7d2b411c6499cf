/** What went wrong with npm, in one sentence for a person. Plain JavaScript, for it runs before anything is installed. */

/** Ends the command with one sentence for a person. */
export class BootstrapError extends Error {}

const NETWORK =
  /^(ENOTFOUND|ECONN\w+|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E[45]\d\d|FETCH_ERROR)$/;

/**
 * Why `npm ci` failed and what to do.
 *
 * @param errors what npm wrote to stderr
 * @param modules the folder that it could not fill
 */
export function explainNpmError(errors, modules) {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(errors)?.[1] ?? '';
  const lines = errors.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
  const reason =
    lines.find((line) => line !== '' && !/^(code|errno|syscall|path) |^npm (warn|WARN)/.test(line)) ??
    'no reason given';
  if (code === 'EUSAGE')
    return 'package.json and package-lock.json do not agree; run "npm install" once and commit the lock file.';
  if (code === 'ENOSPC')
    return 'The disk is full: the packages need about 600 MB; free some space and run the command again.';
  if (code === 'EINTEGRITY')
    return `A package differs from what package-lock.json promises (${reason}); nothing of it was used.`;
  if (/^E(ACCES|PERM|BUSY|ROFS)$/.test(code))
    return `Files in ${modules} cannot be replaced (${code}); close what uses them, see to their owner, or run "npm ci" yourself.`;
  if (NETWORK.test(code))
    return `The packages cannot be fetched from the npm registry (${code}); check the network and npm's "registry" and "proxy" settings, then run the command again.`;
  if (code === 'ENOENT' && reason.includes('spawn'))
    return 'npm was not found; install Node.js with npm and run the command again.';
  return `npm could not install the packages (${code || 'unknown error'}: ${reason}); run "npm ci" to see everything it says.`;
}
