import type { Transaction } from '../../database/open.ts'
import { deriveObservations, deriveObserved } from '../../features/domains/index.ts'
import { analyseFacts } from '../../features/facts/index.ts'
import { lockDomains, readTouchedDomains } from './touched-domains-store.ts'
import { writeGeos } from './upsert-domains-store.ts'

const domainsAtOnce = 10_000

/** Locks and derives the touched domains. Chunks in id order bound memory and give one lock order. */
export async function* deriveTouchedDomains(tx: Transaction): AsyncGenerator<number[]> {
  let analysed = false
  for (let after = 0; ; ) {
    const ids = await readTouchedDomains(tx, after, domainsAtOnce)
    const last = ids.at(-1)
    if (last === undefined) return
    await lockDomains(tx, ids)
    await writeGeos(tx, ids)
    await deriveObservations(tx, ids)
    await deriveObserved(tx, ids)
    if (ids.length === domainsAtOnce && !analysed) {
      await analyseFacts(tx)
      analysed = true
    }
    yield ids
    after = last
  }
}
