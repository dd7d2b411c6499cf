import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { alertListSchema } from '#backend/contract/alert.ts';
import {
  type Destination,
  type DestinationDraft,
  type DestinationChange,
  type NewDestination,
  type NewOutgoingRule,
  type OutgoingRule,
  type OutgoingRuleChange,
  destinationListSchema,
  destinationSchema,
  destinationWithSecretSchema,
  outgoingPreviewSchema,
  outgoingRuleListSchema,
  outgoingRuleSchema,
} from '#backend/contract/outgoing.ts';
import { outgoingTestResultSchema } from '#backend/contract/outgoing-test.ts';
import { type RulePreviewQuery, rulePreviewSchema } from '#backend/contract/outgoing-rule-preview.ts';
import { outgoingMessageListSchema, sendAgainResultSchema } from '#backend/contract/outgoing-receipt.ts';
import { apiGet, apiGetPage, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';

const DESTINATIONS = '/api/outgoing/destinations';
const RULES = '/api/outgoing/rules';

/** `GET /api/outgoing/destinations`. Read again whenever a page opens: health changes by itself. */
export const destinationsQuery = queryOptions({
  queryKey: [DESTINATIONS],
  queryFn: ({ signal }) => apiGet(DESTINATIONS, destinationListSchema, { signal }),
  refetchOnMount: 'always',
});

/** `GET /api/outgoing/rules`. */
export const rulesQuery = queryOptions({
  queryKey: [RULES],
  queryFn: ({ signal }) => apiGet(RULES, outgoingRuleListSchema, { signal }),
  refetchOnMount: 'always',
});

/** `GET /api/outgoing/messages`: what was not delivered to a destination. Read again with the destinations, by its key. */
export const undeliveredQuery = (destinationId: string) => {
  const path = `/api/outgoing/messages?${new URLSearchParams({ destinationId, state: 'not-delivered' })}`;
  return queryOptions({
    queryKey: [DESTINATIONS, destinationId, 'not-delivered'],
    queryFn: ({ signal }) => apiGet(path, outgoingMessageListSchema, { signal }),
    refetchOnMount: 'always',
  });
};

/** How many alerts a choice shows; typing leads to the others. */
const ALERTS_TO_TEST = 50;

/** `GET /api/alerts/all`: the newest alerts that a search finds, to try a destination with. */
export const testAlertsQuery = (search: string) => {
  const path = `/api/alerts/all?${new URLSearchParams(search === '' ? {} : { search })}`;
  return queryOptions({
    queryKey: ['/api/alerts/all', 'test', search],
    queryFn: ({ signal }) => apiGetPage(path, alertListSchema, { limit: ALERTS_TO_TEST, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
};

/** How long nothing must be written before a preview is made again, in milliseconds. */
export const PREVIEW_PAUSE_MS = 400;

/** `POST /api/outgoing/preview`: what a destination would be sent; the last good one stays while another is made. */
export const previewQuery = (draft: Partial<DestinationDraft>) =>
  queryOptions({
    queryKey: ['/api/outgoing/preview', draft],
    queryFn: () => apiSend('POST', '/api/outgoing/preview', { body: draft, schema: outgoingPreviewSchema }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** `GET /api/outgoing/rule-preview`: what a rule would have sent; the last one stays while another is counted. */
export const rulePreviewQuery = ({ search, events, destinationIds }: RulePreviewQuery) => {
  const path = '/api/outgoing/rule-preview';
  const pairs = [
    ['search', search],
    ...events.map((event) => ['events', event]),
    ...destinationIds.map((id) => ['destinationIds', id]),
  ];
  return queryOptions({
    queryKey: [path, pairs],
    queryFn: ({ signal }) => apiGet(`${path}?${new URLSearchParams(pairs)}`, rulePreviewSchema, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
};

const testDestination = (draft: Partial<DestinationDraft>) =>
  apiSend('POST', '/api/outgoing/test', { body: draft, schema: outgoingTestResultSchema });

/** Sends a test message to a destination as it is written. Throws an ApiError. */
export const useTestDestination = () => useMutation({ mutationFn: testDestination });

const pathOfDestination = (id: string): string => `${DESTINATIONS}/${encodeURIComponent(id)}`;
const pathOfRule = (id: string): string => `${RULES}/${encodeURIComponent(id)}`;

/** Changes of destinations and rules, each of which reads the lists again. They throw an ApiError. */
export function useOutgoingCommands() {
  const client = useQueryClient();
  const readAgain = async (): Promise<void> => {
    await Promise.all([
      client.invalidateQueries({ queryKey: [DESTINATIONS] }),
      client.invalidateQueries({ queryKey: [RULES] }),
    ]);
  };
  const after = async <T>(call: Promise<T>): Promise<T> => {
    const result = await call;
    await readAgain();
    return result;
  };
  return {
    readAgain,
    createDestination: (body: NewDestination) =>
      after(apiSend('POST', DESTINATIONS, { body, schema: destinationWithSecretSchema })),
    changeDestination: ({ id, version }: Pick<Destination, 'id' | 'version'>, body: DestinationChange) =>
      after(apiSend('PATCH', `${pathOfDestination(id)}?ifVersion=${version}`, { body, schema: destinationSchema })),
    pauseDestination: (id: string, isPaused: boolean) =>
      after(apiSend('PATCH', pathOfDestination(id), { body: { isPaused }, schema: destinationSchema })),
    deleteDestination: (id: string) => after(deleteAt(pathOfDestination(id))),
    rotateSecret: (id: string) =>
      after(apiSend('POST', `${pathOfDestination(id)}/rotate-secret`, { schema: destinationWithSecretSchema })),
    createRule: (body: NewOutgoingRule) => after(apiSend('POST', RULES, { body, schema: outgoingRuleSchema })),
    changeRule: ({ id, version }: Pick<OutgoingRule, 'id' | 'version'>, body: OutgoingRuleChange) =>
      after(apiSend('PATCH', `${pathOfRule(id)}?ifVersion=${version}`, { body, schema: outgoingRuleSchema })),
    switchRule: (id: string, isOn: boolean) =>
      after(apiSend('PATCH', pathOfRule(id), { body: { isOn }, schema: outgoingRuleSchema })),
    deleteRule: (id: string) => after(deleteAt(pathOfRule(id))),
    sendAgain: (id: string) => after(apiSend('POST', `/api/outgoing/messages/${encodeURIComponent(id)}/send-again`)),
    sendAllAgain: (destinationId: string, onlyOpen: boolean) =>
      after(
        apiSend('POST', '/api/outgoing/messages/send-again', {
          body: { destinationId, onlyOpen },
          schema: sendAgainResultSchema,
        }),
      ),
  };
}

export type OutgoingCommands = ReturnType<typeof useOutgoingCommands>;
