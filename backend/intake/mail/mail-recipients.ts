import type { DeliveryLog } from '#backend/intake/delivery-log/delivery-log.ts';
import { mask } from '#backend/intake/reading/mask-secret.ts';
import { reasonAgainst } from '#backend/intake/sources/credentials.ts';
import { LOCAL_PART } from '#backend/intake/sources/mail-address.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { withPatienceToTheEnd } from '#backend/platform/database/patience.ts';
import { noMailbox } from './mail-answers.ts';
import { type IncomingMail, type MailRecipient, loggedRefusal } from './take-mail.ts';

/** Finds whose an address is. */
export interface MailRecipients {
  /**
   * The source of an address.
   *
   * @param mail what is known of the email so far
   * @throws {MailError} 550 when there is none, or it does not accept emails; the log says why
   */
  find(address: string, mail: IncomingMail): Promise<MailRecipient>;
}

/** Finds sources by their addresses at this domain, whatever the case of the letters. */
export function createMailRecipients({
  sources,
  deliveryLog,
  domain,
}: {
  sources: Pick<SourceRegistry, 'findByMail' | 'lookUpMail'>;
  deliveryLog: DeliveryLog;
  domain: string;
}): MailRecipients {
  return {
    async find(address, mail) {
      const at = address.lastIndexOf('@');
      const localPart = address.slice(0, Math.max(at, 0)).toLowerCase();
      if (address.slice(at + 1).toLowerCase() !== domain || !LOCAL_PART.test(localPart)) throw noMailbox();
      if (!sources.findByMail(localPart)) await withPatienceToTheEnd(() => sources.lookUpMail());
      const found = sources.findByMail(localPart);
      if (!found) {
        deliveryLog.add({ ...ofStranger(mail, localPart), summary: 'The address belongs to no source' });
        throw noMailbox();
      }
      const recipient = { found, localPart };
      const reason = reasonAgainstMail(recipient, mail.receivedAt);
      if (reason === undefined) return recipient;
      deliveryLog.add(loggedRefusal(mail, recipient, reason));
      throw noMailbox('refused');
    },
  };
}

/** Why a source does not accept an email, for its operators. */
function reasonAgainstMail({ found }: MailRecipient, now: number): string | undefined {
  if (found.source.settings.auth.signature !== null) {
    return 'Requests of this source must be signed, which an email is not';
  }
  return reasonAgainst(found, 'token', now);
}

function ofStranger(mail: IncomingMail, localPart: string) {
  const logged = loggedRefusal(mail, undefined, '');
  return { ...logged, maskedKey: mask(localPart), secrets: [localPart] };
}
