import { expect, test } from 'vitest';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import {
  addDetails,
  addTags,
  keep,
  mergeCreated,
  readFields,
  removeDetails,
  removeTags,
  setField,
} from './opsgenie-payload.ts';

const NEWEST = jsonText('{"message":"One","big":820982911946154508,"tags":["a"],"details":{"n":1.10,"x":"X"}}');

test('a change of a payload leaves every other byte of it as it is', () => {
  expect(keep(NEWEST)).toBe(NEWEST);
  expect(addTags(['a'])(NEWEST)).toBe(NEWEST);
  expect(addTags(['b', 'b'])(NEWEST)).toBe(NEWEST.replace('["a"]', '["a","b"]'));
  expect(removeTags(['a'])(NEWEST)).toBe(NEWEST.replace('["a"]', '[]'));
  expect(addDetails('{"x":"Y","z":2.50}')(NEWEST)).toBe(NEWEST.replace('"x":"X"', '"x":"Y","z":2.50'));
  expect(removeDetails(['x'])(NEWEST)).toBe(NEWEST.replace(',"x":"X"', ''));
  expect(setField('message', 'Two')(NEWEST)).toBe(NEWEST.replace('One', 'Two'));
  expect(setField('message', 'x'.repeat(2 * 1024 * 1024))(NEWEST)).toBe(NEWEST);
});

test('what is created again says what it says now, and keeps tags and details that were added', () => {
  const again = jsonText('{"message":"Two","tags":["b"],"details":{"x":"Z"}}');
  expect(mergeCreated(again)(NEWEST)).toBe(
    '{"message":"Two","big":820982911946154508,"tags":["a","b"],"details":{"n":1.10,"x":"Z"}}',
  );
});

test('fields are read of a created alert and of Opsgenie’s webhook', () => {
  expect(readFields('{"action":"Create","alert":{"alias":"a","message":"M","tags":["x"," y "]}}')).toMatchObject({
    alias: 'a',
    message: 'M',
    tags: ['x', 'y'],
  });
  expect(readFields('{"details":{"a":1,"b":{"c":2}},"tags":"no"}')).toMatchObject({
    details: { a: '1', b: '{"c":2}' },
    tags: [],
  });
  expect(readFields('[]')).toMatchObject({ alias: '', details: {} });
});
