export const saveSecret = (what: string) => `Save this ${what} somewhere safe. You won't be able to see it again.`;
export const notCopied = (what: string) => `The ${what} has not been copied. Close anyway?`;
export const closeWithout = (what: string) => `Close without the ${what}`;
export const keepOpen = 'Keep open';
