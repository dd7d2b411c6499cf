import { type ComponentType, createElement } from 'react';
import type { AlertAction, ChoicesProps } from './action.ts';
import { ACTIONS } from './action-table.ts';

const loaded = new Map<AlertAction['loadChoices'], ComponentType<ChoicesProps>>();

/** Fetches the choices of all actions, so that menus can draw them at once. Rejects when one cannot be fetched. */
export async function loadAllChoices(): Promise<void> {
  await Promise.all(ACTIONS.map(loadChoicesOf));
}

async function loadChoicesOf({ loadChoices }: AlertAction): Promise<void> {
  if (loadChoices) loaded.set(loadChoices, await loadChoices());
}

/** The menu from which an action's change is chosen; {@link loadAllChoices} came before. */
export function Choices({ action, ...props }: ChoicesProps & { action: AlertAction }) {
  const part = loaded.get(action.loadChoices);
  return part ? createElement(part, props) : null;
}
