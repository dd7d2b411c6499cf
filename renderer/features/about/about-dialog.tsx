import { Button, Dialog, DialogBody, Tag } from '@blueprintjs/core';
import { CrossIcon, GitRepoIcon, GlobeIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { PRODUCT_BUILD_DATE, PRODUCT_NAME, PRODUCT_VERSION } from '#backend/contract/product.ts';
import { productQuery } from '#renderer/lib/get-product.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './about-dialog.module.css';

interface AboutDialogProps {
  presence: DialogPresence;
  version?: string;
  kind?: 'Web' | 'Desktop';
  platform?: string;
  /** What opens the developer tools here. */
  devToolsKeys?: string;
  /** What only the desktop app has: its updates, its log. */
  children?: ReactNode;
  /** Where it leads; what the server says, unless there is none. */
  links?: ReactNode;
}

/** What the product is; the browser's answer unless the desktop app gives its own. */
export function AboutDialog(props: AboutDialogProps) {
  const { presence, kind = texts.web, version = PRODUCT_VERSION, platform = texts.webBrowser, children } = props;
  const { devToolsKeys = 'F12', links = <ServerLinks /> } = props;
  return (
    <Dialog {...presence} className={styles.about} aria-labelledby="ad-about-name">
      <DialogBody useOverflowScrollContainer={false}>
        <div className={styles.head}>
          <BrandMark size={36} />
          <div>
            <h2 id="ad-about-name" className={styles.name}>
              <span className="ad-hidden">{texts.about} </span>
              {PRODUCT_NAME}
            </h2>
            <div className={styles.version}>{texts.version(version)}</div>
          </div>
          <Tag minimal className={styles.kind}>
            {kind}
          </Tag>
          <Button variant="minimal" icon={<CrossIcon />} aria-label={pageTexts.close} onClick={presence.onClose} />
        </div>
        <dl className={styles.facts}>
          <dt>{texts.buildDate}</dt>
          <dd>{PRODUCT_BUILD_DATE}</dd>
          <dt>{texts.platform}</dt>
          <dd>{platform}</dd>
        </dl>
        {children}
        <p className={styles.hint}>{texts.pressToOpenDevTools(<kbd className="ad-kbd">{devToolsKeys}</kbd>)}</p>
      </DialogBody>
      <div className={styles.links}>{links}</div>
    </Dialog>
  );
}

/** The web version, and the source as far as the server says where that is. */
function ServerLinks() {
  const { data: product } = useQuery(productQuery);
  return (
    <>
      <AboutLink icon={<GlobeIcon />} text={texts.openWebVersion} href={window.location.origin} />
      {product && <SourceLink href={product.sourceUrl} />}
    </>
  );
}

/** Leads to where the product's source is. */
export const SourceLink = ({ href }: { href: string }) => (
  <AboutLink icon={<GitRepoIcon />} text={texts.sourceRepository} href={href} />
);

function AboutLink({ icon, text, href }: { icon: ReactElement; text: string; href: string }) {
  return (
    <a className={styles.link} href={href} target="_blank" rel="noopener noreferrer">
      {icon}
      {text}
    </a>
  );
}
