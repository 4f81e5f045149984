import type { Transaction } from '../../database/open.ts'
import { deriveObservations, deriveObserved } from '../../features/domains/index.ts'
import { analyseFacts } from '../../features/facts/index.ts'
import { lockDomains, readTouchedDomains, type TouchedDomain } from './touched-domains-store.ts'
import { writeGeos } from './upsert-domains-store.ts'

const domainsAtOnce = 10_000

const idsOf = (touched: readonly TouchedDomain[]) => touched.map(({ id }) => id)

/**
 * Locks and derives the touched domains; yields those whose verdict may change. Chunks in id order bound
 * memory and give one lock order.
 */
export async function* deriveTouchedDomains(tx: Transaction): AsyncGenerator<number[]> {
  let analysed = false
  for (let after = 0; ; ) {
    const touched = await readTouchedDomains(tx, after, domainsAtOnce)
    const last = touched.at(-1)
    if (last === undefined) return
    const ids = idsOf(touched)
    await lockDomains(tx, ids)
    await writeGeos(tx, ids)
    const observed = idsOf(touched.filter(({ inObservations }) => inObservations))
    if (observed.length > 0) {
      await deriveObservations(tx, observed)
      await deriveObserved(tx, observed)
    }
    if (ids.length === domainsAtOnce && !analysed) {
      await analyseFacts(tx)
      analysed = true
    }
    yield idsOf(touched.filter(({ inRegisters }) => inRegisters))
    after = last.id
  }
}
