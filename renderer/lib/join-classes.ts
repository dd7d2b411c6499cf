/** The class names of an element, without those that do not hold at the moment. */
export const joinClasses = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ');
