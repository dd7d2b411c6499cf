export const loadingRows = (what: string) => `Loading ${what}…`;
