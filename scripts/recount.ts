/** `npm run recount`: corrects the counters over lists from the alerts themselves, while the server may be running. */
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { describeWrongCount, findWrongCounts, recount } from '#backend/alerts/lists/recount.ts';
import { Complaint } from '#scripts/complaint.ts';
import { openInstallation } from '#scripts/open-installation.ts';

export async function run(args: string[]): Promise<void> {
  const [option, ...rest] = args;
  if (rest.length > 0 || (option !== undefined && option !== '--check')) {
    throw new Complaint(
      `Usage: ${commandLine('recount')}, or ${commandLine('recount', '--check')} to report and change nothing.`,
    );
  }
  const isCheck = option === '--check';
  const { database } = await openInstallation(undefined, isCheck ? 'kept' : 'updated');
  try {
    const wrong = isCheck ? await findWrongCounts(database.reads) : await recount(database);
    for (const count of wrong) console.log(describeWrongCount(count));
    const counters = `${wrong.length} ${wrong.length === 1 ? 'counter' : 'counters'}`;
    if (isCheck && wrong.length > 0) throw new Complaint(`${counters} wrong. ${commandLine('recount')} corrects them.`);
    console.log(wrong.length === 0 ? 'Every counter is right.' : `${counters} corrected.`);
  } finally {
    await database.close();
  }
}
