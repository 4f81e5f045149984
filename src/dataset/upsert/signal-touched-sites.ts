import { addPlatformSignals } from '../../features/signals/index.ts'
import {
  anyReviewed,
  gatherTouchedSites,
  readNewlyReviewed,
  readTouchedSites,
} from './touched-sites-store.ts'
import type { UpsertContext } from './upsert-context.ts'

const domainsAtOnce = 10_000

/** Runs last in an import, because Signals are numbered last. */
export async function signalTouchedSites({ tx, now, staged }: UpsertContext): Promise<void> {
  if (staged.has('staged_platforms'))
    for (const platformId of await readNewlyReviewed(tx, now))
      await addPlatformSignals(tx, { platformId, now })
  if (!(await anyReviewed(tx))) return
  await gatherTouchedSites(tx, staged)
  for (let after = 0; ; ) {
    const domainIds = await readTouchedSites(tx, after, domainsAtOnce)
    const last = domainIds.at(-1)
    if (last === undefined) return
    await addPlatformSignals(tx, { domainIds, now })
    after = last
  }
}
