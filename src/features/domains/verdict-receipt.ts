import type { Reads, World } from '../../database/open.ts'
import { evidenceNow, readOfOneState, streamsAtHand } from '../receipts/index.ts'
import { signedKey, signedVerdictRows } from './evidence-store.ts'
import { isLookedUp, readMentions } from './mentions-store.ts'

/** Reads the verdicts of sites, their mentions and their evidence, all of one state of the facts. */
export function readSigned(world: World, sites: readonly { sent: string; domain: string }[]) {
  const domains = [...new Set(sites.map(({ domain }) => domain))]
  return readOfOneState(async () => {
    const atHand = streamsAtHand(world)
    const read = await readRows(world.primary, domains, atHand.event)
    const rows = new Map(read.flatMap(row => (row.id === null ? [] : [[row.domain, row] as const])))
    const asked = sites.map(({ sent, domain }) => ({ sent, domain, stored: rows.get(domain) }))
    const mentions = await readMentions(world.primary, asked)
    if (asked.some(isLookedUp)) {
      const after = await world.primary.readByKey(signedVerdictRows, signedKey('', needsNone))
      if (after?.event !== read[0]?.event) return null
    }
    const isAll = domains.some(domain => (rows.get(domain)?.verdict ?? 'no_record') === 'no_record')
    return { rows, mentions, evidence: evidenceNow(world, { rows: read, isAll }, atHand) }
  })
}

const needsNone = '-'

/** Reads a list in one statement, whose first row has the streams. No domain still has the last numbers. */
async function readRows(reads: Reads, [first = '', ...others]: readonly string[], event: string) {
  const key = signedKey(first, event)
  if (others.length > 0)
    return reads.readByKeys(signedVerdictRows, [key, ...others.map(each => signedKey(each, needsNone))])
  const row = await reads.readByKey(signedVerdictRows, key)
  return row === undefined ? [] : [row]
}
