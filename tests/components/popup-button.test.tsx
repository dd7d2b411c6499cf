import { PopupKind } from '@blueprintjs/core';
import { screen } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';

const Content = () => <p>The popup</p>;

test('a popup that comes late does not open over what is typed by then', async () => {
  const { promise, resolve } = Promise.withResolvers<ComponentType<object>>();
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  onTestFinished(() => root.unmount());
  root.render(
    <>
      <input aria-label="Search" />
      <PopupButton
        placement="bottom"
        popupKind={PopupKind.DIALOG}
        button={{ text: 'Filter' }}
        load={() => promise}
        content={{}}
      />
    </>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Filter' }));
  await user.click(screen.getByRole('textbox', { name: 'Search' }));
  resolve(Content);
  await import('#renderer/ui/popup-button/opened-popup.tsx');
  await user.keyboard('disk');
  expect(screen.getByRole('textbox', { name: 'Search' })).toHaveFocus();
  expect(screen.getByRole('textbox', { name: 'Search' })).toHaveValue('disk');
  expect(screen.queryByText('The popup')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Filter' }));
  expect(await screen.findByText('The popup')).toBeVisible();
});
