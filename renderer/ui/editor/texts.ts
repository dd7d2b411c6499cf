export const copyOf = (name: string) => `${name}, copy`;
export const notCreated = (name: string) => `“${name}” was not created`;
export const notChanged = (name: string) => `“${name}” was not changed`;
