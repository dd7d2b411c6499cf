/**
 * Text that is known to be JSON already. Payloads go into answers as they were received (contract.md section 3), so
 * what holds them is put together as text instead of being parsed and written anew.
 */
export type JsonText = string & { readonly __json: unique symbol };

/** Declares that `text` is JSON. Only presenters, and whoever checked a text by parsing it, may say so. */
export const jsonText = (text: string): JsonText => text as JsonText;

/** The JSON array of texts that are JSON themselves. */
export const jsonArray = (items: JsonText[]): JsonText => jsonText(`[${items.join(',')}]`);
