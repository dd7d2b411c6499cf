/**
 * What crosses between a page and the main process, as text: everything that structured cloning takes, and nothing else.
 * The two functions are also written into pages as they stand, so they use nothing from outside of themselves.
 *
 * @param functionId gives functions a number, where those may cross (between two worlds of one page)
 */
export function encode(value: unknown, functionId?: (value: object) => number): string {
  const pack = (one: unknown): unknown => {
    if (one === null || typeof one === 'string' || typeof one === 'boolean') return ['p', one];
    if (one === undefined) return ['u'];
    if (typeof one === 'number') return Number.isFinite(one) ? ['p', one] : ['n', String(one)];
    if (typeof one === 'bigint') return ['b', String(one)];
    if (typeof one === 'function' && functionId) return ['f', functionId(one)];
    if (typeof one !== 'object') throw new DOMException('An object could not be cloned.', 'DataCloneError');
    if (one instanceof Date) return ['d', one.getTime()];
    if (one instanceof Map) return ['m', [...one].map(([key, item]) => [pack(key), pack(item)])];
    if (one instanceof Set) return ['s', [...one].map((item) => pack(item))];
    if (one instanceof Uint8Array) return ['x', [...one]];
    if (one instanceof Error) return ['e', one.name, one.message];
    if (Array.isArray(one)) return ['a', one.map((item) => pack(item))];
    return ['o', Object.entries(one).map(([key, item]) => [key, pack(item)])];
  };
  return JSON.stringify(pack(value));
}

/** The value that {@link encode} wrote. @param functionOf makes the function that a number stands for */
export function decode(text: string, functionOf?: (id: number) => unknown): unknown {
  const unpack = (packed: unknown): unknown => {
    const [kind, first, second] = packed as [string, unknown, unknown];
    const list = first as unknown[];
    if (kind === 'u') return undefined;
    if (kind === 'n') return Number(first);
    if (kind === 'b') return BigInt(first as string);
    if (kind === 'f') return functionOf?.(first as number);
    if (kind === 'd') return new Date(first as number);
    if (kind === 'm')
      return new Map(list.map((pair) => (pair as unknown[]).map((item) => unpack(item)) as [unknown, unknown]));
    if (kind === 's') return new Set(list.map((item) => unpack(item)));
    if (kind === 'x') return new Uint8Array(list as number[]);
    if (kind === 'e') return Object.assign(new Error(second as string), { name: first });
    if (kind === 'a') return list.map((item) => unpack(item));
    if (kind === 'o')
      return Object.fromEntries(list.map((pair) => [(pair as [string])[0], unpack((pair as unknown[])[1])]));
    return first;
  };
  return unpack(JSON.parse(text));
}
