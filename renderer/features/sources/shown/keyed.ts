/** A list whose entries differ by their place alone, with that as their key. */
export const keyed = <Item>(items: readonly Item[]): { key: string; item: Item }[] =>
  items.map((item, place) => ({ key: String(place), item }));
