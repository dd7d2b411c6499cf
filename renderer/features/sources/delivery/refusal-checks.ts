import type { Delivery } from '#backend/contract/delivery.ts';
import { SENDERS } from '#backend/contract/sender.ts';
import type { Source } from '#backend/contract/source.ts';
import { isEmail } from '#renderer/features/sources/shown/is-email.ts';
import { formatBytes } from '#renderer/features/sources/shown/amounts.ts';

/** One thing that is checked of a request, and whether it was right. */
export interface Check {
  name: 'Address' | 'Method' | 'Credential' | 'Body';
  isRight: boolean;
  text: string;
}

type Request = Pick<Delivery, 'method' | 'path' | 'way' | 'summary' | 'size' | 'sender' | 'body'>;

/** How a request named its source, as the settings call it. */
const METHODS: Record<Delivery['way'], string> = {
  key: 'API key in a header',
  basic: 'Basic authentication',
  token: 'Token in the address',
  test: 'Test',
  replay: 'Replay',
  none: 'No API key and no token',
};

/** The four checks of a refused request; the first that was wrong has the reason. */
export function refusalChecks(request: Request, auth: Source['settings']['auth']): Check[] {
  const { method, path, way, summary, size, sender, body } = request;
  const isMethodOn = way === 'key' || way === 'basic' || way === 'token' ? auth[way] : way !== 'none';
  const isBodyWrong =
    /not json|body of|too large|media type|nested|message (?:cannot be|is larger)|at the moment/i.test(summary);
  const isSecretWrong = !isBodyWrong && isMethodOn;
  const looks = sender === null ? '' : `, looks like ${SENDERS[sender].name}`;
  return [
    { name: 'Address', isRight: true, text: isEmail(request) ? 'Email' : `${method} ${path}` },
    {
      name: 'Method',
      isRight: isMethodOn || isBodyWrong,
      text: way === 'none' ? METHODS.none : `${METHODS[way]}, turned ${isMethodOn ? 'on' : 'off'}`,
    },
    {
      name: 'Credential',
      isRight: !isSecretWrong,
      text: isSecretWrong ? summary : isMethodOn ? 'Known' : 'Not checked',
    },
    {
      name: 'Body',
      isRight: !isBodyWrong,
      text: isBodyWrong ? summary : `${formatBytes(size)}${isJson(body) ? ' of JSON' : ''}${looks}`,
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
