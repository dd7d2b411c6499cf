import type { EntityManager } from 'typeorm';

/** A user of MySQL or MariaDB as GRANT names it, in quotes: `'alertdesk'@'10.0.0.%'`. */
const ACCOUNT = /^'[^'"`\\]{1,80}'@'[^'"`\\]{1,255}'$/;

/** Tables on which a server has fewer rights than on the others: entries of the audit trail are added and read. */
const RIGHTS: Readonly<Record<string, string>> = {
  audit_log: 'SELECT, INSERT',
  migrations: 'SELECT',
};

/**
 * The statements that give a user what a server takes on each table of this database, and nothing else: no right to change
 * tables, nor to change or delete entries of the audit trail. New tables of another release ask for them again.
 *
 * @returns undefined when the account is not written as GRANT takes it
 */
export async function grantStatements(reads: EntityManager, account: string): Promise<string[] | undefined> {
  if (!ACCOUNT.test(account)) return undefined;
  const tables: { database: string; name: string }[] = await reads.query(
    'SELECT table_schema AS `database`, table_name AS name FROM information_schema.tables ' +
      'WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  return tables.map(
    ({ database, name }) =>
      `GRANT ${RIGHTS[name] ?? 'SELECT, INSERT, UPDATE, DELETE'} ON \`${database}\`.\`${name}\` TO ${account};`,
  );
}
