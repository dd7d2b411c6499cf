import { expect, it } from 'vitest';
import { splitMiddle } from './split-middle.ts';

it('leaves short addresses whole', () => {
  expect(splitMiddle('api.kestrelhealth.ex')).toEqual(['api.kestrelhealth.ex', '']);
});

it('keeps the end of a long one, from a separator when one is near', () => {
  expect(splitMiddle('nw-db-03.eu-central.nordwind.example:9100')).toEqual([
    'nw-db-03.eu-central.nordwind',
    '.example:9100',
  ]);
  expect(splitMiddle('github.com/bluepeak/meter-ingest/actions/runs/1234567')).toEqual([
    'github.com/bluepeak/meter-ingest/actions',
    '/runs/1234567',
  ]);
  expect(splitMiddle('example.com/aVeryLongNameWithoutAnySeparator')).toEqual([
    'example.com/aVeryLongNameWithoutAn',
    'ySeparator',
  ]);
});
