import { screen, waitFor } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';

/** The entry of a person: of a menu, which is a list to search from eight people on. */
export async function findPerson(name: string): Promise<HTMLElement> {
  const found = await screen.findByText(name, { selector: '[role="menuitem"] *, [role="option"] *' });
  return found.closest<HTMLElement>('[role="menuitem"], [role="option"]') ?? found;
}

/** Chooses a person of such a menu. */
export const choosePerson = async (user: UserEvent, name: string): Promise<void> => user.click(await findPerson(name));

/** Opens such a menu by its button, and chooses a person of it. Resolves once the menu is gone. */
export async function choosePersonBy(user: UserEvent, button: string, name: string): Promise<void> {
  await user.click(screen.getByRole('button', { name: button }));
  const entry = await findPerson(name);
  const popup = entry.closest('.bp6-popover');
  await user.click(entry);
  await waitFor(() => expect(popup).not.toBeInTheDocument());
}
