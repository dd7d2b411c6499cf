import {
  deliveryCountsSchema,
  deliveryOutcomeSchema,
  deliverySchema,
  deliverySummarySchema,
  dryRunResultSchema,
  dryRunSchema,
  mappingErrorSchema,
  mappingPreviewRequestSchema,
  mappingPreviewSchema,
  previewedDeliverySchema,
  previewedReadingSchema,
  readEventSchema,
  replayOneSchema,
  replayResultSchema,
  replaySchema,
  unknownKeysSchema,
} from '#backend/contract/delivery.ts';
import { senderSchema, signatureSchemeSchema, sourceNameSchema } from '#backend/contract/sender.ts';
import { mappingConditionSchema, mappingSchema, valueTableSchema } from '#backend/contract/mapping.ts';
import {
  answeredSettingsSchema,
  newSigningSecretSchema,
  newSourceSchema,
  plainSecretsSchema,
  rotationSchema,
  sourceAuthSchema,
  sourceChangeSchema,
  sourceSchema,
  sourceSecretSchema,
  sourceWithSecretsSchema,
  authenticationUseSchema,
} from '#backend/contract/source.ts';
import { sourceHealthSchema, sourcesInTroubleSchema } from '#backend/contract/source-standing.ts';
import type { Entities } from './account-entities.ts';

/** The objects of sources, their mappings and their deliveries. */
export const SOURCE_ENTITIES: Entities = {
  Source: [sourceSchema, 'Something that sends alerts, with how it is doing.'],
  SourceName: [sourceNameSchema, 'A source as every member sees it.'],
  SourceSettings: [answeredSettingsSchema, 'What an administrator decided about a source.'],
  SourceAuth: [sourceAuthSchema, 'By which methods the sender may authenticate.'],
  SourceSecret: [sourceSecretSchema, 'A secret as it is listed, without the secret itself.'],
  SourceHealth: [sourceHealthSchema, 'How a source is doing, and why.'],
  SourcesInTrouble: [
    sourcesInTroubleSchema,
    'The ids of the sources that refuse what is posted, and of the silent ones.',
  ],
  AuthenticationUse: [authenticationUseSchema, 'How often a method of authentication was used.'],
  NewSource: [newSourceSchema, 'A source to be made.'],
  SourceChange: [sourceChangeSchema, 'What is to change; what is absent stays.'],
  SourceWithSecrets: [sourceWithSecretsSchema, 'A source with secrets that are never shown again.'],
  PlainSecrets: [plainSecretsSchema, 'Secrets in full.'],
  Rotation: [rotationSchema, 'Which secret is to be replaced.'],
  NewSigningSecret: [newSigningSecretSchema, 'A secret with which the sender signs.'],
  Mapping: [
    mappingSchema,
    'How deliveries become alerts. A JSONPath (RFC 9535), `header: NAME`, `=text` or a template (`{{name}} is {{status}}`) for ' +
      'each field that is not left to the adapter; tables for what these find; a list to split; what is no alert.',
  ],
  ValueTable: [valueTableSchema, 'What the values that a path finds become.'],
  MappingCondition: [mappingConditionSchema, 'What is no alert.'],
  Sender: [senderSchema, 'The products whose requests are understood.'],
  SignatureScheme: [signatureSchemeSchema, 'How a sender signs its requests.'],
  Delivery: [deliverySchema, 'One request in the delivery log, with what became of it and how it is read now.'],
  DeliverySummary: [deliverySummarySchema, 'One request as the delivery log lists it.'],
  DeliveryOutcome: [deliveryOutcomeSchema, 'What became of a request.'],
  DeliveryCounts: [deliveryCountsSchema, 'How many deliveries of a time had which outcome.'],
  ReadEvent: [readEventSchema, 'An alert that a delivery makes, before it meets those that are there.'],
  ReplayOne: [replayOneSchema, 'How one delivery is to be read and written again.'],
  Replay: [replaySchema, 'Which deliveries are to be read and written again.'],
  ReplayResult: [replayResultSchema, 'What became of the replayed deliveries.'],
  DryRun: [dryRunSchema, 'A stored delivery or a pasted request, and settings to read it by.'],
  DryRunResult: [dryRunResultSchema, 'How a request would be read.'],
  MappingPreviewRequest: [mappingPreviewRequestSchema, 'A mapping that is not saved yet.'],
  MappingPreview: [
    mappingPreviewSchema,
    'What past deliveries become by a mapping, beside what the saved one makes of them.',
  ],
  PreviewedDelivery: [previewedDeliverySchema, 'A past delivery, read by two mappings.'],
  PreviewedReading: [previewedReadingSchema, 'What a delivery becomes by a mapping.'],
  MappingError: [mappingErrorSchema, 'A part of a mapping that cannot be evaluated, and why.'],
  UnknownKeys: [unknownKeysSchema, 'Requests that match no source.'],
};
