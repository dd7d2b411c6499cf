/** Deliveries that are selected, and where a range begins. */
export interface Selection {
  ids: ReadonlySet<string>;
  anchor: string | undefined;
}

export const EMPTY_SELECTION: Selection = { ids: new Set(), anchor: undefined };

/** The selection with one row turned on or off; with `isRange` every row between it and the anchor takes its new state. */
export function toggled(selection: Selection, rows: readonly string[], id: string, isRange: boolean): Selection {
  const isOn = !selection.ids.has(id);
  const from = isRange && selection.anchor !== undefined ? rows.indexOf(selection.anchor) : -1;
  const to = rows.indexOf(id);
  const changed = from === -1 || to === -1 ? [id] : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  const ids = new Set(selection.ids);
  for (const one of changed) {
    if (isOn) ids.add(one);
    else ids.delete(one);
  }
  return { ids, anchor: id };
}
