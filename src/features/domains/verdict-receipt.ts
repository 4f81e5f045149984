import type { World } from '../../database/open.ts'
import { evidenceNow, readOfOneState } from '../receipts/index.ts'
import { signedVerdictRows } from './evidence-store.ts'
import { isLookedUp, readMentions } from './mentions-store.ts'

/** Reads the verdicts of sites, their mentions and their evidence, all of one state of the facts. */
export function readSigned(world: World, sites: readonly { sent: string; domain: string }[]) {
  const domains = [...new Set(sites.map(({ domain }) => domain))]
  return readOfOneState(async () => {
    const read = await readRows(world, domains)
    const rows = new Map(read.flatMap(row => (row.id === null ? [] : [[row.domain, row] as const])))
    const asked = sites.map(({ sent, domain }) => ({ sent, domain, stored: rows.get(domain) }))
    const mentions = await readMentions(world.primary, asked)
    if (asked.some(isLookedUp)) {
      const after = await world.primary.readByKey(signedVerdictRows, '')
      if (after?.event !== read[0]?.event) return null
    }
    const isAll = domains.some(domain => (rows.get(domain)?.verdict ?? 'no_record') === 'no_record')
    const evidence = await evidenceNow(world, { rows: read, isAll })
    return evidence === null ? null : { rows, mentions, evidence }
  })
}

/** Reads a list in one statement. No domain still has the last event and numbers. */
async function readRows({ primary }: World, domains: readonly string[]) {
  if (domains.length > 1) return primary.readByKeys(signedVerdictRows, domains)
  const row = await primary.readByKey(signedVerdictRows, domains[0] ?? '')
  return row === undefined ? [] : [row]
}
