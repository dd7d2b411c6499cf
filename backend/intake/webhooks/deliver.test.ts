import { describe, expect, test } from 'vitest';
import { readRequest } from '#tests/support/incoming-events.ts';

/** The only alert of a body. */
const read = (body: unknown, target?: string) =>
  readRequest(typeof body === 'string' ? body : JSON.stringify(body), target);

describe('the customer', () => {
  test.each([
    [{ customer: ' Nordwind ' }, 'Nordwind'],
    [{ Customer: 'B', customerName: 'C' }, 'B'],
    [{ customer: '  ', customerName: 'C' }, 'C'],
    [{ customer: { name: 'Kestrel Health', id: 7 } }, 'Kestrel Health'],
    [{ customer: { id: 7 }, Customer: 'Next' }, 'Next'],
    [{ customer: 42 }, '42'],
    [{ customer: 0 }, '0'],
    [{ customer: null }, null],
    [{ customer: true }, null],
    [{ customer: ['A'] }, null],
    [{ CUSTOMER: 'not one of the three' }, null],
    [{ customer: { name: '' }, customerName: { name: 'C' } }, 'C'],
    [{ customer: { name: { name: 'deeper' } } }, null],
    [{ nested: { customer: 'inner' } }, null],
    [['an array'], null],
  ])('of %j is %j', (body, customer) => {
    expect(read(body).customer).toBe(customer);
  });

  test('keeps every digit of a number', () => {
    expect(read('{"customer":12345678901234567890123}').customer).toBe('12345678901234567890123');
    expect(read('{"customer":{"name":1e400}}').customer).toBe('1e400');
    expect(read('{"customer":-0.0}').customer).toBe('0');
    expect(read(`{"customer":${'7'.repeat(500)}}`).customer).toBe('7'.repeat(200));
  });

  test('is cut at 200 characters, never within one', () => {
    expect(read({ customer: '💾'.repeat(201) }).customer).toBe('💾'.repeat(200));
    expect(read({ customer: `${'a'.repeat(199)} b` }).customer).toBe('a'.repeat(199));
  });

  test('is the last of several, and its key may be written with escapes', () => {
    expect(read('{"customer":"A","customer":"B"}').customer).toBe('B');
    expect(read('{"customer":"A","customer":null}').customer).toBeNull();
    expect(read('{"\\u0063ustome\\u0072":{"\\u006eame":"A","name":"\\u0042"}}').customer).toBe('B');
  });

  test('holds no half characters', () => {
    expect(read('{"customer":"a\\ud800b"}').customer).toBe('a\ufffdb');
  });

  test('is the body’s own, not what every object inherits', () => {
    expect(read('{"__proto__":{"customer":"Mallory"}}').customer).toBeNull();
  });
});

describe('the alert type', () => {
  test.each([
    [{ type: 'd', 'alert type': 'c', alert_type: 'b', alertType: 'a' }, 'a'],
    [{ ALERTTYPE: 'shouted' }, 'shouted'],
    [{ Alert_Type: '', Type: 'issue' }, 'issue'],
    [{ type: 3 }, '3'],
    [{ type: { nested: true }, alert_type: null }, null],
    [{}, null],
  ])('of %j is %j', (body, type) => {
    expect(read(body).alertType).toBe(type);
  });
});

describe('the link', () => {
  test.each([
    [{ link: 'https://a.example/1', url: 'ftp://b.example' }, 'https://a.example/1'],
    [{ generatorURL: 'http://prometheus:9090/graph', externalURL: 'http://am:9093' }, 'http://am:9093'],
    [{ url: 'javascript:alert(1)' }, '/webhook?x=1'],
    [{ url: 'https://' }, '/webhook?x=1'],
    [{ url: `https://a.example/${'x'.repeat(8_000)}` }, '/webhook?x=1'],
    [{ url: 7 }, '/webhook?x=1'],
  ])('of %j is %j', (body, url) => {
    expect(read(body, '/webhook?x=1').url).toBe(url);
  });
});

describe('the payload', () => {
  test('is the text as received, white space around it aside', () => {
    expect(read(' {"b":1.0,"1":2,"b":3}\n').payload).toBe('{"b":1.0,"1":2,"b":3}');
  });

  test('counts levels outside texts only', () => {
    expect(read({ text: '[['.repeat(100) + '\\"{{' }).payload).toContain('[[');
    expect(() => read(`${'['.repeat(65)}${']'.repeat(65)}`)).toThrow('64 levels');
  });
});

describe('extra data', () => {
  test('takes each parameter once, however it is called', () => {
    const extra = read({}, '/webhook?__proto__=x&constructor=y&a=%00').extraData;
    expect(extra).toBe(String.raw`{"__proto__":"x","constructor":"y","a":"\u0000"}`);
  });

  test('takes each of thousands of parameters, and all values of one that comes again', () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `p${index}`);
    const extra = JSON.parse(
      read({}, `/webhook?${[...names, ...names].map((name) => `${name}=1`).join('&')}`).extraData,
    );
    expect(Object.keys(extra)).toEqual(names);
    expect(extra).toMatchObject({ p0: ['1', '1'], p2999: ['1', '1'] });
  });

  test('keeps the body’s own as it was sent, whose fields count before parameters', () => {
    expect(read('{"extraData": {"n": 1.10, "a":[1e400] }}').extraData).toBe('{"n": 1.10, "a":[1e400] }');
    expect(read('{"extraData":{"\\u0061":1.0,"c":{}}}', '/webhook?a=1&b=2').extraData).toBe(
      '{"b":"2","\\u0061":1.0,"c":{}}',
    );
    expect(read('{"extraData":{ }}', '/webhook?a=1').extraData).toBe('{"a":"1"}');
    expect(read('{"extraData":{"a":1},"extraData":{"b":2}}').extraData).toBe('{"b":2}');
  });

  test('is empty when nothing came', () => {
    expect(read({ extraData: 'not an object' }).extraData).toBe('{}');
  });
});
