import { deriveObservations, deriveObserved } from '../../features/domains/index.ts'
import { analyseFacts } from '../../features/facts/index.ts'
import { lockTouchedDomains, readTouchedDomains, type TouchedDomain } from './touched-domains-store.ts'
import type { UpsertContext } from './upsert-context.ts'
import { writeGeos } from './upsert-domains-store.ts'

const domainsAtOnce = 10_000

const idsOf = (touched: readonly TouchedDomain[]) => touched.map(({ id }) => id)

/**
 * Locks and derives the touched domains, and yields the domains whose verdict may change. Chunks in id
 * order bound memory and make writers lock in one order.
 */
export async function* deriveTouchedDomains({ tx, staged }: UpsertContext): AsyncGenerator<number[]> {
  let analysed = false
  for (let after = 0; ; ) {
    const touched = await readTouchedDomains(tx, after, domainsAtOnce)
    const last = touched.at(-1)
    if (last === undefined) return
    const ids = idsOf(touched)
    await lockTouchedDomains(tx, ids)
    if (staged.has('staged_domains')) await writeGeos(tx, ids)
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
