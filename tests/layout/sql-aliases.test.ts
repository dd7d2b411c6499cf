import { expect, test } from 'vitest';
import { allOf } from '#tests/support/product-code.ts';

/** Words that MySQL 8 reserves and that somebody may want to call a column or a table: unquoted it refuses the statement. */
const RESERVED =
  'accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call cascade case ' +
  'change char character check collate column condition constraint continue convert create cross cube current_date ' +
  'current_time current_timestamp current_user cursor database databases dec decimal declare default delayed delete ' +
  'desc describe deterministic distinct div double drop dual each else elseif empty enclosed escaped except exists ' +
  'exit explain false fetch first_value float for force foreign from fulltext function generated get grant group ' +
  'grouping groups having high_priority if ignore in index infile inner inout insensitive insert int integer intersect ' +
  'interval into is iterate join json_table key keys kill lag last_value lateral lead leading leave left like limit ' +
  'linear lines load localtime localtimestamp lock long loop low_priority manual match maxvalue mod modifies natural ' +
  'not ntile null numeric of on optimize option optionally or order out outer outfile over parallel partition ' +
  'percent_rank precision primary procedure purge qualify range rank read reads real recursive references regexp ' +
  'release rename repeat replace require resignal restrict return revoke right rlike row row_number rows schema schemas ' +
  'select sensitive separator set show signal smallint spatial specific sql sqlexception sqlstate sqlwarning ssl ' +
  'starting stored system table tablesample terminated then tinyint to trailing trigger true undo union unique unlock ' +
  'unsigned update usage use using values varchar varying virtual when where while window with write xor zerofill';

test('no alias of a statement is a word that MySQL 8 reserves', () => {
  const reserved = new Set(RESERVED.split(' '));
  // Written in capitals it is a type, as in CAST(… AS UNSIGNED).
  const aliases = allOf(/\bAS ([a-z]\w*)(?![\w$])/g, 'backend');
  expect(aliases).toContain('alertId');
  expect(aliases.filter((alias) => reserved.has(alias.toLowerCase()))).toEqual([]);
});
