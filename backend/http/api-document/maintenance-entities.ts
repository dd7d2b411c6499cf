import {
  extensionSchema,
  newWindowSchema,
  occurrenceSchema,
  occurrenceStateSchema,
  windowChangeSchema,
  windowEndSchema,
  windowPreviewQuerySchema,
  windowPreviewSchema,
  windowSchema,
} from '#backend/contract/maintenance.ts';
import type { Entities } from './account-entities.ts';

/** Maintenance windows, and when they are on. */
export const MAINTENANCE_ENTITIES: Entities = {
  MaintenanceWindow: [windowSchema, 'Which alerts are kept quiet, and when.'],
  NewMaintenanceWindow: [
    newWindowSchema,
    'A window to be planned, for `minutes`. `rrule` is of RFC 5545, by days, weeks, months or years: `FREQ=WEEKLY;BYDAY=SU`. ' +
      'One whose `startsAt` is `now` starts by the clock of the server, and can have `endsAt` in place of `minutes`.',
  ],
  MaintenanceWindowChange: [windowChangeSchema, 'What is to change; what is absent stays.'],
  MaintenanceOccurrence: [occurrenceSchema, 'One time at which a window is on, and what it kept quiet.'],
  MaintenanceOccurrenceState: [
    occurrenceStateSchema,
    'Where an occurrence is. `ending`: its time is over, and what it kept quiet is coming back.',
  ],
  MaintenanceExtension: [extensionSchema, 'For how long a window is extended.'],
  MaintenanceWindowEnd: [windowEndSchema, 'A window that has ended, and what is left of what it kept quiet.'],
  MaintenancePreviewQuery: [windowPreviewQuerySchema, 'A window as it is written, saved or not.'],
  MaintenancePreview: [windowPreviewSchema, 'When a window would be on, and what it would have kept quiet.'],
};
