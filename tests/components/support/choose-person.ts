import { screen } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';

/** The entry of a person: of a menu, which is a list to search from eight people on. */
export async function findPerson(name: string): Promise<HTMLElement> {
  const found = await screen.findByText(name, { selector: '[role="menuitem"] *, [role="option"] *' });
  return found.closest<HTMLElement>('[role="menuitem"], [role="option"]') ?? found;
}

/** Chooses a person of such a menu. */
export const choosePerson = async (user: UserEvent, name: string): Promise<void> => user.click(await findPerson(name));
