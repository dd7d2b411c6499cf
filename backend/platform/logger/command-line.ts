import process from 'node:process';

/** Set by the launcher of a built server, `alertdesk`, for what it starts. */
export const LAUNCHED = 'ALERTDESK_LAUNCHED';

/**
 * How a command of the product is called here: `alertdesk restore FILE` where the built server's launcher runs, and
 * `npm run restore -- FILE` in a clone.
 *
 * @param rest what follows the command's name
 */
export function commandLine(command: string, rest = ''): string {
  if (process.env[LAUNCHED] !== undefined) return `alertdesk ${command} ${rest}`.trimEnd();
  if (command === 'serve') return 'npm start';
  return rest === '' ? `npm run ${command}` : `npm run ${command} -- ${rest}`;
}
