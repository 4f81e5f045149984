/** Sources of the operator beside checks of sites: adapters that answer JSON over HTTP. */

/** `lines` are records of the interchange format, validated; those of contacts name no company yet. */
export type SourceAnswer =
  | { outcome: 'found'; lines: Record<string, unknown>[] }
  | { outcome: 'no_data' | 'temporarily_unavailable' | 'unavailable' | 'too_large' }

/** Fails only if the signal aborts for another reason than a timeout. */
export type AskSource = (domain: string, signal: AbortSignal) => Promise<SourceAnswer>

export type Sources = {
  /** null: none is configured. */
  firmographics: AskSource | null
  contacts: AskSource | null
  /** Stores lines as an import does. false: a writer keeps the data locked. */
  store(lines: readonly Record<string, unknown>[]): Promise<boolean>
}

export const noSources: Sources = { firmographics: null, contacts: null, store: async () => false }
