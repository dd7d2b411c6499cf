import { afterEach, expect, test, vi } from 'vitest';
import { mysqlDialect } from './dialect.ts';

afterEach(() => vi.restoreAllMocks());

test('on MySQL many rows are written in their order by few statements of few lengths', async () => {
  const lengths = new Set<number>();
  const run = vi.spyOn(mysqlDialect, 'runPrepared').mockResolvedValue(undefined);
  for (let count = 0; count <= 600; count += 1) {
    run.mockClear();
    const rows = Array.from({ length: count }, (_, at) => [at, `row ${at}`]);
    await mysqlDialect.runRows({} as never, (length) => `${length} rows`, rows);
    expect(run.mock.calls.flatMap(([, , values]) => values)).toEqual(rows.flat());
    for (const [, sql, values] of run.mock.calls) {
      expect(sql).toBe(`${values.length / 2} rows`);
      lengths.add(values.length / 2);
    }
    expect(run.mock.calls.length).toBeLessThanOrEqual(2 + Math.ceil(count / 128));
  }
  expect(lengths.size).toBeLessThanOrEqual(20);
});
