import { createTransport } from 'nodemailer';
import { type Random, createRandom } from './random.ts';
import { COMPANY, HOSTS, TROUBLES } from './world.ts';

/** An email of a monitoring system that can send nothing else. */
export interface DemoMail {
  subject: string;
  text?: string;
  html?: string;
  messageId: string;
  inReplyTo?: string;
}

/** Problems that emails report. */
const PROBLEMS = 4;

/** Words that monitoring systems begin a subject with. */
const LEVELS = { critical: 'CRITICAL', high: 'ERROR', warning: 'WARNING', low: 'WARNING' } as const;

const DOMAIN = `monitor.${COMPANY.slug}.example.org`;

/** Emails of a few problems: each begins, one is reported again by a reply, and every other one ends. */
export function writeMails(random: Random): DemoMail[] {
  const hosts = [...HOSTS];
  return Array.from({ length: PROBLEMS }, (_, index): DemoMail[] => {
    const trouble = random.pick(TROUBLES);
    const [host = HOSTS[0]] = hosts.splice(random.whole(0, hosts.length - 1), 1);
    const name = `${trouble.title} on ${host}`;
    const measured = `${trouble.metric} is ${trouble.high} ${trouble.unit}, and ${trouble.limit} is allowed.`;
    const id = (part: string) => `<${part}.${random.hex(12)}@${DOMAIN}>`;
    const begin: DemoMail = {
      subject: `${LEVELS[trouble.severity]}: ${name}`,
      messageId: id('problem'),
      ...(index % 2 === 0
        ? { text: `${name}\n\n${measured}\n` }
        : { html: `<h1>${name}</h1><p>${measured}</p><p><a href="https://${DOMAIN}/hosts/${host}">${host}</a></p>` }),
    };
    const reply: DemoMail = {
      subject: `Re: ${begin.subject}`,
      text: `Still so: ${measured}\n`,
      messageId: id('again'),
      inReplyTo: begin.messageId,
    };
    const end: DemoMail = {
      subject: `RESOLVED: ${name}`,
      text: `${trouble.metric} is ${trouble.low} ${trouble.unit} again.\n`,
      messageId: id('end'),
    };
    return [begin, ...(index === 0 ? [reply] : []), ...(index % 2 === 1 ? [end] : [])];
  }).flat();
}

/**
 * Sends the emails of a demo to the address of a source, one after the other.
 *
 * @returns what became of them, in one line
 */
export async function sendMails(
  where: { host: string; port: number; address: string },
  seed: number,
  signal: AbortSignal,
): Promise<string> {
  const transport = createTransport({ host: where.host, port: where.port, ignoreTLS: true });
  let sent = 0;
  for (const mail of writeMails(createRandom(seed))) {
    if (signal.aborted) break;
    try {
      await transport.sendMail({ from: `Monitoring <monitor@${DOMAIN}>`, to: where.address, ...mail });
    } catch (error) {
      return `${sent} emails were received, the next one was not: ${error instanceof Error ? error.message : String(error)}`;
    }
    sent += 1;
  }
  return `${sent} emails were received (250).`;
}
