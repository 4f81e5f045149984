import { nameserverOperator } from '../dns/fingerprints.ts'
import { isParkingNameserver } from '../dns/read-dns.ts'
import type { PageReading } from '../page/read-page.ts'

/**
 * Whether the nameservers say that a name is parked: those of a parking service, or those of the registrar
 * whose own page the root shows. A registrar serves used and unused names from the same nameservers.
 */
export function hasParkingNameservers(nameservers: readonly string[], root: PageReading | null): boolean {
  const registrars = new Set(
    (root?.matches ?? []).filter(({ value }) => value.mark === 'parked').map(({ value }) => value.operator),
  )
  return nameservers.some(host => {
    const operator = nameserverOperator(host)
    return isParkingNameserver(host) || (operator !== null && registrars.has(operator))
  })
}
