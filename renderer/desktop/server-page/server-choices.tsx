import { Button, InputGroup, Switch } from '@blueprintjs/core';
import { DesktopIcon, ExchangeIcon, PeopleIcon } from '@blueprintjs/icons';
import { type FormEvent, useState } from 'react';
import type { DesktopBridge } from '#electron/contract.ts';
import type { ServerChoice, ServerState } from '#electron/contract/server-choice.ts';
import { FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import { passFocus } from '#renderer/ui/pass-focus.ts';
import * as texts from './texts.ts';
import * as styles from './server-page.module.css';

/** The two kinds of server to choose from. */
export function ServerChoices({ server, desktop }: { server: ServerState; desktop: DesktopBridge }) {
  const isHere = server.choice?.kind === 'this-computer';
  return (
    <>
      {server.knownServers.length > 1 && <KnownServers server={server} desktop={desktop} />}
      <section className={styles.card} aria-labelledby="ad-this-computer">
        <h2 id="ad-this-computer" className={styles.title}>
          <DesktopIcon /> {texts.chooseThisComputer}
        </h2>
        <p className={styles.text}>{texts.thisComputerHint}</p>
        {isHere && <Share server={server} desktop={desktop} />}
        <div className={styles.actions}>
          <Button
            intent={isHere ? 'none' : 'primary'}
            text={isHere ? texts.keepUsingThisComputer : texts.chooseThisComputer}
            onClick={() => void (isHere ? desktop.keepServer() : desktop.chooseServer({ kind: 'this-computer' }))}
          />
        </div>
      </section>
      <TeamServer server={server} desktop={desktop} />
    </>
  );
}

/** The list goes when one server is left: the focus goes on to the choice behind it. */
const leaveFocus = passFocus((list) => list.nextElementSibling?.querySelector('button'));

/** The servers that were used before, to switch to with one click. */
function KnownServers({ server, desktop }: { server: ServerState; desktop: DesktopBridge }) {
  return (
    <section ref={leaveFocus} className={styles.card} aria-labelledby="ad-known-servers">
      <h2 id="ad-known-servers" className={styles.title}>
        <ExchangeIcon /> {texts.yourServers}
      </h2>
      <ul ref={keepFocus} className={styles.knownServers}>
        {server.knownServers.map((known) => {
          const name = nameOf(known);
          const isInUse = name === (server.choice && nameOf(server.choice));
          return (
            <li key={name} className={styles.knownServer}>
              <span className={styles.knownServerName}>{name}</span>
              {isInUse ? (
                <>
                  <span className={styles.knownServerUse}>{texts.inUse}</span>
                  <Button
                    text={texts.goBack}
                    aria-label={texts.goBackTo(name)}
                    onClick={() => void desktop.keepServer()}
                  />
                </>
              ) : (
                <>
                  <Button
                    variant="minimal"
                    text={texts.forget}
                    aria-label={texts.forgetServer(name)}
                    onClick={() => void desktop.forgetServer(known)}
                  />
                  <Button
                    text={texts.switchServer}
                    aria-label={texts.switchTo(name)}
                    onClick={() => void desktop.chooseServer(known)}
                  />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const nameOf = (choice: ServerChoice): string =>
  choice.kind === 'this-computer' ? texts.thisComputer : new URL(choice.url).host;

/** Says what sharing exposes before it is switched on. */
function Share({ server, desktop }: { server: ServerState; desktop: DesktopBridge }) {
  const [isBusy, setBusy] = useState(false);
  const change = async (isShared: boolean) => {
    setBusy(true);
    await desktop.shareServer(isShared).finally(() => setBusy(false));
  };
  return (
    <div className={styles.share}>
      <Switch
        label={texts.shareOnThisNetwork}
        checked={server.isShared}
        disabled={isBusy}
        onChange={({ currentTarget }) => void change(currentTarget.checked)}
        aria-describedby="ad-share-words"
      />
      <p id="ad-share-words" className={styles.hint}>
        {texts.shareHint}
      </p>
      {server.isShared && (
        <ul className={styles.addresses} aria-label={texts.addressesForOthers}>
          {server.sharedAddresses.map((address) => (
            <li key={address}>{address}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function TeamServer({ server, desktop }: { server: ServerState; desktop: DesktopBridge }) {
  const current = server.choice?.kind === 'team-server' ? server.choice.url : '';
  const [url, setUrl] = useState(current);
  const [problem, setProblem] = useState<string>();
  const connect = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    try {
      await desktop.chooseServer({ kind: 'team-server', url });
    } catch (error) {
      // Electron puts the channel's name before what was thrown.
      setProblem(error instanceof Error ? error.message.replace(/^.*chooseServer: /, '') : String(error));
    }
  };
  return (
    <section className={styles.card} aria-labelledby="ad-team-server">
      <h2 id="ad-team-server" className={styles.title}>
        <PeopleIcon /> {texts.connectToTeamServer}
      </h2>
      <p className={styles.text}>{texts.yourTeamsServerHasAddress}</p>
      <form onSubmit={(event) => void connect(event)}>
        <FormField label={texts.serverAddress} hint={problem && <span role="alert">{problem}</span>}>
          {(ids) => (
            <InputGroup
              {...ids}
              value={url}
              onValueChange={setUrl}
              placeholder="https://alerts.example.com"
              spellCheck={false}
              autoCapitalize="none"
              aria-invalid={problem !== undefined}
            />
          )}
        </FormField>
        <div className={styles.actions}>
          {current !== '' && <Button text={texts.keepCurrentServer} onClick={() => void desktop.keepServer()} />}
          <Button type="submit" intent="primary" text={texts.connect} disabled={url.trim() === ''} />
        </div>
      </form>
    </section>
  );
}
