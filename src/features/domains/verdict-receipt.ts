import type { World } from '../../database/open.ts'
import { type Evidence, readWithEvidence } from '../receipts/index.ts'
import type { VerdictRow } from './domain-store.ts'
import { evidenceParameters, verdictEvidence } from './evidence-store.ts'

type Stored<Result> = {
  result: Result
  domains: readonly string[]
  rows: ReadonlyMap<string, VerdictRow>
}

/** Reads verdicts; with their evidence of the same moment if the answer `isSigned`. */
export async function withVerdictEvidence<Result>(
  world: World,
  isSigned: boolean,
  read: () => Promise<Stored<Result>>,
): Promise<{ read: Result; evidence: Evidence | null }> {
  if (!isSigned) return { read: (await read()).result, evidence: null }
  const { result, evidence } = await readWithEvidence(world.primary, verdictEvidence, async () => {
    const { result, domains, rows } = await read()
    return { result, values: evidenceParameters(domains, rows) }
  })
  return { read: result, evidence }
}
