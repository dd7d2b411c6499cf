import { describe, expect, it } from 'vitest';
import { ExactNumber, parseJson } from './parse-json.ts';

describe('parseJson', () => {
  it('reads JSON as JSON.parse does', () => {
    const text = '{"a":[1,-2.5,1e3,null,true,"x"],"b":{"c":1234567890123}}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each(['9007199254740993', '10000000000000000001', '-123456789012345678901', '1e400', '0.1234567890123456789'])(
    'keeps every digit of %s',
    (digits) => {
      const { value } = parseJson(`{"value": ${digits}}`) as { value: unknown };
      expect(value).toBeInstanceOf(ExactNumber);
      expect(String(value)).toBe(digits);
      expect(JSON.stringify({ value })).toBe(`{"value":${digits}}`);
    },
  );

  it.each(['9007199254740991', '1000000000000000000', '1.50', '1234567890123456e2', '0.10000000000000000000', '0e500'])(
    'makes a plain number of %s, which a double holds',
    (digits) => {
      expect(parseJson(`[${digits}]`)).toEqual([Number(digits)]);
    },
  );

  it('leaves long digits inside strings alone', () => {
    expect(parseJson('{"id":"10000000000000000001"}')).toEqual({ id: '10000000000000000001' });
  });

  it('throws on what is not JSON', () => {
    expect(() => parseJson('<html>')).toThrow(SyntaxError);
  });
});
