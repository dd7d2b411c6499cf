import type { Delivery } from '#backend/contract/delivery.ts';
import { SENDERS } from '#backend/contract/sender-marks.ts';
import type { Source } from '#backend/contract/source.ts';
import { isEmail } from '#renderer/features/sources/shown/is-email.ts';
import { formatBytes } from '#renderer/features/sources/shown/amounts.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';

/** One thing that is checked of a request, and whether it was right. */
export interface Check {
  name: 'Address' | 'Method' | 'Credential' | 'Body';
  isRight: boolean;
  text: string;
}

type Request = Pick<Delivery, 'method' | 'path' | 'way' | 'summary' | 'size' | 'sender' | 'body'>;

/** How a request named its source, as the settings call it. */
const METHODS: Record<Delivery['way'], string> = {
  key: sourceTexts.apiKeyInHeader,
  basic: texts.basicAuthentication,
  token: sourceTexts.tokenInAddress,
  test: texts.test,
  replay: texts.replay,
  none: texts.noApiKeyAndNo,
};

/** The four checks of a refused request; the first that was wrong has the reason. */
export function refusalChecks(request: Request, auth: Source['settings']['auth']): Check[] {
  const { method, path, way, summary, size, sender, body } = request;
  const isMethodOn = way === 'key' || way === 'basic' || way === 'token' ? auth[way] : way !== 'none';
  const isBodyWrong =
    /not json|body of|too large|media type|nested|message (?:cannot be|is larger)|at the moment/i.test(summary);
  const isSecretWrong = !isBodyWrong && isMethodOn;
  const looks = sender === null ? '' : texts.looksLike(SENDERS[sender].name);
  return [
    { name: texts.address, isRight: true, text: isEmail(request) ? pageTexts.email : `${method} ${path}` },
    {
      name: texts.method,
      isRight: isMethodOn || isBodyWrong,
      text: way === 'none' ? METHODS.none : texts.methodTurned(METHODS[way], isMethodOn),
    },
    {
      name: texts.credential,
      isRight: !isSecretWrong,
      text: isSecretWrong ? summary : isMethodOn ? texts.known : texts.notChecked,
    },
    {
      name: texts.body,
      isRight: !isBodyWrong,
      text: isBodyWrong ? summary : `${formatBytes(size)}${isJson(body) ? texts.ofJson : ''}${looks}`,
    },
  ];
}

function isJson(body: string | null): boolean {
  try {
    JSON.parse(body ?? '');
    return true;
  } catch {
    return false;
  }
}
