/** The moment at which an id of ours was made, a UUIDv7, in milliseconds since the epoch; of another text nothing that has a meaning. */
export const momentOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
