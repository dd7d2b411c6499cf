/** `npm run recount`: corrects the counters over lists from the alerts themselves, while the server may be running. */
import { describeWrongCount, findWrongCounts, recount } from '#backend/alerts/recount.ts';
import { readConfig } from '#backend/config.ts';
import { openDatabase, prepareDataDir } from '#backend/database/open-database.ts';
import { readDotEnv } from '#backend/read-dot-env.ts';
import { Complaint, runCommand } from '#scripts/complaint.ts';

await runCommand(async () => {
  const [option, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || (option !== undefined && option !== '--check')) {
    throw new Complaint('Usage: npm run recount, or npm run recount -- --check to report and change nothing.');
  }
  readDotEnv();
  const config = readConfig(process.env);
  await prepareDataDir(config.dataDir);
  const database = await openDatabase(config, undefined, { isPatient: true });
  try {
    const wrong = option === '--check' ? await findWrongCounts(database.reads) : await recount(database);
    for (const count of wrong) console.log(describeWrongCount(count));
    const counters = `${wrong.length} ${wrong.length === 1 ? 'counter' : 'counters'}`;
    if (option === '--check' && wrong.length > 0)
      throw new Complaint(`${counters} wrong. npm run recount corrects them.`);
    console.log(wrong.length === 0 ? 'Every counter is right.' : `${counters} corrected.`);
  } finally {
    await database.close();
  }
});
