import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { z } from 'zod';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { type Hints, arbitraryOf } from './arbitrary-of.ts';
import type { RawRequest } from './send-raw.ts';
import { percentEncoded, unknownField, wildBody, wildHeaders, wildJson, wildSegment } from './wild.ts';

/** How far from what the endpoint takes: nothing, one part, or all of it. */
type Wildness = 'tame' | 'mixed' | 'wild';

/**
 * Requests to an endpoint, from its own schemas: right ones with unknown fields beside, wrong ones in one place, wrong
 * ones everywhere. A new endpoint needs nothing more than its schemas.
 */
export const requestTo = (endpoint: Endpoint, hints: Hints): Arbitrary<RawRequest> =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.constant<Wildness>('tame') },
      { weight: 3, arbitrary: fc.constant<Wildness>('mixed') },
      { weight: 1, arbitrary: fc.constant<Wildness>('wild') },
    )
    .chain((wildness) =>
      fc.record({
        method: fc.constant(endpoint.method),
        target: targetOf(endpoint, hints, wildness),
        headers: wildness === 'tame' ? fc.constant<[string, string][]>([]) : wildHeaders,
        body: endpoint.body ? bodyOf(endpoint.body, hints, wildness) : maybeSomeBody,
      }),
    )
    .filter(({ target, headers }) => target.length + headers.flat().join('').length < MAX_HEAD);

/** Of a longer head Node.js answers 431 and hangs up before the server sees anything. */
export const MAX_HEAD = 14_000;

/** A call that reads no body must not stumble over one. */
const maybeSomeBody = fc.option(wildBody, { nil: undefined, freq: 5 });

function targetOf({ path, params, query }: Endpoint, hints: Hints, wildness: Wildness): Arbitrary<string> {
  const tame = params ? arbitraryOf(params, hints) : fc.constant({});
  const places = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const address = fc
    .tuple(tame, fc.array(wildSegment, { minLength: places.length, maxLength: places.length }), isWild(wildness))
    .map(([values, segments, wild]) =>
      places.reduce((target, name, index) => {
        const value = (values as Record<string, unknown>)[name];
        const segment = wild ? (segments[index] ?? '') : percentEncoded(String(value));
        return target.replace(`:${name}`, () => segment);
      }, path),
    );
  return fc.tuple(address, queryOf(query, hints, wildness)).map(([target, text]) => target + (text && `?${text}`));
}

/** `a=1&b=2`, some of it twice, some unknown. */
function queryOf(schema: z.core.$ZodType | undefined, hints: Hints, wildness: Wildness): Arbitrary<string> {
  const known = (schema ? arbitraryOf(schema, hints) : fc.constant({})).map((values) =>
    Object.entries(values as object).map(([name, value]) => [name, percentEncoded(String(value))] as [string, string]),
  );
  const unknown = unknownField.map(([name, text]) => [percentEncoded(name), percentEncoded(text)] as [string, string]);
  return known.chain((pairs) =>
    fc
      .array(wildness === 'tame' ? unknown : fc.oneof(unknown, odd(pairs.map(([name]) => name))), { maxLength: 3 })
      .map((more) => [...pairs, ...more].map(([name, value]) => `${name}=${value}`).join('&')),
  );
}

/** A parameter that is there twice, has no value, or is none. */
const odd = (names: string[]) =>
  fc.tuple(fc.constantFrom('limit', 'before', '__proto__', 'a[b]', ...names), fc.oneof(wildSegment, fc.constant('')));

/** The body: the schema's fields with unknown ones among them, some field wild; or anything. */
function bodyOf(schema: z.core.$ZodType, hints: Hints, wildness: Wildness): Arbitrary<Buffer> {
  if (wildness === 'wild') return wildBody;
  return fc
    .tuple(arbitraryOf(schema, hints), fc.array(unknownField, { maxLength: 3 }), fc.nat(), wildJson)
    .map(([value, unknown, pick, wild]) => {
      const known = Object.entries(value as object).map(([name, field]) => [name, JSON.stringify(field)]);
      const spoilt = wildness === 'mixed' ? known[pick % (known.length || 1)] : undefined;
      if (spoilt) spoilt[1] = wild;
      const fields = [...unknown, ...known].map(([name = '', text = '']) => `${JSON.stringify(name)}:${text}`);
      return Buffer.from(`{${fields.join(',')}}`);
    });
}

const isWild = (wildness: Wildness): Arbitrary<boolean> =>
  wildness === 'mixed' ? fc.boolean() : fc.constant(wildness === 'wild');
