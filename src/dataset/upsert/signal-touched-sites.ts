import type { Transaction } from '../../database/open.ts'
import { addPlatformSignals } from '../../features/signals/index.ts'
import { gatherTouchedSites, readNewlyReviewed, readTouchedSites } from './touched-sites-store.ts'

const domainsAtOnce = 10_000

/** Runs last in an import, because Signals are numbered last. */
export async function signalTouchedSites(tx: Transaction, now: Date): Promise<void> {
  for (const platformId of await readNewlyReviewed(tx, now)) await addPlatformSignals(tx, { platformId, now })
  await gatherTouchedSites(tx)
  for (let after = 0; ; ) {
    const domainIds = await readTouchedSites(tx, after, domainsAtOnce)
    const last = domainIds.at(-1)
    if (last === undefined) return
    await addPlatformSignals(tx, { domainIds, now })
    after = last
  }
}
