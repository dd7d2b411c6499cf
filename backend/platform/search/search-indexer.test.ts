import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { type SearchIndexer, checkAndIndex, createSearchIndexer } from './search-indexer.ts';
import { gramsQuery } from './search-text.ts';

let alerts: BetterSqlite3.Database;
let index: BetterSqlite3.Database;
let indexer: SearchIndexer;

beforeEach(() => {
  alerts = new BetterSqlite3(':memory:');
  alerts.exec(
    'CREATE TABLE alerts (id TEXT PRIMARY KEY, customer TEXT, alert_type TEXT, source_id TEXT, url TEXT, payload TEXT, title TEXT, note_text TEXT)',
  );
  index = new BetterSqlite3(':memory:');
  indexer = createSearchIndexer(alerts, index);
});

const add = (id: string, word: string, customer: string | null = null) =>
  alerts
    .prepare('INSERT INTO alerts VALUES (?, ?, NULL, NULL, ?, ?, NULL, NULL)')
    .run(id, customer, '/webhook', JSON.stringify({ word }));
const found = (word: string) =>
  index
    .prepare<[string], string>(
      'SELECT alert_id FROM texts JOIN documents ON position = texts.rowid WHERE texts MATCH ? ORDER BY position',
    )
    .pluck()
    .all(gramsQuery([[word]]));
const work = () => {
  while (indexer.indexNext().hasMore);
};
const check = () => {
  for (const _ of indexer.startCheck());
};

test('indexes what is there, and then what is new', () => {
  add('a1', 'heron');
  work();
  add('a2', 'herons');
  expect(found('heron')).toEqual(['a1']);
  work();
  expect(found('heron')).toEqual(['a1', 'a2']);
});

test('goes on where it stopped, in as many steps as it takes', () => {
  for (let number = 0; number < 8_500; number += 1) add(`a${String(number).padStart(4, '0')}`, 'heron');
  expect(indexer.indexNext()).toEqual({ indexed: 8_000, hasMore: true });
  expect(indexer.progress()).toEqual({ newest: 'a8499', indexedTo: 'a7999' });
  indexer = createSearchIndexer(alerts, index);
  work();
  expect(found('heron')).toHaveLength(8_500);
});

const note = (id: string, text: string | null) =>
  alerts.prepare('UPDATE alerts SET note_text = ? WHERE id = ?').run(text, id);
const rename = (id: string, title: string) => alerts.prepare('UPDATE alerts SET title = ? WHERE id = ?').run(title, id);

test('finds titles, and changed ones once it knows of the change', () => {
  add('a1', 'heron');
  rename('a1', 'Tank leaks');
  work();
  expect(found('tank leaks')).toEqual(['a1']);
  rename('a1', 'Tank is empty');
  indexer.retitle(['a1', 'not yet indexed']);
  expect([found('tank leaks'), found('is empty'), found('heron')]).toEqual([[], ['a1'], ['a1']]);
});

test('knows the names of alerts, until they are gone', () => {
  const named = index.prepare<[], string>("SELECT alert_id FROM documents WHERE customer = 'Nordwind'").pluck();
  add('a1', 'heron', 'Nordwind');
  add('a2', 'heron', 'Südwind');
  work();
  expect(named.all()).toEqual(['a1']);
  alerts.exec("DELETE FROM alerts WHERE id = 'a1'");
  check();
  expect(named.all()).toEqual([]);
});

test('an index of another version is refused', () => {
  index.pragma('user_version = 0');
  expect(() => createSearchIndexer(alerts, index)).toThrow('another version');
});

test('the check finds titles that changed unnoticed', () => {
  add('a1', 'heron');
  work();
  rename('a1', 'Nightjar');
  check();
  expect([found('nightjar'), found('heron')]).toEqual([['a1'], ['a1']]);
});

test('a step ends after so much text', () => {
  for (const id of ['a1', 'a2', 'a3']) add(id, 'heron'.repeat(2_000_000));
  expect(indexer.indexNext()).toEqual({ indexed: 2, hasMore: true });
  expect(indexer.indexNext()).toEqual({ indexed: 1, hasMore: false });
});

test('the check finds what came in below, and forgets what is gone', () => {
  add('b1', 'heron');
  add('b2', 'heron');
  work();
  add('a1', 'heron');
  alerts.exec("DELETE FROM alerts WHERE id = 'b1'");
  work();
  expect(found('heron')).toEqual(['b1', 'b2']);
  check();
  expect(found('heron').toSorted()).toEqual(['a1', 'b2']);
  check();
  expect(found('heron').toSorted()).toEqual(['a1', 'b2']);
});

const isLeft = (number: number) => number === 2_500 || number > 6_000;

test('the check forgets many that are gone, some in each step, and loses none between them', () => {
  const ids = Array.from({ length: 6_500 }, (_, number) => `a${String(number).padStart(4, '0')}`);
  for (const id of ids) add(id, 'heron');
  work();
  for (const [number, id] of ids.entries())
    if (!isLeft(number)) alerts.prepare('DELETE FROM alerts WHERE id = ?').run(id);
  add('a2500b', 'heron');
  let before = ids.length;
  for (const _ of indexer.startCheck()) {
    const left = found('heron').length;
    expect(before - left).toBeLessThanOrEqual(2_000);
    before = left;
  }
  const left = ids.filter((_, number) => isLeft(number));
  expect(found('heron').toSorted()).toEqual([...left, 'a2500b'].toSorted());
});

test('what arrives while the check goes on is indexed before its end', () => {
  for (let number = 0; number < 7_000; number += 1) add(`a${String(number).padStart(4, '0')}`, 'heron');
  work();
  let news = 0;
  let [steps, foundAfter] = [0, 0];
  for (const _ of checkAndIndex(indexer, () => news)) {
    steps += 1;
    if (steps === 1) {
      add('b1', 'nightjar');
      news += 1;
    }
    if (foundAfter === 0 && found('nightjar').length > 0) foundAfter = steps;
  }
  expect(foundAfter).toBe(2);
  expect(steps).toBe(5);
});

test('finds notes, no longer those that are gone, and those that the check finds', () => {
  for (const id of ['a1', 'a2']) add(id, 'heron');
  work();
  note('a1', 'Archive cleared');
  indexer.retitle(['a1']);
  expect([found('archive'), found('heron')]).toEqual([['a1'], ['a1', 'a2']]);
  note('a1', null);
  indexer.retitle(['a1']);
  expect(found('archive')).toEqual([]);
  note('a2', 'Watching it');
  check();
  expect(found('watching')).toEqual(['a2']);
});
