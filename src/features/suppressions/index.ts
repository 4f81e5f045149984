/** Stores and compares handles of people who must not be stored or delivered. */
export { openDigester, type Person, secretPurpose, suppressedAmong } from './suppressed-among.ts'
export {
  anySuppressed,
  completeDecision,
  firstDecisionSince,
  type Handle,
  insertSuppressionDecision,
  insertSuppressions,
} from './suppression-store.ts'
