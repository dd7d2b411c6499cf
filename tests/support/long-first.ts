import { type TestSpecification, BaseSequencer } from 'vitest/node';

/**
 * What takes longest, with its seconds on two cores, longest first. Started last, one of these would keep one core busy
 * while the others have nothing left.
 */
export const LONG_FILES: readonly string[] = [
  'backend/platform/database/migrate.server.test.ts', // 44, on MariaDB
  'backend/platform/logger/logger.server.test.ts', // 44
  'tests/properties/endpoints.server.test.ts', // 44
  'backend/transfer/backup/backup.test.ts', // 43
  'backend/http/policy.server.test.ts', // 43
  'backend/outgoing/mails/mail.server.test.ts', // 34
  'backend/http/revocation.server.test.ts', // 31
  'backend/refused-start.server.test.ts', // 29
  'backend/alerts/lists/alert-answers.server.test.ts', // 29
  'scripts/import/import.server.test.ts', // 26
  'backend/main.server.test.ts', // 25
  'scripts/bootstrap.test.ts', // 24
  'backend/http/token-policy.server.test.ts', // 24
  'backend/alerts/lists/group-by-group.server.test.ts', // 23
  'backend/embedded.test.ts', // 19
  'backend/platform/database/private-files.test.ts', // 16
  'electron/updates/updates.test.ts', // 14
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG_FILES.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? LONG_FILES.length : place;
};

/** Long files first in each project. Vitest goes by what it measured before, of which a fresh clone has nothing. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Projects stay in vitest's order: each has workers of its own, which end where the next project begins.
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = (file: TestSpecification): number => projects.indexOf(file.project.name);
    return sorted.sort((one, other) => rank(one) - rank(other) || placeOf(one) - placeOf(other));
  }
}
