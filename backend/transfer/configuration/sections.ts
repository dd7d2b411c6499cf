import type { SectionName } from '#backend/contract/configuration.ts';
import { arrivalRuleSection } from './arrival-rule-section.ts';
import { heartbeatSection, viewSection, windowSection } from './alert-sections.ts';
import { destinationSection, groupSection, ruleSection } from './outgoing-sections.ts';
import type { AnyEntry } from './plan.ts';
import type { Section } from './section.ts';
import { sourceSection } from './source-section.ts';

/** A section whatever its entries are: what is read by its schema is what its functions take. */
type AnySection = Section<AnyEntry>;

const SECTIONS = {
  sources: sourceSection,
  heartbeats: heartbeatSection,
  maintenanceWindows: windowSection,
  rules: arrivalRuleSection,
  destinations: destinationSection,
  groups: groupSection,
  outgoingRules: ruleSection,
  views: viewSection,
} as const satisfies Record<SectionName, unknown>;

/** How entries of a section are read and made. */
export const sectionOf = (name: SectionName): AnySection => SECTIONS[name] as unknown as AnySection;
