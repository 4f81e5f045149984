import type { ObservedSection } from '../features/domains/index.ts'

/** Sections of §2.9, components of the launch profile (§2.10), and what other features store. */
export type FindingSection =
  | ObservedSection
  | 'registration'
  | 'dns'
  | 'web_presence'
  | 'launch'
  | 'legal_claims'
  | 'public_contacts'
  | 'platform'
  | 'logo'
  | 'firmographics'

/** 3: seen in use; 2: declared by the site's own policy; 1: named. */
export type Strength = 1 | 2 | 3

/** One value that a rule read from one capture. */
export type Finding = {
  section: FindingSection
  /** Identifies the value within its section, as in `observations.value_key`. */
  valueKey: string
  /** The fields of the section, without dates. */
  value: Record<string, unknown>
  /** The rule's file and key, or the reader: `payment-methods/visa`, `rdap`. */
  rule: string
  strength: Strength
  /** Position in the captures of the check. */
  capture: number
  /** The matched text, for staff. At most 300 characters. */
  snippet: string | null
}

export const snippetCharactersMax = 300

/** How a check ended (contract section 15). Only `completed` is charged. */
export type CheckOutcome =
  | { outcome: 'completed'; reason: null }
  | {
      outcome: 'failed'
      reason:
        | 'blocked'
        | 'name_unresolved'
        | 'timeout'
        | 'tls'
        | 'server_error'
        | 'unreachable'
        | 'unreadable'
    }
