import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { copyText } from '#renderer/ui/copy-text.ts';
import { lazyIcon } from './lazy-icon.tsx';
import type { ActionContext, AlertAction } from './action.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';

/** Copies the addresses of alerts, a line each. */
function copyLinks(ids: readonly string[], { toasts }: ActionContext): void {
  const lines = ids.map((id) => new URL(pathOfAlert(id), window.location.origin).href);
  void copyText(lines.join('\n'), toasts);
}

/** Copies an alert's address, for members with access to it. */
export const COPY_LINK: AlertAction = {
  id: 'copy-link',
  label: common.copyLink,
  key: 'y',
  group: texts.look,
  Icon: lazyIcon(async () => {
    const { LinkIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  lists: ['inbox', 'queue', 'snoozed'],
  isOffered: () => true,
  run: ({ id }, context) => copyLinks([id], context),
  many: copyLinks,
};
