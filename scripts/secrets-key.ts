/** `npm run secrets-key`: says where the key is that seals secrets, makes a new one, and seals everything under it. */
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { type KeyringDeps, findKeyPlace, openKeyring } from '#backend/platform/secrets/keyring.ts';
import { rotateSecrets } from '#backend/server/rotate-secrets.ts';
import { openStore } from '#backend/platform/secrets/secret-store.ts';
import { newSealingKey } from '#backend/platform/secrets/sealing.ts';
import { Complaint } from '#scripts/complaint.ts';
import { openInstallation, readSettings } from '#scripts/open-installation.ts';

const USAGE = `Usage:
${commandLine('secrets-key')} says where the key is
${commandLine('secrets-key', 'new')} prints a new one (with npm, after "npm run -s")
${commandLine('secrets-key', 'rotate')} seals everything under the first key of SECRETS_KEY or SECRETS_KEY_FILE`;

export async function run(args: string[]): Promise<void> {
  const [command = 'status', ...rest] = args;
  if (rest.length > 0 || !['status', 'new', 'rotate'].includes(command)) throw new Complaint(USAGE);
  if (command === 'new') return console.log(newSealingKey());
  const config = readSettings();
  if (command === 'rotate' && config.secretsKeys.length === 0) {
    throw new Complaint(
      'Set SECRETS_KEY or SECRETS_KEY_FILE to the new key first, for every server, and restart these.',
    );
  }
  const { database } = await openInstallation(config);
  const store = openStore(config, database);
  try {
    if (command === 'rotate') await rotate({ config, database, store });
    else if ((await findKeyPlace({ config, database, store })) === 'outside')
      console.log('The key is outside, in SECRETS_KEY or SECRETS_KEY_FILE.');
    else if (config.databaseUrl === undefined) console.log('The key is in secrets.json, beside the database.');
    else console.log('The key lies in the database that it seals. Set SECRETS_KEY or SECRETS_KEY_FILE, then rotate.');
  } finally {
    await database.close();
  }
}

async function rotate(deps: Pick<KeyringDeps, 'config' | 'database' | 'store'>): Promise<void> {
  // Without its file nothing is sealed again: what is under that key could not be opened.
  await findKeyPlace(deps);
  const keyring = await openKeyring({ ...deps, logger: createLogger('silent') });
  try {
    const { sealed, unopened } = await rotateSecrets({ ...deps, keyring });
    console.log(
      `Sealed again: ${sealed}. Everything is under the first key; others can be left out at the next restart.`,
    );
    if (unopened > 0) throw new Complaint(`${unopened} could not be opened by any of the keys, and stay as they are.`);
  } finally {
    await keyring.stop();
  }
}
