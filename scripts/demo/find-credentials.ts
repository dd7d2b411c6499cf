import { SETUP_TOKEN_SECRET } from '#backend/identity/users/first-admin.ts';
import { readConfig } from '#backend/server/config.ts';
import { defaultCredentialsSchema } from '#backend/contract/session.ts';
import { createFileSecretStore } from '#backend/platform/secrets/secret-store.ts';
import { Complaint } from '#scripts/complaint.ts';
import { ask } from './signed-in-client.ts';

const DEFAULT_EMAIL = 'admin@alertdesk.local';

/**
 * Whose session makes the demo's API key: ADMIN_EMAIL and ADMIN_PASSWORD, else the generated administrator, whose
 * password a server on this machine gives for the token in its data folder, for a day.
 *
 * @throws {Complaint} saying what to set when there is neither
 */
export async function findCredentials(
  url: URL,
  environment: Record<string, string | undefined>,
): Promise<{ email: string; password: string }> {
  const password = environment['ADMIN_PASSWORD'];
  if (password) return { email: environment['ADMIN_EMAIL'] || DEFAULT_EMAIL, password };
  const secrets = createFileSecretStore(readConfig(environment).dataDir);
  const setupToken = (await secrets.get(SETUP_TOKEN_SECRET)) ?? '';
  const headers = { Authorization: `Bearer ${setupToken}` };
  const response = await ask(new URL('/api/auth/default-credentials', url), { headers });
  if (response.ok) return defaultCredentialsSchema.parse(await response.json());
  throw new Complaint(
    `The server at ${url.origin} does not print its administrator's password; set ADMIN_EMAIL and ADMIN_PASSWORD to an administrator's, in the environment or in .env.`,
  );
}
