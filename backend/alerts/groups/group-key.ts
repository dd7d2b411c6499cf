import { createHash } from 'node:crypto';
import { type GroupingKind, groupingKindSchema } from '#backend/contract/alert-group.ts';

/** A rule that is on. */
export interface ActiveRule {
  kind: GroupingKind;
  withinMinutes: number;
}

/** What of an alert decides on its group. */
export interface GroupedFacts {
  customer: string | null;
  alertType: string | null;
  sourceId: string | null;
  /** The group that its sender puts it in, and what that is called. */
  groupKey: string | null;
  groupTitle: string | null;
  payload: string;
}

/** What an alert has in common with others. */
export interface GroupKey {
  rule: ActiveRule;
  /** SHA-256 of the rule and the values. */
  key: string;
  /** The values in words, 500 characters at most. */
  shared: string;
}

/** So much of a payload is searched for its deployment, in characters. */
const SEARCHED = 64 * 1024;

/** Names under which senders report a deployment, a release or a version that was rolled out. */
const DEPLOYMENT =
  /"(?:deployment|deployment_id|deploymentId|deploy_id|release|service\.version|deployment\.id)"\s*:\s*"([^"\\]{1,200})"/;

const findDeployment = (payload: string): RegExpExecArray | null =>
  DEPLOYMENT.exec(payload.length > SEARCHED ? payload.slice(0, SEARCHED) : payload);

/** The deployment that a payload names; undefined without one. */
export const deploymentIn = (payload: string): string | undefined => findDeployment(payload)?.[1]?.trim() || undefined;

/** The part of a payload that decides on groups; empty where none does. */
export const groupingPartOf = (payload: string): string => findDeployment(payload)?.[0] ?? '';

/** What alerts of a rule have in common: the values, and in words. Undefined for an alert that a rule is not about. */
const VALUES: Record<GroupingKind, (alert: GroupedFacts) => { parts: readonly string[]; shared: string } | undefined> =
  {
    sender: ({ sourceId, groupKey, groupTitle }) =>
      groupKey === null ? undefined : { parts: [sourceId ?? '', groupKey], shared: groupTitle ?? groupKey },
    deployment({ customer, sourceId, payload }) {
      const deployment = deploymentIn(payload);
      if (deployment === undefined) return undefined;
      // Two customers may count their versions alike, and so may two sources of no customer.
      const of = customer === null ? ['source', sourceId ?? ''] : ['customer', customer];
      return { parts: [...of, deployment.toLowerCase()], shared: deployment };
    },
    names: ({ customer, alertType }) =>
      customer === null || alertType === null
        ? undefined
        : { parts: [customer, alertType], shared: `${customer}, ${alertType}` },
  };

/** The group that an alert belongs to by the first rule that is about it; undefined where none is. */
export function groupKeyOf(rules: readonly ActiveRule[], alert: GroupedFacts): GroupKey | undefined {
  for (const rule of rules) {
    const found = VALUES[rule.kind](alert);
    if (!found) continue;
    const key = createHash('sha256')
      .update(JSON.stringify([rule.kind, ...found.parts]))
      .digest('hex');
    return { rule, key, shared: found.shared.slice(0, 500) };
  }
  return undefined;
}

/** Rules in the order in which they decide. */
export const inOrder = <Rule extends { kind: GroupingKind }>(rules: readonly Rule[]): Rule[] =>
  rules.toSorted(
    (one, other) => groupingKindSchema.options.indexOf(one.kind) - groupingKindSchema.options.indexOf(other.kind),
  );
