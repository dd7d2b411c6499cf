/**
 * Text that is known to be JSON already. Payloads go into answers exactly as they were received, so
 * what holds them is put together as text instead of being parsed and written again.
 */
export type JsonText = string & { readonly __json: unique symbol };

/** Declares that `text` is JSON. Only presenters, and whoever checked a text by parsing it, may say so. */
export const jsonText = (text: string): JsonText => text as JsonText;

/** The JSON array of texts that are JSON themselves. */
export const jsonArray = (items: JsonText[]): JsonText => jsonText(`[${items.join(',')}]`);

/**
 * The JSON array of items that come in groups: one text when there is one group, otherwise pieces of it, each made when it
 * is asked for. What goes wrong with the first two groups is thrown here, before anything is sent.
 */
export async function jsonArrayOf<Item>(
  groups: AsyncGenerator<Item[]>,
  present: (item: Item) => JsonText,
): Promise<JsonText | AsyncIterable<string>> {
  const first = await groups.next();
  if (first.done) return jsonArray([]);
  const second = await groups.next();
  if (second.done) return jsonArray(first.value.map(present));
  return piecesOf([first.value, second.value], groups, present);
}

async function* piecesOf<Item>(
  begin: Item[][],
  rest: AsyncGenerator<Item[]>,
  present: (item: Item) => JsonText,
): AsyncGenerator<string> {
  let before = '[';
  for (let group = begin.shift(); group; group = begin.shift() ?? (await rest.next()).value ?? undefined) {
    if (group.length === 0) continue;
    yield before + group.map(present).join(',');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
