/**
 * The strength of evidence: 3 for a value seen in use, 2 for one that the site declares, 1 for a
 * named one.
 */
export type Strength = 1 | 2 | 3

/** One value that a rule read from one capture. */
export type Finding = {
  /** A key of `pageSections`, or `registration`, `dns`, `web_presence` or `launch`. */
  section: string
  /** Identifies the value within its section, as in `observations.value_key`. */
  valueKey: string
  /** The fields of the section, without dates. */
  value: Record<string, unknown>
  /** The rule's file and key (`payment-methods/visa`), or the reader (`rdap`). */
  rule: string
  strength: Strength
  /** The index of the capture in the check. */
  capture: number
  /** The matched text for staff, at most 300 characters. */
  snippet: string | null
}

/** A finding of one page in one section. */
export type SectionFinding = Omit<Finding, 'section' | 'capture'> & {
  /** Is true for a name that only a site with games lists, although its page shows no product. */
  isOfGames?: true
}

export const snippetCharactersMax = 300

/** The end of a check (contract section 15). Only `completed` is charged. */
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
        | 'redirect_loop'
        | 'unreadable'
    }
