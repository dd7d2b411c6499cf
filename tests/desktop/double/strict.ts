/** What code that is not Electron's asks of any object; the rest must be there. */
const ASKED_OF_ANYTHING = new Set(['then', 'toJSON', 'constructor', 'prototype', 'inspect', 'default', '__esModule']);

/**
 * The same object, but a member that the double does not have is an error that names it, instead of `undefined`: a double must
 * not be silent about what it does not know.
 */
export function strict<T extends object>(name: string, target: T): T {
  const seen = new Proxy(target, {
    get(object, member) {
      if (typeof member === 'symbol' || member in object) {
        const value: unknown = Reflect.get(object, member, object);
        // Methods of a class reach its private members only from the object itself.
        return typeof value === 'function' && !Object.hasOwn(object, member) ? value.bind(object) : value;
      }
      if (ASKED_OF_ANYTHING.has(member) || member.startsWith('_')) return undefined;
      throw new Error(`The double of Electron has no ${name}.${member}.`);
    },
    set(object, member, value) {
      if (typeof member === 'string' && !(member in object)) {
        throw new Error(`The double of Electron has no ${name}.${member}.`);
      }
      return Reflect.set(object, member, value, object);
    },
  });
  proxies.set(target, seen);
  return seen;
}

const proxies = new WeakMap<object, object>();

/** The object as the app has it: the same one each time, so that it can be compared. */
export const asSeen = <T extends object>(target: T): T => (proxies.get(target) as T | undefined) ?? target;

/** A class whose instances are {@link strict}. */
export function strictClass<T extends new (...parameters: never[]) => object>(name: string, type: T): T {
  const made = new Proxy(type, {
    construct: (target, parameters, newTarget) =>
      strict(name, Reflect.construct(target, parameters, newTarget) as object),
  });
  return strict(name, made);
}
