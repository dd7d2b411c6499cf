import type * as z from 'zod/mini';
import {
  type DeliverySummary,
  type DryRunResult,
  type MappingPreview,
  type dryRunSchema,
  deliverySummarySchema,
  dryRunResultSchema,
  mappingPreviewSchema,
} from '#backend/contract/delivery.ts';
import type { Mapping } from '#backend/contract/mapping.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { sourcePath } from './get-sources.ts';

export type DryRun = z.input<typeof dryRunSchema>;

/** `POST /api/sources/{id}/dry-run`: how a request would be read by these settings; nothing is stored. Throws an ApiError. */
export const dryRun = (sourceId: string, input: DryRun): Promise<DryRunResult> =>
  apiSend('POST', `${sourcePath(sourceId)}/dry-run`, { body: input, schema: dryRunResultSchema });

/** `POST /api/sources/{id}/mapping-preview`: what past deliveries would become; nothing is stored. Throws an ApiError. */
export const previewMapping = (sourceId: string, mapping: Mapping): Promise<MappingPreview> =>
  apiSend('POST', `${sourcePath(sourceId)}/mapping-preview`, { body: { mapping }, schema: mappingPreviewSchema });

/** `POST /api/sources/{id}/test`: a sample of the sender, read and written as if it had sent it. Throws an ApiError. */
export const sendTest = (sourceId: string): Promise<DeliverySummary> =>
  apiSend('POST', `${sourcePath(sourceId)}/test`, { schema: deliverySummarySchema });
