export const copyOf = (name: string) => `${name}, copy`;
