import { screen } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DesktopBridge } from '#electron/contract.ts';
import type { ServerState } from '#electron/contract/server-choice.ts';
import { DesktopAddressAdvice } from '#renderer/desktop/desktop-address-advice.tsx';
import { LocalAddressAdvice } from '#renderer/ui/local-address-advice.ts';
import { LocalAddressNote } from '#renderer/ui/local-address-note.tsx';

const changeServer = vi.fn<() => Promise<undefined>>(async () => undefined);

/** Draws the note; in the desktop app where a state of its server is given. */
async function draw(server?: Partial<ServerState>): Promise<HTMLElement> {
  const bridge = { on: () => () => undefined, getServerState: async () => server, changeServer };
  const advice = server && <DesktopAddressAdvice desktop={bridge as unknown as DesktopBridge} />;
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  root.render(
    <LocalAddressAdvice value={advice}>
      <LocalAddressNote />
    </LocalAddressAdvice>,
  );
  return screen.findByRole('note');
}

const HERE: Partial<ServerState> = {
  choice: { kind: 'this-computer' },
  isManaged: false,
  isShared: false,
  sharedAddresses: [],
};

test('in a browser the note names the server’s settings', async () => {
  expect(await draw()).toHaveTextContent(/^Other machines cannot reach .*set HOST and PUBLIC_URL on the server/);
});

test('in the desktop app it names its switch, and leads there', async () => {
  changeServer.mockClear();
  const note = await draw(HERE);
  expect(await screen.findByText(/turn on “Share on this network” in the app’s server settings/)).toBeVisible();
  expect(note).not.toHaveTextContent('PUBLIC_URL');
  await userEvent.click(screen.getByRole('button', { name: 'Change server…' }));
  expect(changeServer).toHaveBeenCalledOnce();
});

test('a shared server is named by the address that others reach; a team server has its own settings', async () => {
  await draw({ ...HERE, isShared: true, sharedAddresses: ['http://192.168.1.20:4400'] });
  expect(await screen.findByText('http://192.168.1.20:4400')).toBeVisible();
  await draw({ ...HERE, choice: { kind: 'team-server', url: 'http://localhost:4400' } });
  expect(await screen.findByText('PUBLIC_URL')).toBeVisible();
});
