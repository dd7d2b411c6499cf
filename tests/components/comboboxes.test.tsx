import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ADMINISTRATOR, activeOption, findCard, findings, memberWithQueue, openPage } from './support/open-page.tsx';

/** What a field is to assistive technology, and how its list is opened. */
interface Case {
  name: string;
  role: 'combobox' | 'textbox';
  isExpanded: 'true' | null;
  field: RegExp;
  typed: string;
  prepare?: (user: UserEvent) => Promise<void>;
}

const openNote = async (user: UserEvent): Promise<void> => {
  await user.click(within(await findCard('Customer 8')).getByRole('link', { name: 'Title 8' }));
  await screen.findByRole('textbox', { name: 'Add a note' });
};
const openFilter = async (user: UserEvent): Promise<void> =>
  user.click(await screen.findByRole('button', { name: /^Customer(?! \d)/ }));

const CASES: readonly Case[] = [
  { name: 'the search', role: 'combobox', isExpanded: 'true', field: /Search alerts/, typed: 'status:' },
  {
    name: 'a mention in a note',
    role: 'textbox',
    isExpanded: null,
    field: /Add a note/,
    typed: '@',
    prepare: openNote,
  },
  {
    name: 'the command palette',
    role: 'combobox',
    isExpanded: 'true',
    field: /Command or folder/,
    typed: 'a',
    prepare: (user) => user.keyboard('{Control>}k{/Control}'),
  },
  {
    name: 'a filter of many',
    role: 'combobox',
    isExpanded: 'true',
    field: /Filter customers/,
    typed: 'customer',
    prepare: openFilter,
  },
];

test.each(CASES)(
  '$name names its list and the active option, moves in it by keys, and takes none with which a word is composed',
  async ({ role, isExpanded, field: name, typed, prepare }) => {
    const { app, mara } = await memberWithQueue();
    await app.addMember('Jonas Okafor');
    await app.clear();
    for (let number = 0; number < 9; number += 1)
      await app.post({ customer: `Customer ${number}`, title: `Title ${number}` });
    const user = await openPage(mara, '/');
    await findCard('Customer 8');
    await prepare?.(user);
    const field = await screen.findByRole<HTMLInputElement>(role, { name });
    await user.type(field, typed);
    const list = await screen.findByRole('listbox');
    const options = within(list).getAllByRole('option');
    const [first, second] = options;
    expect(field.getAttribute('aria-expanded')).toBe(isExpanded);
    expect(field).toHaveAttribute('aria-controls', list.id);
    expect(field).toHaveAttribute('aria-autocomplete', 'list');
    expect(list).toHaveAccessibleName();
    await waitFor(() => expect(activeOption(field)).toBe(first));
    expect(first).toHaveAttribute('aria-selected', 'true');

    await user.keyboard('{ArrowDown}');
    expect(activeOption(field)).toBe(second);
    expect(within(list).getAllByRole('option', { selected: true })).toEqual([second]);
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(activeOption(field)).toBe(options.at(-1));
    await user.keyboard('{ArrowDown}');
    expect(activeOption(field)).toBe(first);

    for (const key of ['ArrowDown', 'ArrowUp', 'PageDown', 'Enter', 'Tab', 'Escape']) {
      fireEvent.keyDown(field, { key, isComposing: true });
      fireEvent.keyDown(field, { key, keyCode: 229 });
    }
    expect(activeOption(field)).toBe(first);
    expect(field).toHaveValue(typed);
    expect(field).toHaveFocus();
    expect(await findings()).toEqual([]);
  },
);

/** Types what is nowhere, and expects the region, which was there before and said nothing, to say so. */
async function expectSaid(user: UserEvent, field: HTMLElement, around: HTMLElement, said: string): Promise<void> {
  const region = within(around).getByRole('status');
  expect(region).toBeEmptyDOMElement();
  await user.type(field, 'nowhere');
  await waitFor(() => expect(region).toHaveTextContent(said));
  expect(within(around).getByRole('status')).toBe(region);
}

test('a filter that finds nothing says so to screen readers: of a menu, of fields, of senders', async () => {
  const { app } = await memberWithQueue();
  await app.clear();
  for (let number = 0; number < 9; number += 1)
    await app.post({ customer: `Customer ${number}`, title: `Title ${number}` });
  const user = await openPage(ADMINISTRATOR, '/');
  await openFilter(user);
  const field = await screen.findByRole('combobox', { name: /Filter customers/ });
  const menu = field.closest<HTMLElement>('.menu__filteredMenu');
  await expectSaid(user, field, menu ?? field, 'Nothing found');
  await user.keyboard('{Escape}');

  await openNote(user);
  await expectSaid(user, screen.getByLabelText('Find in fields'), screen.getByRole('tabpanel'), 'No matching fields.');

  await openPage(ADMINISTRATOR, '/admin/sources/new');
  const senders = await screen.findByRole('region', { name: /Choose the sender/ });
  await expectSaid(user, screen.getByLabelText('Search senders'), senders, 'No sender of this name.');
});
