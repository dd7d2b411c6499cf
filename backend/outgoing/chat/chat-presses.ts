import { DestinationEntity, type Target, targetOf } from '#backend/outgoing/destinations/destination-entity.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import type { RenderedRequest } from '#backend/outgoing/destinations/kinds/kind.ts';
import { type HttpAnswer, type Post, TOTAL_MS } from '#backend/outgoing/destinations/post.ts';
import { waitAtMost } from '#backend/platform/database/repeat.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import * as mattermost from './mattermost-requests.ts';
import { type PressDeps, type Said, pressButton } from './press-button.ts';
import * as slack from './slack-requests.ts';

/** Takes presses of buttons, by whatever way they come. */
export interface ChatPresses {
  /** The destination of a button; undefined where there is none, or its secrets cannot be opened. */
  findTarget(destinationId: string): Promise<Target | undefined>;
  /** Does what a button of Slack says, and shows who pressed alone what did not work. Never throws. */
  pressSlack(target: Target, press: slack.SlackPress, ip: string): Promise<void>;
  /** @returns what only who pressed is shown */
  press(press: Parameters<typeof pressButton>[1]): Promise<Said>;
  /** Waits for presses that were acknowledged before they were done, a few seconds at most. */
  settle(): Promise<void>;
}

/** How long a server that stops waits for what Slack answers about presses, in milliseconds. */
const SETTLE_MS = 3_000;

/** Dependencies of presses of buttons. */
export interface ChatPressDeps extends Omit<PressDeps, 'emailOf'> {
  post: Pick<Post, 'send'>;
  logger: Logger;
}

export function createChatPresses({ post, logger, ...deps }: ChatPressDeps): ChatPresses {
  const send = (request: RenderedRequest): Promise<HttpAnswer> => post.send(request, AbortSignal.timeout(TOTAL_MS));
  const pressDeps: PressDeps = {
    ...deps,
    async emailOf(target, named) {
      if (named.service === 'slack') {
        return slack.readSlackUser((await send(slack.userRequest(target, named.account))).body, named);
      }
      const answer = await send(mattermost.userRequest(target, named.account));
      return answer.status === 200 ? mattermost.readMattermostUser(answer.body) : { email: undefined, name: undefined };
    },
  };
  const press: ChatPresses['press'] = (pressed) =>
    pressButton(pressDeps, pressed).catch((error: unknown) => {
      logger.error({ err: error, destination: pressed.target.id }, 'a button of a chat could not be pressed');
      return { text: 'Alertdesk could not do it just now. Press again in a moment.' };
    });
  const pressSlack: ChatPresses['pressSlack'] = async (target, { alertId, action, named }, ip) => {
    const said = await press({ target, alertId, action, named, ip });
    if (!said) return;
    try {
      const answer = await send(slack.ephemeralRequest(target, named.account, said));
      const status = KINDS[target.kind].statusOf?.(answer.status, answer.body) ?? answer.status;
      if (status !== 200) throw new Error(`Slack answered ${status}: ${answer.body.slice(0, 200)}`);
    } catch (error) {
      logger.warn({ err: error, destination: target.id }, 'who pressed a button could not be shown what came of it');
    }
  };
  const inFlight = new Set<Promise<void>>();
  return {
    async findTarget(destinationId) {
      const stored = await deps.database.reads.getRepository(DestinationEntity).findOneBy({ id: destinationId });
      if (!stored) return undefined;
      try {
        return targetOf(deps.sealing, stored);
      } catch (error) {
        logger.error({ err: error, destination: destinationId }, 'the secrets of a destination cannot be opened');
        return undefined;
      }
    },
    press,
    pressSlack(target, pressed, ip) {
      const pressing: Promise<void> = pressSlack(target, pressed, ip).finally(() => inFlight.delete(pressing));
      inFlight.add(pressing);
      return pressing;
    },
    settle: () => waitAtMost(SETTLE_MS, Promise.all(inFlight)),
  };
}
